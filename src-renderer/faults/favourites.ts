import { useState } from 'react'

const KEY = 'handset.favourite-faults'

/** What this browser keeps; without storage it is kept until the page goes. */
const kept = (): readonly string[] => {
  try {
    const known: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(known) ? known.filter((each) => typeof each === 'string') : []
  } catch {
    return []
  }
}

const keep = (names: readonly string[]): void => {
  try {
    localStorage.setItem(KEY, JSON.stringify(names))
  } catch {
    // A browser that keeps nothing.
  }
}

export const useFavourites = () => {
  const [names, setNames] = useState(kept)
  const toggle = (name: string): void => {
    const next = names.includes(name) ? names.filter((each) => each !== name) : [...names, name]
    keep(next)
    setNames(next)
  }
  return { names, toggle }
}

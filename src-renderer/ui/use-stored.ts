import { useState } from 'react'

/** A number that the browser keeps for next time: a convenience, so a store that refuses is no error. */
export const useStoredNumber = (key: string, fallback: number): [number, (value: number | undefined) => void] => {
  const [value, setValue] = useState(() => read(key) ?? fallback)
  const store = (next: number | undefined) => {
    setValue(next ?? fallback)
    try {
      if (next === undefined) localStorage.removeItem(key)
      else localStorage.setItem(key, String(next))
    } catch {
      // A page without storage keeps the size while it is open.
    }
  }
  return [value, store]
}

const read = (key: string): number | undefined => {
  try {
    const text = localStorage.getItem(key)
    return text === null || !Number.isFinite(Number(text)) ? undefined : Number(text)
  } catch {
    return undefined
  }
}

import { useState } from 'react'

/** A number that the browser keeps for next time: a convenience, so a failed write is no error. */
export const useStoredNumber = (key: string, fallback: number): [number, (value: number | undefined) => void] => {
  const [value, setValue] = useState(() => read(key) ?? fallback)
  const store = (next: number | undefined) => {
    setValue(next ?? fallback)
    keep(key, next === undefined ? undefined : String(next))
  }
  return [value, store]
}

/** One of a few words that the browser keeps for next time. */
export const useStoredChoice = <T extends string>(
  key: string,
  choices: readonly T[],
  fallback: T,
): [T, (value: T) => void] => {
  const [value, setValue] = useState(() => choices.find((choice) => choice === readText(key)) ?? fallback)
  const store = (next: T) => {
    setValue(next)
    keep(key, next)
  }
  return [value, store]
}

/** A page without storage keeps it while it is open. */
const keep = (key: string, text: string | undefined): void => {
  try {
    if (text === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
  } catch {
    // A failed write is no error.
  }
}

const readText = (key: string): string | null => {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

const read = (key: string): number | undefined => {
  const text = readText(key)
  return text === null || !Number.isFinite(Number(text)) ? undefined : Number(text)
}

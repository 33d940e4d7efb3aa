import { useState } from 'react'

/** Failed writes are ignored. */
export const useStoredNumber = (key: string, fallback: number): [number, (value: number | undefined) => void] => {
  const [value, setValue] = useState(() => read(key) ?? fallback)
  const store = (next: number | undefined) => {
    setValue(next ?? fallback)
    keep(key, next === undefined ? undefined : String(next))
  }
  return [value, store]
}

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

/** Without storage, the value lasts only until the page closes. */
const keep = (key: string, text: string | undefined): void => {
  try {
    if (text === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
  } catch {
    // Failed writes are ignored.
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

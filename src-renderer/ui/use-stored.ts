import { useState } from 'react'

export const readStored = (key: string): string | null => {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Failed writes are ignored: without storage, a value lasts only until the page closes. */
export const keepStored = (key: string, text: string): void => {
  try {
    localStorage.setItem(key, text)
  } catch {
    // The browser's storage is unavailable.
  }
}

/** `read` gets the stored text, or null. */
export const useStored = <T>(key: string, read: (text: string | null) => T, write: (value: T) => string) => {
  const [value, setValue] = useState(() => read(readStored(key)))
  const put = (next: T): void => {
    setValue(next)
    keepStored(key, write(next))
  }
  return [value, put] as const
}

export const useStoredChoice = <T extends string>(key: string, choices: readonly T[], fallback: T) =>
  useStored(key, (text) => choices.find((choice) => choice === text) ?? fallback, String)

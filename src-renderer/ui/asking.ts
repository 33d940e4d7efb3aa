import { useSyncExternalStore } from 'react'

let asked = 0
const listeners = new Set<() => void>()

const count = (by: 1 | -1): void => {
  asked += by
  for (const listener of listeners) listener()
}

/** Counts requests of the user that the bench has not answered. */
export const whileAsking = async <T>(work: Promise<T>): Promise<T> => {
  count(1)
  try {
    return await work
  } finally {
    count(-1)
  }
}

export const useAsking = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => asked > 0,
  )

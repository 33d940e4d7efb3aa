import type { KeyboardEvent } from 'react'

/** Ends what an effect has begun. */
type Ends = () => void

/** `run` learns whether the effect has ended meanwhile. */
export const runAfter = (ms: number, run: (isCurrent: () => boolean) => void): Ends => {
  let current = true
  const timer = setTimeout(() => run(() => current), ms)
  return () => {
    current = false
    clearTimeout(timer)
  }
}

export const runEvery = (ms: number, run: () => void): Ends => {
  const timer = setInterval(run, ms)
  return () => clearInterval(timer)
}

/** A value outside React, for `useSyncExternalStore`. */
export const createShared = <T>(initial: T) => {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: (): T => value,
    set: (next: T): void => {
      value = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener: () => void): Ends => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** `use` gets the value unless the effect has ended meanwhile. */
export const whenDone = <T>(work: Promise<T> | undefined, use: (value: T) => void): Ends => {
  let current = true
  void work?.then((value) => {
    if (current) use(value)
  })
  return () => {
    current = false
  }
}

export const onWindow = <K extends keyof WindowEventMap>(type: K, run: (event: WindowEventMap[K]) => void): Ends => {
  addEventListener(type, run)
  return () => removeEventListener(type, run)
}

export const observeSize = (element: Element | null, measure: (element: Element) => void): Ends | undefined => {
  if (element === null) return undefined
  const observer = new ResizeObserver(() => measure(element))
  observer.observe(element)
  return () => observer.disconnect()
}

/** The step of an arrow key, which then does nothing else; 0 for any other key. */
export const arrowStep = (event: KeyboardEvent, back = 'ArrowUp', on = 'ArrowDown'): -1 | 0 | 1 => {
  const step = event.key === on ? 1 : event.key === back ? -1 : 0
  if (step !== 0) event.preventDefault()
  return step
}

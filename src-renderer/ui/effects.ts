import type { KeyboardEvent } from 'react'

/** Ends what an effect has begun. */
type Ends = () => void

export const runAfter = (ms: number, run: () => void): Ends => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

export const runEvery = (ms: number, run: () => void): Ends => {
  const timer = setInterval(run, ms)
  return () => clearInterval(timer)
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

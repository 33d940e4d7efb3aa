import { useEffect, useState } from 'react'
import { runEvery } from './effects.ts'

/** The page's only source of real time, in milliseconds since 1970. */
export const pageNow = (): number => performance.timeOrigin + performance.now()

export const useTick = (ms: number, on = true): void => {
  const [, tick] = useState(0)
  useEffect(() => (on ? runEvery(ms, () => tick((n) => n + 1)) : undefined), [ms, on])
}

export const prefersStillness = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches

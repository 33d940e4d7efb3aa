import { useEffect, useState } from 'react'

/** The page's only source of real time, in milliseconds since 1970. */
export const pageNow = (): number => performance.timeOrigin + performance.now()

export const useTick = (every: number, on = true): void => {
  const [, tick] = useState(0)
  useEffect(() => {
    if (!on) return
    const timer = setInterval(() => tick((n) => n + 1), every)
    return () => clearInterval(timer)
  }, [every, on])
}

export const prefersStillness = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches

/** 2:24 */
export const minuteSecond = (ms: number): string => {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  const rest = String(seconds % 60).padStart(2, '0')
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? `${minutes}:${rest}`
    : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${rest}`
}

/** 6.2 s, 48 s, 3:05 */
export const elapsedText = (ms: number): string => {
  const seconds = Math.max(0, ms) / 1000
  if (ms < 100) return `${Math.max(0, Math.round(ms))} ms`
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  return seconds < 60 ? `${Math.round(seconds)} s` : minuteSecond(ms)
}

/** 5.874, and with minutes 2:05.874 */
export const offsetText = (ms: number): string => {
  const seconds = Math.max(0, ms) / 1000
  if (seconds < 60) return seconds.toFixed(3).padStart(6, '0')
  return `${Math.floor(seconds / 60)}:${(seconds % 60).toFixed(1).padStart(4, '0')}`
}

/** 3.8 ms */
export const durationText = (us: number): string => {
  const ms = us / 1000
  if (ms < 100) return `${ms.toFixed(1)} ms`
  return ms < 10_000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 1000)} s`
}

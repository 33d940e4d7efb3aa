/** For durations only: microseconds from an arbitrary point. */
export const micros = (): number => Math.round(performance.now() * 1000)

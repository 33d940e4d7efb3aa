/** For durations only: microseconds from a point that means nothing. */
export const micros = (): number => Math.round(performance.now() * 1000)

/** At once, and then as often as it is wanted but not more than once in so many milliseconds. */
export const throttled = (work: () => void, ms: number): (() => void) => {
  let resting = false
  let wanted = false
  const run = (): void => {
    wanted = resting
    if (resting) return
    resting = true
    work()
    setTimeout(() => {
      resting = false
      if (wanted) run()
    }, ms)
  }
  return run
}

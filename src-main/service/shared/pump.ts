/** Calls `look` on a poke and every `every` ms: one call at a time, with a pause of `rest` ms between calls. */
export const createWorkPoller = (options: {
  readonly look: () => Promise<void>
  readonly every: () => number
  readonly rest?: number
}) => {
  const { look, every, rest = 0 } = options
  let poked = false
  let resting = false
  let closed = false
  let wake = (): void => undefined

  const sleep = async (ms: number): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    wake = resolve
    const timer = setTimeout(resolve, ms).unref()
    await promise
    clearTimeout(timer)
  }

  const run = async (): Promise<void> => {
    while (!closed) {
      poked = false
      // If the database is unreachable, the next call asks again.
      await look().catch(() => undefined)
      resting = true
      if (rest > 0 && !closed) await sleep(rest)
      resting = false
      if (!poked && !closed) await sleep(every())
    }
  }
  const running = run()

  return {
    poke: (): void => {
      poked = true
      if (!resting) wake()
    },
    /** Starts nothing new; resolves when the work under way is done. */
    close: async (): Promise<void> => {
      closed = true
      wake()
      await running
    },
  }
}

/** Interval at which a poller looks without a signal: signals are only hints, and some poolers drop them. */
export const pollIntervalMs = (arrive: boolean): number => (arrive ? 1_000 : 50)

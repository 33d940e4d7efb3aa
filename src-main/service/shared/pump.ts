export type WorkPoller = ReturnType<typeof createWorkPoller>

/** Calls `look` on a poke and every `every` ms: one call at a time, with a pause of `rest` ms between calls. */
export const createWorkPoller = (options: {
  readonly look: () => Promise<void>
  readonly every: () => number
  readonly rest?: number
}) => {
  const { look, every, rest = 0 } = options
  let resting = false
  let running: Promise<void> | undefined
  let poked = false
  let closed = false
  let timer: NodeJS.Timeout | undefined

  const begin = (): void => {
    clearTimeout(timer)
    poked = false
    running = look()
      // If the database is unreachable, the next call asks again.
      .catch(() => undefined)
      .finally(() => {
        running = undefined
        if (closed) return
        resting = rest > 0
        if (resting) later(rest, endRest)
        else goOn()
      })
  }
  const later = (ms: number, run: () => void): void => {
    timer = setTimeout(run, ms).unref()
  }
  const goOn = (): void => (poked ? begin() : later(every(), begin))
  const endRest = (): void => {
    resting = false
    goOn()
  }
  begin()

  return {
    poke: (): void => {
      poked = true
      if (running === undefined && !resting && !closed) begin()
    },
    /** Starts nothing new; resolves when the work under way is done. */
    close: async (): Promise<void> => {
      closed = true
      clearTimeout(timer)
      await running
    },
  }
}

/** Interval at which a poller looks without a signal: signals are only hints, and some poolers drop them. */
export const pollIntervalMs = (arrive: boolean): number => (arrive ? 1_000 : 50)

/** Looks for work when it is poked, and from time to time by itself; never twice at once. */
export type Pump = {
  poke(): void
  /** Resolves when nothing is under way; from now on nothing begins. */
  close(): Promise<void>
}

export const createPump = ({ look, every }: { look: () => Promise<void>; every: () => number }): Pump => {
  let running: Promise<void> | undefined
  let poked = false
  let closed = false
  let timer: NodeJS.Timeout | undefined

  const begin = (): void => {
    clearTimeout(timer)
    poked = false
    running = look()
      // A database that is away is asked again.
      .catch(() => undefined)
      .finally(() => {
        running = undefined
        if (closed) return
        if (poked) begin()
        else timer = setTimeout(begin, every()).unref()
      })
  }
  begin()

  return {
    poke: () => {
      poked = true
      if (running === undefined && !closed) begin()
    },
    close: async () => {
      closed = true
      clearTimeout(timer)
      await running
    },
  }
}

/** How often each looks without being told: signals are only hints, and some poolers swallow them. */
export const lookEvery = (arrive: boolean): number => (arrive ? 1_000 : 50)

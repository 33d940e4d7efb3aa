export type Batcher<T> = {
  add(item: T): void
  /** Without waiting. */
  flush(): void
}

/**
 * Hands over everything that was added in the meantime. `later` says how long it waits from the first: `setImmediate` until
 * all input of this turn of the event loop is read, `process.nextTick` until everything that can go on has gone on.
 */
export const createBatcher = <T>(
  later: (flush: () => void) => void,
  handOver: (items: readonly T[]) => void,
): Batcher<T> => {
  let waiting: T[] = []
  const flush = (): void => {
    if (waiting.length === 0) return
    const items = waiting
    waiting = []
    handOver(items)
  }
  return {
    add: (item) => {
      if (waiting.length === 0) later(flush)
      waiting.push(item)
    },
    flush,
  }
}

/**
 * Collects items and hands them over together. The first item schedules this through `later`: `setImmediate` waits
 * until all input of this event-loop turn is read, `process.nextTick` until all code that can continue has run.
 */
export const createBatcher = <T>(later: (flush: () => void) => void, handOver: (items: readonly T[]) => void) => {
  let waiting: T[] = []
  const flush = (): void => {
    if (waiting.length === 0) return
    const items = waiting
    waiting = []
    handOver(items)
  }
  return {
    add: (item: T): void => {
      if (waiting.length === 0) later(flush)
      waiting.push(item)
    },
    flush,
  }
}

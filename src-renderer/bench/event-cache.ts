import type { BenchEvent } from '../../src-main/contract/events.ts'

/** Whole events, the last so many that came or were asked for; the service has the others. */
export const createEventCache = (most: number) => {
  const events = new Map<number, BenchEvent>()
  return {
    get: (seq: number): BenchEvent | undefined => events.get(seq),
    put: (event: BenchEvent): void => {
      events.set(event.seq, event)
      if (events.size <= most) return
      for (const oldest of events.keys()) {
        events.delete(oldest)
        break
      }
    },
    clear: (): void => events.clear(),
  }
}

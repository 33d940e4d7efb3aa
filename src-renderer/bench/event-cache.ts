import type { BenchEvent } from '../../src-main/core/contract/events.ts'

export const createEventCache = (
  most: number,
  ask: (seq: number) => Promise<BenchEvent | undefined>,
  onFound: () => void,
) => {
  const events = new Map<number, BenchEvent>()
  const asked = new Set<number>()

  const put = (event: BenchEvent): void => {
    events.set(event.seq, event)
    const [oldest] = events.keys()
    if (events.size > most && oldest !== undefined) events.delete(oldest)
  }

  return {
    get: (seq: number) => events.get(seq),
    put,
    /** Fetches the events that are missing; an event that is being fetched is not requested again. */
    want: (seqs: readonly number[]): void => {
      for (const seq of seqs) {
        if (events.has(seq) || asked.has(seq)) continue
        asked.add(seq)
        void ask(seq).then((event) => {
          asked.delete(seq)
          if (event === undefined) return
          put(event)
          onFound()
        })
      }
    },
    clear: () => events.clear(),
  }
}

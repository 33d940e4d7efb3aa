import type { BenchEvent } from '../../src-main/core/contract/events.ts'

/** The last whole events that came or were asked for, up to a limit. */
export type EventCache = {
  readonly get: (seq: number) => BenchEvent | undefined
  readonly put: (event: BenchEvent) => void
  /** Asks for those that are not there, each once at a time. */
  readonly want: (seqs: readonly number[]) => void
  readonly clear: () => void
}

/** `ask` reads from where all events are kept; `onFound` is called for each that came from there. */
export const createEventCache = (
  most: number,
  ask: (seq: number) => Promise<BenchEvent | undefined>,
  onFound: () => void,
): EventCache => {
  const events = new Map<number, BenchEvent>()
  const asked = new Set<number>()

  const put = (event: BenchEvent): void => {
    events.set(event.seq, event)
    const [oldest] = events.keys()
    if (events.size > most && oldest !== undefined) events.delete(oldest)
  }

  return {
    get: (seq) => events.get(seq),
    put,
    want: (seqs) => {
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

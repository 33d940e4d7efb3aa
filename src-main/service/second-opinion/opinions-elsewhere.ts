import type { SecondOpinion } from '../../core/contract/judge/verdict.ts'
import type { Clock } from '../../core/protocol/time.ts'

export type RemoteOpinions = {
  /** Called when another process judged a ceremony; it forms its opinion while it is idle. */
  expect(key: string, ask: () => void): void
  take(key: string, opinion: SecondOpinion): void
  /** Waits for an opinion that may still come; undefined if none comes, or none was expected. */
  of(key: string): Promise<SecondOpinion | undefined>
  forget(isOf: (key: string) => boolean): void
}

/** A process that was killed or is busy forms none: callers wait no longer than this after its verdict. */
const PATIENCE_MS = 10_000
const MAX_KEPT = 10_000

type Entry = {
  readonly until: number
  readonly ask: () => void
  readonly waiting: Set<(opinion: SecondOpinion | undefined) => void>
  opinion?: SecondOpinion
}

export const createRemoteOpinions = (wall: Clock): RemoteOpinions => {
  const entries = new Map<string, Entry>()

  const open = (key: string, ask: () => void): Entry => {
    const known = entries.get(key)
    if (known !== undefined) return known
    const made: Entry = { until: wall.now() + PATIENCE_MS, ask, waiting: new Set() }
    entries.set(key, made)
    const [oldest] = entries.keys()
    if (entries.size > MAX_KEPT && oldest !== undefined) remove(oldest)
    return made
  }
  const remove = (key: string): void => {
    for (const resolve of entries.get(key)?.waiting ?? []) resolve(undefined)
    entries.delete(key)
  }

  return {
    expect: (key, ask) => void open(key, ask),
    take: (key, opinion) => {
      const entry = open(key, () => undefined)
      entry.opinion = opinion
      for (const resolve of entry.waiting) resolve(opinion)
    },
    of: async (key) => {
      const entry = entries.get(key)
      if (entry?.opinion !== undefined || entry === undefined || wall.now() >= entry.until) return entry?.opinion
      entry.ask()
      return new Promise((resolve) => {
        const settle = (opinion: SecondOpinion | undefined): void => {
          entry.waiting.delete(settle)
          cancel()
          resolve(opinion)
        }
        const cancel = wall.at(entry.until, () => settle(undefined))
        entry.waiting.add(settle)
      })
    },
    forget: (isOf) => {
      for (const key of [...entries.keys()]) if (isOf(key)) remove(key)
    },
  }
}

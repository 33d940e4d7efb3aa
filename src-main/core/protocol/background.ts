import type { Log } from './log.ts'

/** Work that no request waits for: alarms of the clock, and pushes that an inbox missed. */
export type BackgroundTasks = { run(what: string, task: () => Promise<void>): void; settled(): Promise<void> }

/** Catches errors outside of requests: a bug here is a log line, not the end of the process. */
export const createBackground = (log: Log): BackgroundTasks => {
  const work = new Set<Promise<void>>()
  return {
    run: (what, task) => {
      const done: Promise<void> = task()
        .catch((reason: unknown) => {
          const error = reason instanceof Error ? (reason.stack ?? reason.message) : String(reason)
          log({ level: 'error', event: 'bug', what, error })
        })
        .finally(() => work.delete(done))
      work.add(done)
    },
    settled: async () => {
      while (work.size > 0) await Promise.all(work)
    },
  }
}

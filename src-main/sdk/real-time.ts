import { setTimeout as after } from 'node:timers/promises'

/** Saved at load time: tests with fake timers replace `Date.now`, and signatures need the real time. */
const { now } = Date

/** The SDK runs in the user's program, so it measures real time, not a bench's. */
export const realNow = (): number => now()

/** Rejects with the signal's reason if aborted. Without `keepsProcess`, the process may end during the pause. */
export const pause = async (ms: number, signal?: AbortSignal, { keepsProcess = true } = {}): Promise<void> => {
  signal?.throwIfAborted()
  const options = { ref: keepsProcess, ...(signal === undefined ? {} : { signal }) }
  await after(ms, undefined, options).catch(() => signal?.throwIfAborted())
}

export const settleWithin = async <T>(ms: number, work: Promise<T>): Promise<T | 'late'> => {
  const done = new AbortController()
  const late = after(ms, 'late' as const, { signal: done.signal }).catch(() => 'late' as const)
  try {
    return await Promise.race([work, late])
  } finally {
    done.abort()
  }
}

import { setTimeout as after } from 'node:timers/promises'

/** The SDK runs inside somebody else's program: its time is theirs. */
export const realNow = (): number => Date.now()

/** Rejects with the signal's reason when that comes first. */
export const pause = async (ms: number, signal?: AbortSignal): Promise<void> => {
  signal?.throwIfAborted()
  await after(ms, undefined, signal === undefined ? {} : { signal }).catch(() => signal?.throwIfAborted())
}

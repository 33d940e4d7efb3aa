import type { InboxRef, SharedStore } from '../store/shared-store.ts'
import { createPump } from './pump.ts'

/** Which devices listen, at whichever process: their open inboxes are written down while they are open. */
export type Listeners = {
  /** Resolves when every process can know of it, with what takes it back. */
  arrive(inbox: InboxRef): Promise<() => void>
  of(workspace: string): Promise<ReadonlySet<string>>
  close(): Promise<void>
}

/** A process that does not say for `SILENT_SECONDS` that it is there has no listeners. */
const STAY_MS = 2_000
export const SILENT_SECONDS = 10

const keyOf = ({ workspace, device }: InboxRef): string => `${workspace} ${device}`

export const createListeners = ({ listeners }: Pick<SharedStore, 'listeners'>): Listeners => {
  const open = new Map<string, { readonly inbox: InboxRef; count: number }>()
  /** Those whose row may not say what is so. */
  const unwritten = new Map<string, InboxRef>()
  let writing: Promise<unknown> = Promise.resolve()
  let next: Promise<void> | undefined
  let wrote = false

  const writeAll = async (): Promise<void> => {
    next = undefined
    if (unwritten.size === 0) return
    const inboxes = [...unwritten]
    unwritten.clear()
    wrote = true
    try {
      await listeners.write({
        opened: inboxes.filter(([key]) => open.has(key)).map(([, inbox]) => inbox),
        closed: inboxes.filter(([key]) => !open.has(key)).map(([, inbox]) => inbox),
      })
    } catch (reason) {
      for (const [key, inbox] of inboxes) unwritten.set(key, inbox)
      throw reason
    }
  }
  /** One statement at a time, with everything that changed in between. */
  const write = (): Promise<void> => {
    if (next !== undefined) return next
    next = writing.then(writeAll)
    writing = next.catch(() => undefined)
    return next
  }

  const leave = (inbox: InboxRef): void => {
    const key = keyOf(inbox)
    const entry = open.get(key)
    if (entry === undefined) return
    entry.count -= 1
    if (entry.count > 0) return
    open.delete(key)
    unwritten.set(key, inbox)
    // What cannot be written now is written with the next look.
    write().catch(() => undefined)
  }

  const stay = async (): Promise<void> => {
    if (open.size > 0 && !(await listeners.stay())) for (const [key, { inbox }] of open) unwritten.set(key, inbox)
    await write()
  }
  const pump = createPump({ look: stay, every: () => STAY_MS })

  return {
    arrive: async (inbox) => {
      const key = keyOf(inbox)
      const entry = open.get(key) ?? { inbox, count: 0 }
      entry.count += 1
      open.set(key, entry)
      if (entry.count === 1) unwritten.set(key, inbox)
      let there = true
      const leaveOnce = (): void => {
        if (there) leave(inbox)
        there = false
      }
      try {
        await write()
      } catch (reason) {
        leaveOnce()
        throw reason
      }
      return leaveOnce
    },
    of: (workspace) => listeners.of(workspace, SILENT_SECONDS),
    close: async () => {
      await pump.close()
      await writing
      if (wrote) await listeners.leave().catch(() => undefined)
    },
  }
}

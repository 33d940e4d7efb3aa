import { closeSync, fdatasync, openSync } from 'node:fs'

/** Syncs commits on a separate thread, while other requests go on. */
export type WalSync = {
  /** Resolves when everything committed before this call is on the disk. */
  synced(): Promise<void>
  /** The last sync running or queued, if any: data read before it ends may not be on disk yet. */
  pending(): Promise<void> | undefined
  close(): Promise<void>
}

/** For a database without a file, or one whose commits need not survive a power loss. */
export const noSync: WalSync = {
  synced: () => Promise.resolve(),
  pending: () => undefined,
  close: () => Promise.resolve(),
}

/**
 * Syncs SQLite's write-ahead log. With `synchronous` NORMAL a commit is written but not synced; once synced, it is as
 * durable as under FULL. Only one sync runs at a time: commits made meanwhile share the next one.
 */
export const createWalSync = (log: string): WalSync => {
  let file: number | undefined
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined

  const syncOnce = (): Promise<void> =>
    new Promise((resolve, reject) => {
      // Opened lazily: SQLite creates the log on its first write.
      file ??= openSync(log, 'r+')
      fdatasync(file, (problem) => (problem === null ? resolve() : reject(problem)))
    })

  const start = (): Promise<void> => {
    const mine = syncOnce().finally(() => {
      if (running === mine) running = undefined
    })
    running = mine
    return mine
  }

  const synced = (): Promise<void> => {
    if (running === undefined) return start()
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined
        return start()
      })
    return next
  }

  return {
    synced,
    pending: () => next ?? running,
    close: async () => {
      await (next ?? running)?.catch(() => undefined)
      if (file !== undefined) closeSync(file)
    },
  }
}

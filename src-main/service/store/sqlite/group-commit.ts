import type Database from 'better-sqlite3'
import { createBatcher } from '../../../core/protocol/batcher.ts'
import type { Log } from '../../../core/protocol/log.ts'
import { isDiskRefusal } from '../../../core/protocol/store-unavailable.ts'
import type { WalSync } from '../../../disk/log-sync.ts'

/** Runs a write inside the next transaction; resolves with its result once that is on disk. */
export type Write = <T>(operation: () => T) => Promise<T>

type Waiting = {
  readonly repeatable: boolean
  readonly operation: () => unknown
  readonly resolve: (value: unknown) => void
  readonly reject: (reason: unknown) => void
  value: unknown
  problem: { readonly reason: unknown } | undefined
}

/**
 * Writes of one turn of the event loop share a transaction, since commits are expensive. Each has its own savepoint, so
 * a write that throws undoes only itself. A savepoint makes SQLite copy each page before changing it, so writes that
 * may be run again get savepoints only after one of them has thrown.
 */
export const createGroupCommit = (
  db: Database.Database,
  {
    sync,
    outage,
    undone,
  }: { readonly sync: Pick<WalSync, 'synced'>; readonly outage: DiskOutage; readonly undone: () => void },
) => {
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  const savepoint = db.prepare('SAVEPOINT one')
  const release = db.prepare('RELEASE one')
  const undo = db.prepare('ROLLBACK TO one')

  const transact = (batch: readonly Waiting[], run: (entry: Waiting) => void): void => {
    try {
      begin.run()
      for (const entry of batch) run(entry)
      commit.run()
    } catch (reason) {
      if (db.inTransaction) db.exec('ROLLBACK')
      undone()
      throw reason
    }
  }

  /** An error undoes only this write. */
  const runApart = (entry: Waiting): void => {
    savepoint.run()
    try {
      run(entry)
    } catch (reason) {
      // Some disk errors end the whole transaction.
      if (!db.inTransaction) throw reason
      undo.run()
      undone()
      outage.refused(reason)
      entry.problem = { reason }
    }
    release.run()
  }

  const runTogether = (batch: readonly Waiting[]): boolean => {
    for (const { repeatable } of batch) if (!repeatable) return false
    try {
      transact(batch, run)
      return true
    } catch {
      return false
    }
  }

  const { add, flush } = createBatcher<Waiting>(setImmediate, (batch) => {
    const refuseAll = (reason: unknown): void => {
      outage.refused(reason)
      for (const entry of batch) entry.reject(reason)
    }
    try {
      if (!runTogether(batch)) transact(batch, runApart)
    } catch (reason) {
      refuseAll(reason)
      return
    }
    sync.synced().then(() => {
      let refused = false
      for (const { problem, value, resolve, reject } of batch) {
        if (problem === undefined) resolve(value)
        else reject(problem.reason)
        refused ||= problem !== undefined
      }
      if (!refused) outage.written()
    }, refuseAll)
  })

  const writer =
    (repeatable: boolean): Write =>
    (operation) =>
      new Promise((resolve, reject) => {
        const done = resolve as Waiting['resolve']
        add({ repeatable, operation, resolve: done, reject, value: undefined, problem: undefined })
      })

  return {
    write: writer(false),
    /** For operations that change only rows and their cache: they may be undone and run again. */
    rewrite: writer(true),
    flush,
  }
}

const run = (entry: Waiting): void => {
  entry.value = entry.operation()
}

/** Logs one line when the disk begins to refuse writes, however many fail, and one when it accepts them again. */
export type DiskOutage = { refused(reason: unknown): void; written(): void }

export const createDiskOutage = (log: Log): DiskOutage => {
  let out = false
  return {
    refused: (reason) => {
      if (out || !isDiskRefusal(reason)) return
      out = true
      log({ level: 'error', event: 'store not written', code: reason.code, error: reason.message })
    },
    written: () => {
      if (!out) return
      out = false
      log({ level: 'info', event: 'store written again' })
    },
  }
}

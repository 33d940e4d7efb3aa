import type Database from 'better-sqlite3'
import { createBatcher } from '../../../core/protocol/batcher.ts'
import type { Log } from '../../../core/protocol/log.ts'
import { isDiskRefusal } from '../../../core/protocol/store-unavailable.ts'
import type { LogSync } from '../../../disk/log-sync.ts'

/**
 * Runs a write inside the next transaction; resolves with its result once that is on disk. One that is `repeatable`
 * changes nothing but rows and the memory of them, so that it may be undone and run again.
 */
export type Write = <T>(operation: () => T, how?: { readonly repeatable: true }) => Promise<T>

type Waiting = {
  readonly repeatable: boolean
  readonly run: () => void
  /** An error undoes nothing but this write. */
  readonly runApart: () => void
  readonly commit: () => void
  readonly refuse: (reason: unknown) => void
}

/**
 * Writes of one turn of the event loop share one transaction: it is the commit that costs, not the rows. One that throws
 * takes nothing else with it, for each has its own savepoint. Under a savepoint SQLite copies every page before it
 * changes, so that writes that may be run again have one only when any of them has thrown.
 */
export const groupCommit = (
  db: Database.Database,
  {
    sync,
    outage,
    undone,
  }: {
    readonly sync: Pick<LogSync, 'synced'>
    readonly outage: DiskOutage
    /** Called when writes are rolled back. */
    readonly undone: () => void
  },
): { readonly write: Write; flush(): void } => {
  const [begin, commit, savepoint, release, undo] = [
    'BEGIN IMMEDIATE',
    'COMMIT',
    'SAVEPOINT one',
    'RELEASE one',
    'ROLLBACK TO one',
  ].map((text) => db.prepare(text)) as [Statement, Statement, Statement, Statement, Statement]

  let refused = false

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

  const runTogether = (batch: readonly Waiting[]): boolean => {
    if (!batch.every(({ repeatable }) => repeatable)) return false
    try {
      transact(batch, (entry) => entry.run())
      return true
    } catch {
      return false
    }
  }

  const { add, flush } = createBatcher<Waiting>(setImmediate, (batch) => {
    refused = false
    const refuseAll = (reason: unknown): void => {
      outage.refused(reason)
      for (const entry of batch) entry.refuse(reason)
    }
    try {
      if (!runTogether(batch)) transact(batch, (entry) => entry.runApart())
    } catch (reason) {
      refuseAll(reason)
      return
    }
    const all = !refused
    sync.synced().then(() => {
      if (all) outage.written()
      for (const entry of batch) entry.commit()
    }, refuseAll)
  })

  const write: Write = (operation, how) =>
    new Promise((resolve, reject) => {
      let settle: () => void = () => {}
      const run = (): void => {
        const value = operation()
        settle = () => resolve(value)
      }
      const runApart = (): void => {
        savepoint.run()
        try {
          run()
        } catch (reason) {
          // Some refusals of the disk end the whole transaction.
          if (!db.inTransaction) throw reason
          undo.run()
          undone()
          refused = true
          outage.refused(reason)
          settle = () => reject(reason)
        }
        release.run()
      }
      add({ repeatable: how?.repeatable === true, run, runApart, commit: () => settle(), refuse: reject })
    })

  return { write, flush }
}

type Statement = Database.Statement<[]>

/** One line when the disk begins to refuse, however many writes it refuses, and one when it takes them again. */
export type DiskOutage = {
  refused(reason: unknown): void
  written(): void
}

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

import type Database from 'better-sqlite3'
import { createBatcher } from '../../../protocol/batcher.ts'
import type { DiskOutage } from '../disk-outage.ts'
import type { LogSync } from './log-sync.ts'

/** Runs a write inside the next transaction; resolves with its result once that is on disk. */
export type Write = <T>(operation: () => T) => Promise<T>

type Waiting = {
  readonly run: () => void
  readonly commit: () => void
  readonly refuse: (reason: unknown) => void
}

/**
 * Writes of one turn of the event loop share one transaction: it is the commit that costs, not the rows. Each write has
 * its own savepoint, so that one that throws takes nothing else with it.
 */
export const groupCommit = (
  db: Database.Database,
  { sync, outage }: { readonly sync: Pick<LogSync, 'synced'>; readonly outage: DiskOutage },
): { readonly write: Write; flush(): void } => {
  const [begin, commit, savepoint, release, undo] = [
    'BEGIN IMMEDIATE',
    'COMMIT',
    'SAVEPOINT one',
    'RELEASE one',
    'ROLLBACK TO one',
  ].map((text) => db.prepare(text)) as [Statement, Statement, Statement, Statement, Statement]

  let refused = false

  const { add, flush } = createBatcher<Waiting>(setImmediate, (batch) => {
    refused = false
    const refuseAll = (reason: unknown): void => {
      outage.refused(reason)
      for (const entry of batch) entry.refuse(reason)
    }
    try {
      begin.run()
      for (const entry of batch) entry.run()
      commit.run()
    } catch (reason) {
      if (db.inTransaction) db.exec('ROLLBACK')
      refuseAll(reason)
      return
    }
    const all = !refused
    sync.synced().then(() => {
      if (all) outage.written()
      for (const entry of batch) entry.commit()
    }, refuseAll)
  })

  const write: Write = (operation) =>
    new Promise((resolve, reject) => {
      let settle: () => void = () => {}
      add({
        run: () => {
          savepoint.run()
          try {
            const value = operation()
            settle = () => resolve(value)
          } catch (reason) {
            // Some refusals of the disk end the whole transaction.
            if (!db.inTransaction) throw reason
            undo.run()
            refused = true
            outage.refused(reason)
            settle = () => reject(reason)
          }
          release.run()
        },
        commit: () => settle(),
        refuse: reject,
      })
    })

  return { write, flush }
}

type Statement = Database.Statement<[]>

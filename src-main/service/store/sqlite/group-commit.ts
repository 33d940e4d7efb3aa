import type Database from 'better-sqlite3'
import { gather } from '../../../protocol/gather.ts'

/** Runs a write inside the next transaction; resolves with its result once that is on disk. */
export type Write = <T>(operation: () => T) => Promise<T>

type Waiting = {
  readonly run: () => void
  readonly commit: () => void
  readonly refuse: (reason: unknown) => void
}

/**
 * Writes of one turn of the event loop share one transaction: with synchronous=FULL it is the commit that costs, not
 * the rows. Each write has its own savepoint, so that one that throws takes nothing else with it.
 */
export const groupCommit = (db: Database.Database): { readonly write: Write; flush(): void } => {
  const { add, flush } = gather<Waiting>(setImmediate, (batch) => {
    try {
      db.exec('BEGIN IMMEDIATE')
      for (const entry of batch) entry.run()
      db.exec('COMMIT')
    } catch (reason) {
      if (db.inTransaction) db.exec('ROLLBACK')
      for (const entry of batch) entry.refuse(reason)
      return
    }
    for (const entry of batch) entry.commit()
  })

  const write: Write = (operation) =>
    new Promise((resolve, reject) => {
      let settle: () => void = () => {}
      add({
        run: () => {
          db.exec('SAVEPOINT one')
          try {
            const value = operation()
            settle = () => resolve(value)
          } catch (reason) {
            db.exec('ROLLBACK TO one')
            settle = () => reject(reason)
          }
          db.exec('RELEASE one')
        },
        commit: () => settle(),
        refuse: reject,
      })
    })

  return { write, flush }
}

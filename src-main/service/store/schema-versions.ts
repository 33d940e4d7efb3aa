import { existsSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { StartProblem } from '../../core/contract/start-problems.ts'
import { schemaVersion } from '../../core/protocol/migrate.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { systemRefusal } from '../../disk/system-refusal.ts'
import { readPostgresVersion } from './postgres/connect.ts'
import type { PostgresLocation } from './postgres/location.ts'
import { migrations as postgresMigrations } from './postgres/migrations.ts'
import { migrations as sqliteMigrations } from './sqlite/migrations.ts'

/** Of a database and of this program. 0: nothing is there yet. */
export type SchemaVersions = { readonly there: number; readonly known: number }

export type Kept = { readonly directory: string } | { readonly database: PostgresLocation }

/** Reads them and changes nothing. */
export const readSchemaVersions = async (kept: Kept): Promise<Result<SchemaVersions, StartProblem>> => {
  if ('database' in kept) {
    const there = await readPostgresVersion(kept.database)
    return there.ok ? ok({ there: there.value, known: postgresMigrations.length }) : there
  }
  const there = readSqliteVersion(join(kept.directory, 'handset.db'))
  return there.ok ? ok({ there: there.value, known: sqliteMigrations.length }) : there
}

const readSqliteVersion = (file: string): Result<number, StartProblem> => {
  if (!existsSync(file)) return ok(0)
  try {
    const db = new Database(file, { readonly: true })
    try {
      return ok(schemaVersion(db))
    } finally {
      db.close()
    }
  } catch (reason) {
    const cause = systemRefusal(reason)
    if (cause === undefined) throw reason
    return err({ code: 'database_unreadable', params: { file, cause } })
  }
}

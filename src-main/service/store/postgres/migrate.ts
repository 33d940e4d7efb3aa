import { err, ok, type Result } from '../../../core/protocol/result.ts'
import type { Ask, Database } from './database.ts'
import { migrations } from './migrations.ts'

/**
 * Applies every migration that the schema lacks, all in one transaction, one process at a time. One that knows more
 * migrations than this program is refused untouched. The lock is the transaction's: a pooler keeps no other.
 */
export const migrate = (
  database: Database,
  schema: string,
  known: readonly string[] = migrations,
): Promise<Result<void, { readonly version: number; readonly known: number }>> =>
  database.migrate(async (ask) => {
    await ask("SELECT pg_advisory_xact_lock(hashtext('handset'), hashtext(?))", [schema])
    const version = await schemaVersion(ask, schema)
    if (version > known.length) return err({ version, known: known.length })
    if (version === known.length) return ok(undefined)
    await ask(`CREATE SCHEMA IF NOT EXISTS ${schema}`)
    await ask(`SET LOCAL search_path TO ${schema}`)
    await ask('CREATE TABLE IF NOT EXISTS migrations (version BIGINT PRIMARY KEY, applied_at TIMESTAMPTZ NOT NULL)')
    for (const [index, migration] of known.entries()) {
      if (index < version) continue
      for (const statement of migration.split(';')) if (statement.trim() !== '') await ask(statement)
      await ask('INSERT INTO migrations (version, applied_at) VALUES (?, now())', [index + 1])
    }
    return ok(undefined)
  })

/** 0: no schema yet. */
export const schemaVersion = async (ask: Ask, schema: string): Promise<number> => {
  const table = await ask('SELECT to_regclass(?) IS NOT NULL AS there', [`${schema}.migrations`])
  if (table.rows[0]?.there !== true) return 0
  const { rows } = await ask(`SELECT coalesce(max(version), 0) AS version FROM ${schema}.migrations`)
  return Number(rows[0]?.version)
}

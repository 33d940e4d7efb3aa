import Database from 'better-sqlite3'

/** What the disk or the file refused, as against a bug: full, read-only, broken. */
export const isStorageFailure = (reason: unknown): reason is Error =>
  reason instanceof Database.SqliteError || (reason instanceof Error && 'syscall' in reason)

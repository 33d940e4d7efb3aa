/** The schema operations of an SQLite database. */
type Database = {
  pragma(source: string, options?: { readonly simple?: boolean }): unknown
  exec(source: string): unknown
  transaction(work: () => void): () => void
}

/** Number of migrations already applied to the database. */
export const schemaVersion = (db: Database): number => Number(db.pragma('user_version', { simple: true }))

/** Applies the missing migrations in order, each in a transaction. A released migration is never edited. */
export const migrate = (db: Database, migrations: readonly string[]): void => {
  const seen = schemaVersion(db)
  for (const [index, migration] of migrations.entries()) {
    if (index < seen) continue
    db.transaction(() => {
      db.exec(migration)
      db.pragma(`user_version = ${index + 1}`)
    })()
  }
}

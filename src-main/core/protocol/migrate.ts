/** The schema operations of an SQLite database. */
type Database = {
  pragma(source: string, options?: { readonly simple?: boolean }): unknown
  exec(source: string): unknown
  transaction(work: () => void): () => void
}

/** How many migrations the database has seen. */
export const schemaVersion = (db: Database): number => Number(db.pragma('user_version', { simple: true }))

/** Applies those it has not seen, in order, each whole or not at all. A migration is never edited once it was released. */
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

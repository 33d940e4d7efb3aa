type Database = {
  pragma(source: string, options?: { readonly simple?: boolean }): unknown
  exec(source: string): unknown
  transaction(work: () => void): () => void
}

export const schemaVersion = (db: Database): number => Number(db.pragma('user_version', { simple: true }))

/** Each migration has its own transaction. A released migration is never edited. */
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

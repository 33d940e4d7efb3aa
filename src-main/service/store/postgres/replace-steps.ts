import type { ReplaceSteps } from '../replace-rows.ts'
import { checkRow, type RowPlace, rowConflict } from '../row-problems.ts'
import { columnsOf, stateTables, type TableName } from '../tables.ts'
import type { Database } from './database.ts'
import type { RowKeys } from './row-keys.ts'
import { toSafeText } from './safe-text.ts'
import { isConstraint } from './store-errors.ts'

const DELETED_AT_ONCE = 2_000

/** The column after the workspace in the key of a table, where it is not `id`. */
const SECOND_OF_KEY: Partial<Record<TableName, string>> = {
  settings: 'name',
  credentials: 'rp',
  pushes: 'device',
  vault: 'account',
}

export const replaceSteps = (database: Database, keys: RowKeys): ReplaceSteps => ({
  keyOf: keys.of,

  reserve: async () => {
    const text = `INSERT INTO unused_rows (row_key) SELECT '#' || nextval('row_keys') RETURNING row_key`
    return String((await database.ask(text)).rows[0]?.row_key)
  },

  writeSlice: async (key, slice) => {
    for (const place of slice) checkRow(place)
    for (const places of byTable(slice)) {
      try {
        await insertRows(database, key, places)
      } catch (reason) {
        if (!isConstraint(reason)) throw reason
        await findConflict(database, key, places)
        throw reason
      }
    }
  },

  give: async (key, workspace, { isWanted, switched }) => {
    if (isWanted?.() === false) return false
    const given = await database.transaction(async (ask) => {
      const before = (await ask('SELECT row_key FROM workspaces WHERE id = ? FOR UPDATE', [workspace])).rows[0]
      if (before === undefined) return false
      const next = "row_key = ?, emptied = nextval('versions'), version = nextval('versions')"
      await ask(`UPDATE workspaces SET ${next} WHERE id = ?`, [key, workspace])
      await ask('INSERT INTO unused_rows (row_key) VALUES (?)', [String(before.row_key)])
      await ask('DELETE FROM unused_rows WHERE row_key = ?', [key])
      return true
    })
    if (!given) return false
    keys.learn(workspace, key)
    switched?.()
    return true
  },

  unused: async () =>
    (await database.ask('SELECT row_key FROM unused_rows ORDER BY rowid')).rows.map((row) => String(row.row_key)),

  clearSome: async (key) => {
    let left = DELETED_AT_ONCE
    for (const table of stateTables) {
      // In the order of the key, or a LIMIT would lead the planner to read the whole table for each slice.
      const some = `SELECT ctid FROM ${table} WHERE workspace = ? ORDER BY ${SECOND_OF_KEY[table] ?? 'id'} LIMIT ?`
      left -= (await database.ask(`DELETE FROM ${table} WHERE ctid = ANY(ARRAY(${some}))`, [key, left])).changes
    }
    if (left <= 0) return true
    await database.ask('DELETE FROM request_counts WHERE workspace = ?', [key])
    await database.ask('DELETE FROM unused_rows WHERE row_key = ?', [key])
    return false
  },
})

/** Groups neighbours of one table. */
const byTable = (slice: readonly RowPlace[]): readonly (readonly RowPlace[])[] => {
  const groups = new Map<TableName, RowPlace[]>()
  for (const place of slice) groups.set(place.table, [...(groups.get(place.table) ?? []), place])
  return [...groups.values()]
}

const insertRows = async (database: Database, key: string, places: readonly RowPlace[]): Promise<void> => {
  const table = places[0]?.table
  if (table === undefined) return
  const columns = columnsOf(table).join(', ')
  const rows = places.map(({ row }) =>
    Object.fromEntries(Object.entries(row).map(([column, value]) => [column, toSafeText(value)])),
  )
  await database.ask(
    `INSERT INTO ${table} (workspace, ${columns}) SELECT ?::text, ${columns} FROM json_populate_recordset(NULL::${table}, ?)`,
    [key, JSON.stringify(rows)],
  )
}

/** Inserts each alone, to name the one that does not fit; all are under a key that is not read. */
const findConflict = async (database: Database, key: string, places: readonly RowPlace[]): Promise<void> => {
  for (const place of places) {
    try {
      await insertRows(database, key, [place])
    } catch (reason) {
      throw isConstraint(reason) ? rowConflict(place, reason) : reason
    }
  }
}

import type { ReplaceSteps } from '../replace-rows.ts'
import { stateTables } from '../tables.ts'
import type { Write } from './group-commit.ts'
import type { RowKeys } from './row-keys.ts'
import { writeRow } from './rows.ts'
import type { Sql } from './sql.ts'

type Parts = { readonly sql: Sql; readonly write: Write; readonly flush: () => void; readonly keys: RowKeys }

const DELETED_AT_ONCE = 200

export const replaceSteps = ({ sql, write, flush, keys }: Parts): ReplaceSteps => {
  const clearSome = (key: string): boolean => {
    let left = DELETED_AT_ONCE
    for (const table of stateTables) {
      const text = `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE workspace = ? LIMIT ?)`
      left -= sql.run(text)(key, left)
    }
    if (left > 0) keys.cleared(key)
    return left === 0
  }
  return {
    keyOf: keys.of,
    reserve: () => write(keys.reserve),
    writeSlice: (key, slice) =>
      write(() => {
        for (const place of slice) writeRow(sql, key, place)
      }),
    // At once, with the pending writes before it: later readers find the new rows.
    give: async (key, workspace, { isWanted, switched }) => {
      const given = write(() => {
        if (isWanted?.() === false || !keys.give(key, workspace)) return false
        switched?.()
        return true
      })
      flush()
      try {
        return await given
      } catch (reason) {
        keys.readAgain()
        throw reason
      }
    },
    unused: async () => keys.unused(),
    clearSome: (key) => write(() => clearSome(key)),
  }
}

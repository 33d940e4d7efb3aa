import type { Rows } from '../records.ts'
import { checkRow, type RowPlace, rowConflict } from '../row-problems.ts'
import { stateTables } from '../tables.ts'
import type { Sql } from './sql.ts'

/** All rows of a workspace as they are stored, without the workspace's name: they may become another's. */
export const readRows = (sql: Sql, workspace: string, tables: readonly string[] = stateTables): Rows =>
  Object.fromEntries(
    stateTables.filter((table) => tables.includes(table)).map((table) => [table, sql.rows(table)(workspace)]),
  )

export const writeRow = (sql: Sql, key: string, place: RowPlace): void => {
  checkRow(place)
  try {
    sql.insertRow(place.table)(key, place.row)
  } catch (reason) {
    if (!isConstraint(reason)) throw reason
    throw rowConflict(place, reason)
  }
}

/** A row that breaks a rule of its table, as against a disk that takes none. */
const isConstraint = (reason: unknown): reason is Error =>
  reason instanceof Error && 'code' in reason && String(reason.code).startsWith('SQLITE_CONSTRAINT')

import type { Rows } from '../records.ts'
import type { Sql } from './sql.ts'
import { jsonColumns, stateTables, type TableName, tables } from './tables.ts'

/** All rows of a workspace as they are stored, without the workspace's name: they may become another's. */
export const readRows = (sql: Sql, workspace: string, tables: readonly string[] = stateTables): Rows =>
  Object.fromEntries(
    stateTables.filter((table) => tables.includes(table)).map((table) => [table, sql.rows(table, workspace)]),
  )

export const writeRows = (sql: Sql, workspace: string, rows: Rows): void => {
  for (const table of stateTables) {
    sql.run(`DELETE FROM ${table} WHERE workspace = ?`, workspace)
    for (const row of rows[table] ?? []) sql.insertRow(table, workspace, row)
  }
}

/** A sentence about the first thing in it that no table has, or undefined. */
export const misfit = (rows: Rows): string | undefined => {
  for (const [name, list] of Object.entries(rows)) {
    if (!isStateTable(name)) return `There is no table "${name}".`
    const columns: readonly string[] = tables[name].columns
    for (const row of list) {
      const stray = Object.keys(row).find((column) => !columns.includes(column))
      if (stray !== undefined) return `Table "${name}" has no column "${stray}".`
      const broken = documentColumns(name).find((column) => !isJson(row[column] ?? null))
      if (broken !== undefined) return `Table "${name}" has a row whose "${broken}" is not JSON.`
    }
  }
  return undefined
}

/** What is read back with JSON.parse; a setting's value is a document as well. */
const documentColumns = (name: TableName): readonly string[] => (name === 'settings' ? ['value'] : jsonColumns(name))

const isJson = (value: string | number | null): boolean => {
  if (value === null) return true
  try {
    JSON.parse(String(value))
    return true
  } catch {
    return false
  }
}

const isStateTable = (name: string): name is TableName => (stateTables as readonly string[]).includes(name)

import type { FieldProblem } from '../../../protocol/field-problem.ts'
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
    for (const [index, row] of (rows[table] ?? []).entries()) {
      try {
        sql.insertRow(table, workspace, row)
      } catch (reason) {
        if (!isConstraint(reason)) throw reason
        throw new RowMisfit({
          field: `tables.${table}[${index}]`,
          text: `It does not fit the other rows: ${reason.message}.`,
        })
      }
    }
  }
}

/** The first thing in it that no table has, or undefined. */
export const misfit = (rows: Rows): FieldProblem | undefined => {
  for (const [name, list] of Object.entries(rows)) {
    if (!isStateTable(name)) return { field: `tables.${name}`, text: 'There is no such table.' }
    const columns: readonly string[] = tables[name].columns
    for (const [index, row] of list.entries()) {
      const at = (column: string): string => `tables.${name}[${index}].${column}`
      const stray = Object.keys(row).find((column) => !columns.includes(column))
      if (stray !== undefined) return { field: at(stray), text: 'There is no such column.' }
      const broken = documentColumns(name).find((column) => !isJson(row[column] ?? null))
      if (broken !== undefined) return { field: at(broken), text: 'It is not JSON.' }
    }
  }
  return undefined
}

/** Ends the transaction of the rows before it. */
export class RowMisfit extends Error {
  readonly problem: FieldProblem
  constructor(problem: FieldProblem) {
    super(problem.text)
    this.problem = problem
  }
}

/** A row that breaks a rule of its table, as against a disk that takes none. */
const isConstraint = (reason: unknown): reason is Error =>
  reason instanceof Error && 'code' in reason && String(reason.code).startsWith('SQLITE_CONSTRAINT')

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

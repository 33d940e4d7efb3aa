import { type FieldProblem, within } from '../../core/contract/errors.ts'
import type { Rows } from './store.ts'
import { jsonColumns, stateTables, type TableName, tables } from './tables.ts'

/** A row and where it is in its document. */
export type RowPlace = { readonly table: TableName; readonly index: number; readonly row: Rows[string][number] }

/** Ends the write of the rows before it. */
export class RowMisfit extends Error {
  readonly problem: FieldProblem
  constructor(problem: FieldProblem) {
    super(problem.code)
    this.problem = problem
  }
}

export const strayTable = (rows: Rows): FieldProblem | undefined => {
  const stray = Object.keys(rows).find((name) => !isStateTable(name))
  return stray === undefined
    ? undefined
    : { code: 'field_unknown', params: { field: `tables.${stray}`, known: stateTables } }
}

/** Checks that the database lacks: no unknown columns, no documents that are not JSON. */
export const checkRow = ({ table, row, index }: RowPlace): void => {
  const problem = misfit(table, row)
  if (problem !== undefined) throw new RowMisfit(within(`tables.${table}[${index}]`, problem))
}

/** The row breaks a rule of its table. */
export const rowConflict = ({ table, index }: RowPlace, { message }: Error): RowMisfit =>
  new RowMisfit({ code: 'row_conflicts', params: { field: `tables.${table}[${index}]`, message } })

const misfit = (table: TableName, row: Rows[string][number]): FieldProblem | undefined => {
  const columns: readonly string[] = tables[table].columns
  const stray = Object.keys(row).find((column) => !columns.includes(column))
  if (stray !== undefined) return { code: 'field_unknown', params: { field: stray, known: columns } }
  const broken = documentColumns(table).find((column) => !isJson(row[column] ?? null))
  return broken === undefined
    ? undefined
    : { code: 'field_unfit', params: { field: broken, expected: { code: 'json' } } }
}

/** Columns that JSON.parse reads; a setting's value is a document as well. */
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

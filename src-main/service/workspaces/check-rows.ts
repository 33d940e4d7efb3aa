import type { Expected } from '../../core/contract/expected.ts'
import { type FieldProblem, within } from '../../core/contract/reasons.ts'
import { isObject } from '../../core/protocol/json.ts'
import type { Steps } from '../../core/protocol/slices.ts'
import { type Cell, type ColumnRule, references, relationProblem, rowRules, uniqueKeys } from './row-rules.ts'

const TABLES = Object.keys(rowRules)

const unfit = (field: string, expected: Expected): FieldProblem => ({
  code: 'field_unfit',
  params: { field, expected },
})

/** The first value in a workspace's rows that could not have been made here, with its field. */
export function* rowsProblem(
  tables: Readonly<Record<string, unknown>>,
  among: readonly string[] = TABLES,
): Steps<FieldProblem | undefined> {
  for (const [table, rows] of Object.entries(tables)) {
    const rules = Object.hasOwn(rowRules, table) ? rowRules[table] : undefined
    if (rules === undefined) return { code: 'field_unknown', params: { field: `tables.${table}`, known: TABLES } }
    if (!Array.isArray(rows)) return unfit(`tables.${table}`, { code: 'list' })
    const repeated = repetitionIn(table)
    for (const [i, row] of rows.entries()) {
      const problem = rowProblem(table, rules, row) ?? repeated(row as Row, i)
      if (problem !== undefined) return within(`tables.${table}[${i}]`, problem)
      yield costOf(row as Row)
    }
  }
  return yield* referenceProblem(tables as Tables, among)
}

/** Keys and certificates are read, however short the row. */
const ROW_COST = 2_000

const costOf = (row: Row): number => {
  let cost = ROW_COST
  for (const cell of Object.values(row)) if (typeof cell === 'string') cost += cell.length
  return cost
}

type Row = Readonly<Record<string, Cell>>

/** Called with one row after the other: the problem if an earlier one has the same key. */
const repetitionIn = (table: string): ((row: Row, index: number) => FieldProblem | undefined) => {
  const keys = (uniqueKeys[table] ?? []).map((columns) => ({ columns, seen: new Map<string, number>() }))
  return (row, index) => {
    for (const { columns, seen } of keys) {
      const key = columns.map((column) => JSON.stringify(row[column])).join(', ')
      const before = seen.get(key)
      if (before !== undefined) {
        const params = { field: columns.at(-1) ?? '', other: `tables.${table}[${before}]`, value: key }
        return { code: 'field_repeats', params }
      }
      seen.set(key, index)
    }
    return undefined
  }
}

type Tables = Readonly<Record<string, readonly Row[]>>

const rowProblem = (
  table: string,
  rules: Readonly<Record<string, ColumnRule>>,
  row: unknown,
): FieldProblem | undefined => {
  if (!isObject(row)) return unfit('', { code: 'object' })
  const cells = row as Row
  const stray = Object.keys(cells).find((column) => !Object.hasOwn(rules, column))
  if (stray !== undefined) return { code: 'field_unknown', params: { field: stray, known: Object.keys(rules) } }
  for (const [column, { expected, fits }] of Object.entries(rules)) {
    if (!fits(cells[column])) return unfit(column, expected)
  }
  const unrelated = relationProblem(table, cells)
  return unrelated === undefined ? undefined : unfit(unrelated, { code: 'fit_for_row' })
}

function* referenceProblem(tables: Tables, among: readonly string[]): Steps<FieldProblem | undefined> {
  for (const [table, column, target] of references) {
    if (!among.includes(table) || !among.includes(target)) continue
    const there = new Set<Cell>()
    for (const { id } of tables[target] ?? []) {
      there.add(id)
      yield REFERENCE_COST
    }
    for (const [i, row] of (tables[table] ?? []).entries()) {
      if (!there.has(row[column])) {
        return unfit(`tables.${table}[${i}].${column}`, { code: 'row_of', params: { table: target } })
      }
      yield REFERENCE_COST
    }
  }
  return undefined
}

const REFERENCE_COST = 20

/** The tables that are read when a workspace is opened: few rows, without which nothing of it can work. */
export const HEAD_TABLES = ['settings', 'rps', 'access_keys', 'roots'] as const

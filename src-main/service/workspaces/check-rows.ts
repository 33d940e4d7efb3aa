import type { FieldProblem } from '../../protocol/field-problem.ts'
import { isObject } from '../../protocol/json.ts'
import type { Steps } from '../../protocol/slices.ts'
import { type Cell, type ColumnRule, references, relationProblem, rowRules, uniqueKeys } from './row-rules.ts'

/** The first thing in a workspace's rows by which they could not have been made here, with the field it stands in. */
export function* rowsProblem(
  tables: Readonly<Record<string, unknown>>,
  among: readonly string[] = Object.keys(rowRules),
): Steps<FieldProblem | undefined> {
  for (const [table, rows] of Object.entries(tables)) {
    const rules = Object.hasOwn(rowRules, table) ? rowRules[table] : undefined
    if (rules === undefined) return { field: `tables.${table}`, text: 'There is no such table.' }
    if (!Array.isArray(rows)) return { field: `tables.${table}`, text: 'Expected a list of rows.' }
    const repeated = repetitionIn(table)
    for (const [i, row] of rows.entries()) {
      const problem = rowProblem(table, rules, row) ?? repeated(row as Row, i)
      if (problem !== undefined) return { ...problem, field: `tables.${table}[${i}]${problem.field}` }
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

/** Told of one row after the other: whether one before it has the same key. */
const repetitionIn = (table: string): ((row: Row, index: number) => FieldProblem | undefined) => {
  const keys = (uniqueKeys[table] ?? []).map((columns) => ({ columns, seen: new Map<string, number>() }))
  return (row, index) => {
    for (const { columns, seen } of keys) {
      const key = columns.map((column) => JSON.stringify(row[column])).join(', ')
      const before = seen.get(key)
      if (before !== undefined) {
        return {
          field: `.${columns.at(-1)}`,
          text: `Row ${before} of "${table}" has the same ${columns.join(' and ')}: ${key}.`,
        }
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
  if (!isObject(row)) return { field: '', text: 'Expected an object.' }
  const cells = row as Row
  const stray = Object.keys(cells).find((column) => !Object.hasOwn(rules, column))
  if (stray !== undefined) return { field: `.${stray}`, text: 'There is no such column.' }
  for (const [column, { wanted, fits }] of Object.entries(rules)) {
    if (!fits(cells[column])) return { field: `.${column}`, text: `Expected ${wanted}.` }
  }
  const unrelated = relationProblem(table, cells)
  return unrelated === undefined ? undefined : { field: `.${unrelated}`, text: 'It does not fit the rest of its row.' }
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
        return { field: `tables.${table}[${i}].${column}`, text: `There is no such row in "${target}".` }
      }
      yield REFERENCE_COST
    }
  }
  return undefined
}

const REFERENCE_COST = 20

/** The tables that are read when a workspace is opened: few rows, without which nothing of it can work. */
export const HEAD_TABLES = ['settings', 'rps', 'access_keys', 'roots'] as const

import type { PlainRows } from '../plain-tables.ts'
import { allOf } from '../statements.ts'
import type { Sql } from './sql.ts'

export const plainRows = (sql: Sql): PlainRows => ({
  get:
    (table, ...columns) =>
    (workspace, ...values) =>
      sql.one(table, `SELECT * FROM ${table} WHERE ${allOf(['workspace', ...columns])}`, [workspace, ...values]),
  list:
    (table, columns = [], selected = '*') =>
    (workspace, ...values) => {
      const text = `SELECT ${selected} FROM ${table} WHERE ${allOf(['workspace', ...columns])} ORDER BY rowid`
      return sql.all(table, text, [workspace, ...values])
    },
  insert: (table) => (workspace, record) => sql.insert(table, workspace, record),
  insertWith: (table, needs, idOf) => (workspace, record) =>
    sql.insert(table, workspace, record, { table: needs, id: idOf(record) }),
  change:
    (text) =>
    async (...values) =>
      (await sql.run(text, values)) === 1,
})

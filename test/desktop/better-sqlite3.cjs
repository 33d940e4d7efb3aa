// @ts-nocheck: libsql is in .ci/desktop alone.
// In the place of better-sqlite3, which is built for a newer Node than Electron 33 has: libsql, with what differs put right.
const Database = require('libsql')

const asBuffer = (value) => (value instanceof ArrayBuffer ? Buffer.from(value) : value)
const asRow = (row) => {
  if (Array.isArray(row)) return row.map(asBuffer)
  if (typeof row !== 'object' || row === null) return row
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, asBuffer(value)]))
}
const asParameter = (value) =>
  value instanceof Uint8Array && !Buffer.isBuffer(value)
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : value
const isNamed = (value) => typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)
const asParameters = (given) =>
  given.flat().map((each) =>
    isNamed(each) ? Object.fromEntries(Object.entries(each).map(([name, value]) => [name, asParameter(value)])) : asParameter(each),
  )

class Statement {
  #inner
  #plucks = false
  constructor(inner, source) {
    this.#inner = inner
    this.source = source
    this.reader = inner.columns().length > 0
    this.readonly = /^\s*(SELECT|PRAGMA|EXPLAIN|VALUES)\b/i.test(source)
  }
  pluck() {
    this.#plucks = true
    return this
  }
  raw() {
    this.#inner.raw()
    return this
  }
  #given(row) {
    const made = asRow(row)
    return this.#plucks && made !== undefined ? Object.values(made)[0] : made
  }
  run(...given) {
    return this.#inner.run(...asParameters(given))
  }
  get(...given) {
    return this.#given(this.#inner.get(...asParameters(given)))
  }
  *iterate(...given) {
    for (const row of this.#inner.iterate(...asParameters(given))) yield this.#given(row)
  }
  all(...given) {
    return [...this.iterate(...given)]
  }
}

module.exports = class extends Database {
  constructor(file, options) {
    try {
      super(file, options)
    } catch (reason) {
      throw new Database.SqliteError(reason.message, reason.code ?? 'SQLITE_CANTOPEN', 14)
    }
  }
  prepare(source) {
    return new Statement(super.prepare(source), source)
  }
  pragma(source, { simple = false } = {}) {
    const rows = this.prepare(`PRAGMA ${source}`).all()
    return simple ? Object.values(rows[0] ?? {})[0] : rows
  }
}
module.exports.SqliteError = Database.SqliteError

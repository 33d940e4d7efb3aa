import { columnsOf, type TableName } from '../tables.ts'

/**
 * The verdict is most of a message, and is written once: it stands in a table of its own, since a move of a message
 * writes its whole row again. To those who read or import messages it is a column of them.
 */
const WHOLE = 'whole_messages'

export const SELECT_WHOLE = `SELECT * FROM ${WHOLE}`

export const KEEP_VERDICT =
  'INSERT INTO verdicts (message, verdict) SELECT rowid, ? FROM messages WHERE workspace = ? AND id = ?'

/** Where whole rows are read from and written to. */
export const wholeRows = (table: TableName): string => (table === 'messages' ? WHOLE : table)

/** Those that a new row has. */
export const newColumns = (table: TableName): readonly string[] =>
  columnsOf(table).filter((column) => table !== 'messages' || column !== 'verdict')

import { StoreUnavailable } from '../../../core/protocol/store-unavailable.ts'

/** SQLSTATE of PostgreSQL's own errors; an error without one came from the connection. */
const sqlState = (reason: unknown): string | undefined =>
  reason instanceof Error && 'severity' in reason && 'code' in reason ? String(reason.code) : undefined

/** The server ends or refuses the connection, cancels the statement, or is a read-only replica. */
const ENDED = /^(57P0[1-5]|53300|53400|57014|55P03|25P0[23]|25006)$/
/** The codes of ENDED after which the transaction was undone or had never begun. */
const UNDONE = /^(53300|53400|57014|57P03|55P03|25P0[23]|25006)$/
/** Our connection, or a pooler's, broke. */
const BROKEN = /^08/

export const isConnectionBroken = (reason: unknown): boolean => {
  if (reason instanceof StoreUnavailable) return true
  const state = sqlState(reason)
  return state === undefined ? isConnectionError(reason) : BROKEN.test(state) || ENDED.test(state)
}

/** The driver's errors have no class; those of the system have a code in capitals. */
const isConnectionError = (reason: unknown): boolean =>
  reason instanceof Error &&
  (('code' in reason && /^E[A-Z]+$/.test(String(reason.code))) ||
    /connection (error|terminated|ended)|not queryable|timeout|was closed/i.test(reason.message))

/** If false, the transaction may have been committed before the error. */
export const isSurelyRolledBack = (reason: unknown): boolean => UNDONE.test(sqlState(reason) ?? '')

/** `sent`: the statement was on its way when this happened. */
export const toStoreError = (reason: unknown, { sent }: { readonly sent: boolean }): Error => {
  if (!(reason instanceof Error)) return new Error(String(reason))
  if (reason instanceof StoreUnavailable || !isConnectionBroken(reason)) return reason
  return new StoreUnavailable(reason.message, sent && !isSurelyRolledBack(reason))
}

/** A row with that key exists already. */
export const isDuplicate = (reason: unknown): boolean => sqlState(reason) === '23505'

import type { Log } from '../../../core/protocol/log.ts'

export type DatabaseOutage = ReturnType<typeof createDatabaseOutage>

/** Shortest interval between two lines about an unstable database. */
const LINES_APART_MS = 10_000

/**
 * Logs one line when the database stops answering, however many requests fail, and one when it is back. `shown` names
 * the database without its password.
 */
export const createDatabaseOutage = (log: Log, shown: string, now: () => number = () => performance.now()) => {
  let answers = 0
  let since: number | undefined
  let loggedAt = Number.NEGATIVE_INFINITY
  return {
    /** Called before a query; its result goes to `failed`. */
    begin: (): number => answers,
    answered: (): void => {
      answers++
      if (since === undefined) return
      log({ level: 'warn', event: 'database answers again', database: shown, away_ms: Math.round(now() - since) })
      since = undefined
    },
    failed: (begun: number, { message }: Error): void => {
      // If other queries were answered meanwhile, a table was locked or one connection was lost.
      if (since !== undefined || answers !== begun || now() - loggedAt < LINES_APART_MS) return
      since = now()
      loggedAt = since
      log({ level: 'error', event: 'database does not answer', database: shown, error: message })
    },
  }
}

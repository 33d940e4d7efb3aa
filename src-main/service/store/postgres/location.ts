import type { DatabaseUrlProblem } from '../../../core/contract/start-problems.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'

/** A PostgreSQL database as its URL names it. The URL has a password: only `shown` may be printed. */
export type PostgresLocation = {
  readonly connection: string
  /** Each installation has its own schema; several may share a database. */
  readonly schema: string
  /** Maximum connections per process. */
  readonly pool: number
  /** True to keep a separate connection for notifications. */
  readonly notifications: boolean
  readonly shown: string
}

const SCHEMES = ['postgres:', 'postgresql:']
const SCHEMA = /^[a-z_][a-z0-9_]{0,62}$/
const MAX_CONNECTIONS = 1_000

/** `postgres://USER:PASSWORD@HOST:PORT/DATABASE?schema=NAME&pool=N`; the driver gets other query parameters. */
export const parsePostgresUrl = (text: string): Result<PostgresLocation, DatabaseUrlProblem> => {
  if (!URL.canParse(text)) return err({ code: 'not_a_url' })
  const url = new URL(text)
  if (!SCHEMES.includes(url.protocol)) return err({ code: 'not_postgres', params: { protocol: url.protocol } })
  const query = url.searchParams
  const schema = query.get('schema') ?? 'handset'
  if (!SCHEMA.test(schema)) return err({ code: 'schema_unfit', params: { got: schema } })
  const pool = Number(query.get('pool') ?? 10)
  if (!Number.isInteger(pool) || pool < 2 || pool > MAX_CONNECTIONS) {
    return err({ code: 'pool_unfit', params: { got: String(query.get('pool')), most: MAX_CONNECTIONS } })
  }
  const notifications = query.get('notifications') ?? 'on'
  if (!['on', 'off'].includes(notifications)) {
    return err({ code: 'notifications_unfit', params: { got: notifications } })
  }
  for (const own of ['schema', 'pool', 'notifications']) query.delete(own)
  const host = query.get('host') ?? (url.hostname === '' ? 'localhost' : url.hostname)
  const port = query.get('port') ?? (url.port === '' ? '5432' : url.port)
  const database = decodeURIComponent(url.pathname.slice(1))
  return ok({
    connection: url.href,
    schema,
    pool,
    notifications: notifications === 'on',
    shown: `${host}:${port}/${database} (schema ${schema})`,
  })
}

import { err, ok, type Result } from '../../../protocol/result.ts'

/** A PostgreSQL database as its URL names it. The URL holds a password: only `shown` may be printed. */
export type PostgresLocation = {
  readonly connection: string
  /** Each installation has its own, and shares the database with others. */
  readonly schema: string
  /** How many connections a process opens at most. */
  readonly pool: number
  /** Whether a connection is kept that only listens. */
  readonly notifications: boolean
  readonly shown: string
}

const SCHEMES = ['postgres:', 'postgresql:']
const SCHEMA = /^[a-z_][a-z0-9_]{0,62}$/
const MOST_CONNECTIONS = 1_000

/** `postgres://USER:PASSWORD@HOST:PORT/DATABASE?schema=NAME&pool=N`; what else the query says is the driver's. */
export const parsePostgresUrl = (text: string): Result<PostgresLocation, string> => {
  if (!URL.canParse(text)) return err('it is no URL. Expected postgres://USER:PASSWORD@HOST:PORT/DATABASE.')
  const url = new URL(text)
  if (!SCHEMES.includes(url.protocol)) {
    return err(`it begins with ${url.protocol}//. Expected postgres://USER:PASSWORD@HOST:PORT/DATABASE.`)
  }
  const query = url.searchParams
  const schema = query.get('schema') ?? 'handset'
  if (!SCHEMA.test(schema)) {
    return err(`schema must be lower-case letters, digits and _, at most 63, beginning with a letter; got "${schema}".`)
  }
  const pool = Number(query.get('pool') ?? 10)
  if (!Number.isInteger(pool) || pool < 2 || pool > MOST_CONNECTIONS) {
    return err(`pool must be a whole number from 2 to ${MOST_CONNECTIONS}; got "${query.get('pool')}".`)
  }
  const notifications = query.get('notifications') ?? 'on'
  if (!['on', 'off'].includes(notifications)) return err(`notifications must be on or off; got "${notifications}".`)
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

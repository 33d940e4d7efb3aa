import type { PoolConfig } from 'pg'
import type { Log } from '../../../protocol/log.ts'
import { err, ok, type Result } from '../../../protocol/result.ts'
import { createDatabase, type Database } from './database.ts'
import type { PostgresLocation } from './location.ts'
import { migrate } from './migrate.ts'
import { createSignals, type OpenSignals } from './signals.ts'
import { postgresText } from './statement-text.ts'

/** Whoever waits longer for a connection is told so. */
const CONNECT_MS = 5_000
/** A statement of ours takes milliseconds; a database that is silent so long does not answer. */
const STATEMENT_MS = 15_000

const INT8 = 20

export type OpenPostgres = { readonly database: Database; readonly signals: OpenSignals }

/** Opens the pool and brings the schema up to date. Refusals are sentences, without the URL's password. */
export const connectPostgres = async (location: PostgresLocation, log: Log): Promise<Result<OpenPostgres, string>> => {
  const driver = await loadDriver()
  if (driver === undefined) return err('The package pg is missing. Install it beside handset: npm install pg.')
  const { Client, Pool, types } = driver
  const config: PoolConfig = {
    connectionString: location.connection,
    max: location.pool,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: STATEMENT_MS,
    application_name: 'handset',
    keepAlive: true,
    // Our whole numbers are exact in a number.
    types: { getTypeParser: (oid, format) => (oid === INT8 ? Number : types.getTypeParser(oid, format)) },
  }
  const pool = new Pool(config)
  // An idle connection that ends is replaced; whoever asks next is told when that does not work.
  pool.on('error', (reason) => log({ level: 'info', event: 'database connection lost', error: reason.message }))
  const database = createDatabase(pool, postgresText(location.schema))
  const migrated = await migrateOrSay(database, location)
  if (!migrated.ok) {
    await pool.end()
    return migrated
  }
  const { query_timeout: _, max: __, ...listening } = config
  const signals = createSignals({
    connect: location.notifications ? () => new Client(listening) : undefined,
    ask: database.ask,
    channel: `handset_${location.schema}`,
    sender: String((await database.ask("SELECT nextval('versions') AS sender")).rows[0]?.sender),
    log,
  })
  return ok({ database, signals })
}

const migrateOrSay = async (database: Database, { schema, shown }: PostgresLocation): Promise<Result<void, string>> => {
  try {
    const migrated = await migrate(database, schema)
    return migrated.ok ? migrated : err(`The database ${shown} ${migrated.error}`)
  } catch (reason) {
    if (!(reason instanceof Error)) throw reason
    return err(`The database ${shown} cannot be used: ${reason.message}.`)
  }
}

/** An optional peer: only who uses such a store needs it. */
const loadDriver = async (): Promise<Pick<typeof import('pg'), 'Client' | 'Pool' | 'types'> | undefined> => {
  try {
    return (await import('pg')).default
  } catch (reason) {
    if (reason instanceof Error && 'code' in reason && reason.code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw reason
  }
}

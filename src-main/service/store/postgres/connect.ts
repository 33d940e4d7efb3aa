import type { Pool as PgPool, PoolConfig } from 'pg'
import type { StartProblem } from '../../../core/contract/start-problems.ts'
import { type Log, silentLog } from '../../../core/protocol/log.ts'
import { rememberByText } from '../../../core/protocol/remember.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import { tableNames } from '../tables.ts'
import { createDatabase, type Database, MAX_TEXTS, type RunQuery } from './database.ts'
import type { PostgresLocation } from './location.ts'
import { migrations } from './migrations.ts'
import { createDatabaseOutage } from './outage.ts'
import { createPrepared } from './prepared.ts'
import { createSignals, type OpenSignals } from './signals.ts'

/** A caller that waits longer for a connection is refused. */
const CONNECT_MS = 4_000
/** Our statements take milliseconds; after this time the database counts as unreachable. */
const STATEMENT_MS = 5_000

/** Age at which a connection is replaced by a new one. */
const CONNECTION_SECONDS = 86_400

const INT8 = 20

export type PostgresConnection = {
  readonly database: Database
  readonly signals: OpenSignals
  /** A new id each time that the store is opened. */
  readonly id: string
}

/** No refusal has the URL's password. */
export const connectPostgres = async (
  location: PostgresLocation,
  log: Log,
): Promise<Result<PostgresConnection, StartProblem>> => {
  const driver = await loadDriver()
  if (driver === undefined) return err(NO_DRIVER)
  const { types } = driver
  const config: PoolConfig = {
    connectionString: location.connection,
    max: location.pool,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: STATEMENT_MS,
    application_name: 'handset',
    keepAlive: true,
    maxLifetimeSeconds: CONNECTION_SECONDS,
    // All our integers are exact in a JavaScript number.
    types: { getTypeParser: (oid, format) => (oid === INT8 ? Number : types.getTypeParser(oid, format)) },
  }
  const { max: _, maxLifetimeSeconds: __, ...listening } = config
  const { query_timeout: ___, ...patient } = listening
  const toText = postgresTranslator(location.schema)
  // Migrations run without the usual time limits.
  const migrating = createDatabase(poolOf(driver, { ...patient, max: 1 }, log), toText)
  const migrated = await runOnce(migrating, location, () => migrate(migrating, location))
  if (!migrated.ok) return migrated
  const prepared = createPrepared()
  const pool = poolOf(driver, { ...config, onConnect: prepared.greet }, log)
  const database = createDatabase(pool, toText, { prepared, outage: createDatabaseOutage(log, location.shown) })
  const id = String((await database.ask("SELECT nextval('versions') AS id")).rows[0]?.id)
  const signals = createSignals({
    connect: location.notifications ? () => new driver.Client(listening) : undefined,
    ask: database.ask,
    channel: `handset_${location.schema}`,
    sender: id,
    log,
  })
  return ok({ database, signals, id })
}

const poolOf = ({ Pool }: Driver, config: PoolConfig, log: Log): PgPool => {
  const pool = new Pool(config)
  // The statement reports a lost connection; without this listener the error would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  // An idle connection that ends is replaced; if that fails, the next caller gets the error.
  pool.on('error', (reason) => log({ level: 'info', event: 'database connection lost', error: reason.message }))
  return pool
}

/** 0 without a schema. Changes nothing. */
export const readPostgresVersion = async (location: PostgresLocation): Promise<Result<number, StartProblem>> => {
  const driver = await loadDriver()
  if (driver === undefined) return err(NO_DRIVER)
  const config = { connectionString: location.connection, max: 1, connectionTimeoutMillis: CONNECT_MS }
  const database = createDatabase(poolOf(driver, config, silentLog), postgresTranslator(location.schema))
  return runOnce(database, location, async () => ok(await database.view((ask) => schemaVersion(ask, location.schema))))
}

const NO_DRIVER: StartProblem = { code: 'no_postgres_driver' }

/** Closes the database after the work. */
const runOnce = async <T>(
  database: Database,
  { shown }: PostgresLocation,
  work: () => Promise<Result<T, StartProblem>>,
): Promise<Result<T, StartProblem>> => {
  try {
    return await work()
  } catch (reason) {
    if (!(reason instanceof Error)) throw reason
    return err({ code: 'postgres_refused', params: { shown, message: reason.message } })
  } finally {
    await database.close()
  }
}

type Driver = Pick<typeof import('pg'), 'Client' | 'Pool' | 'types'>

/** The driver is an optional peer dependency: only users of PostgreSQL need it. */
const loadDriver = async (): Promise<Driver | undefined> => {
  try {
    return (await import('pg')).default
  } catch (reason) {
    if (reason instanceof Error && 'code' in reason && reason.code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw reason
  }
}

/**
 * Applies every migration that the schema lacks, in one transaction, one process at a time. A schema with migrations
 * unknown to this program is refused untouched. The lock belongs to the transaction: a pooler would lose any other.
 */
const migrate = (database: Database, { schema, shown }: PostgresLocation): Promise<Result<void, StartProblem>> =>
  database.migrate(async (ask) => {
    await ask("SELECT pg_advisory_xact_lock(hashtext('handset'), hashtext(?))", [schema])
    const version = await schemaVersion(ask, schema)
    const known = migrations.length
    if (version > known) return err({ code: 'postgres_newer', params: { shown, version, known } })
    if (version === known) return ok(undefined)
    await ask(`CREATE SCHEMA IF NOT EXISTS ${schema}`)
    await ask(`SET LOCAL search_path TO ${schema}`)
    await ask('CREATE TABLE IF NOT EXISTS migrations (version BIGINT PRIMARY KEY, applied_at TIMESTAMPTZ NOT NULL)')
    for (const [index, migration] of migrations.entries()) {
      if (index < version) continue
      for (const statement of migration.split(';')) if (statement.trim() !== '') await ask(statement)
      await ask('INSERT INTO migrations (version, applied_at) VALUES (?, now())', [index + 1])
    }
    return ok(undefined)
  })

/** 0 if there is no schema yet. */
const schemaVersion = async (ask: RunQuery, schema: string): Promise<number> => {
  const table = await ask('SELECT to_regclass(?) IS NOT NULL AS there', [`${schema}.migrations`])
  if (table.rows[0]?.there !== true) return 0
  const { rows } = await ask(`SELECT coalesce(max(version), 0) AS version FROM ${schema}.migrations`)
  return Number(rows[0]?.version)
}

const OWN = new Set<string>([
  ...tableNames,
  ...['workspaces', 'unused_rows', 'pending_events', 'request_counts', 'connections', 'bench'],
  ...['processes', 'listeners', 'phone_devices'],
])

/**
 * Translates a statement that both adapters use to PostgreSQL: `?` are numbered, tables get their schema. A search path
 * would be lost behind a pooler, which gives each transaction another connection.
 */
export const postgresTranslator = (schema: string): ((text: string) => string) =>
  rememberByText((text) => {
    let n = 0
    return text
      .replace(/\?/g, () => `$${++n}`)
      .replace(/\b(FROM|INTO|UPDATE|JOIN|NULL::) ?(\w+)/g, (whole, word: string, name: string) =>
        OWN.has(name) ? `${word}${word.endsWith(':') ? '' : ' '}${schema}.${name}` : whole,
      )
      .replace(/nextval\('(\w+)'\)/g, (_, name: string) => `nextval('${schema}.${name}')`)
  }, MAX_TEXTS)

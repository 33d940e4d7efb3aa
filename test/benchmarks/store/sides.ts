import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import type { TestPostgres } from '../../support/postgres/start-postgres.ts'
import { type Ready, startLogging } from '../child.ts'
import { makePeople, ORIGIN, type Person } from '../people.ts'

/** A Handset with people who sign in, and what uses processors for it. */
export type StoreSide = {
  readonly name: string
  readonly people: readonly Person[]
  /** Processes of the service; of the bench beside them where it is apart; the database's processor time so far. */
  readonly services: readonly number[]
  readonly bench: number | undefined
  readonly databaseMs: () => number | undefined
  stop(): Promise<unknown>
}

const RP = ['--rp-id', 'shop.example', '--origin', ORIGIN]
const PEOPLE = 16

export const sqliteSide = async (data: string): Promise<StoreSide> => {
  const { ready, stop } = await startLogging(['--data', data, ...RP])
  return {
    name: 'SQLite, one process',
    people: await makePeople(ready, PEOPLE),
    services: [ready.pid],
    bench: undefined,
    databaseMs: () => undefined,
    stop,
  }
}

/** One process is service and bench in one; several have a bench beside them. */
export const postgresSide = async (
  server: TestPostgres,
  { processes, name, filling }: { readonly processes: number; readonly name: string; readonly filling?: Filling },
): Promise<StoreSide> => {
  const url = `${server.url}?schema=bench_${processes}${filling === undefined ? '' : '_full'}`
  const started = await (processes === 1 ? together(url) : apart(url, processes))
  if (filling !== undefined) await fillPostgres(url, filling)
  const postmaster = Number(readFileSync(join(server.folder, 'data/postmaster.pid'), 'utf8').split('\n')[0])
  const { key, ports, services, bench, stop } = started
  return {
    ...{ name, services, bench, stop },
    people: await makePeople(key, PEOPLE, ports),
    databaseMs: () => processorTreeMs(postmaster),
  }
}

type StartedSide = Pick<StoreSide, 'services' | 'bench' | 'stop'> & {
  readonly key: Ready
  readonly ports: readonly number[]
}

const portOf = ({ base_url }: Pick<Ready, 'base_url'>): number => Number(new URL(base_url).port)

const together = async (url: string): Promise<StartedSide> => {
  const { ready, stop } = await startLogging(['--store', url, ...RP])
  return { key: ready, ports: [portOf(ready)], services: [ready.pid], bench: undefined, stop }
}

const apart = async (url: string, processes: number): Promise<StartedSide> => {
  const services: Awaited<ReturnType<typeof startLogging>>[] = []
  for (let n = 0; n < processes; n++) services.push(await startLogging(['--store', url, '--role', 'service']))
  const [first] = services
  const origin = `http://localhost:${first === undefined ? 0 : portOf(first.ready)}`
  const bench = await startLogging(['--store', url, '--role', 'bench', '--service-url', origin, ...RP])
  return {
    key: bench.ready,
    ports: services.map(({ ready }) => portOf(ready)),
    services: services.map(({ ready }) => ready.pid),
    bench: bench.ready.pid,
    stop: async () => {
      await bench.stop()
      await Promise.all(services.map(({ stop }) => stop()))
    },
  }
}

type Filling = { readonly credentials: number; readonly messages: number; readonly phones: number }

/**
 * Makes a schema as a large customer would have it, by SQL in the server: credentials of other users, two each, messages
 * that are under way, one in five of them bound, and phones with an account each. They belong to the RP that is there.
 */
const fillPostgres = async (url: string, { credentials, messages, phones }: Filling): Promise<void> => {
  const client = new Client({ connectionString: url.split('?')[0] ?? url })
  const schema = new URL(url).searchParams.get('schema') ?? 'handset'
  await client.connect()
  try {
    const one = async (text: string): Promise<string> => String(Object.values((await client.query(text)).rows[0])[0])
    await client.query(`SET search_path TO ${schema}; SET maintenance_work_mem TO '256MB'`)
    const workspace = await one("SELECT row_key FROM workspaces WHERE id = 'main'")
    const rp = await one('SELECT id FROM rps ORDER BY rowid LIMIT 1')
    const now = Date.now()
    await client.query(
      `INSERT INTO credentials (workspace, id, rp, user_id, name, storage, account, device, public_key, algorithm, counter,
         aaguid, attestation_format, transports, backup_eligible, backup_state, user_verified, created_at, updated_at)
       SELECT $1::text, md5(i::text), $2::text, 'filler-' || (i / 2), 'Quiet Otter 42', 'chip', 'acc_filler', 'dev_filler',
         repeat(md5(i::text), 4), -7, i % 100, '00000000-0000-0000-0000-000000000000', 'none', '["internal"]', 0, 0, 1, $3, $3
       FROM generate_series(1, $4::bigint) AS i`,
      [workspace, rp, now, credentials],
    )
    await client.query(
      `INSERT INTO messages (workspace, id, rp, kind, user_id, username, display_name, credential_name, challenge, state,
         svc_user, error, device, account, created_at, expires_at)
       SELECT $1::text, md5(i::text), $2::text, 'registration', 'filler-' || i, 'Filler', 'Filler', 'Quiet Otter 42',
         md5(i::text), CASE WHEN i % 5 = 0 THEN 'bind' ELSE 'init' END, '', '', NULL, NULL, $3::bigint, $3::bigint + 3600000 + i
       FROM generate_series(1, $4::bigint) AS i`,
      [workspace, rp, now, messages],
    )
    await client.query(
      `INSERT INTO accounts (workspace, id, name, phone, created_at)
       SELECT $1::text, 'acc_filler' || i, 'Filler', '+990' || i, $2::bigint FROM generate_series(1, $3::bigint) AS i`,
      [workspace, now, phones],
    )
    await client.query(
      `INSERT INTO devices (workspace, id, account, name, token_hash, push_count, created_at)
       SELECT $1::text, 'dev_filler' || i, 'acc_filler' || i, 'Filler', md5(i::text), 0, $2::bigint
       FROM generate_series(1, $3::bigint) AS i`,
      [workspace, now, phones],
    )
    await client.query('VACUUM ANALYZE')
    await client.query('CHECKPOINT')
  } finally {
    await client.end()
  }
}

/** proc(5): one tick is 10 ms on every Linux that Node runs on. */
const TICK_MS = 10

type Stat = { readonly parent: number; readonly ownMs: number; readonly endedChildrenMs: number }

const statOf = (pid: number): Stat | undefined => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    const ticks = (...at: readonly number[]): number => at.reduce((sum, i) => sum + Number(fields[i]), 0) * TICK_MS
    return { parent: Number(fields[1]), ownMs: ticks(11, 12), endedChildrenMs: ticks(13, 14) }
  } catch {
    // It ended meanwhile.
    return undefined
  }
}

/** Processor time of a process and of all that it started, those that ended among them: of a database, say. */
const processorTreeMs = (pid: number): number => {
  const root = statOf(pid)
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(Number(name)) ?? [])
    .filter(({ parent }) => parent === pid)
  return (root?.ownMs ?? 0) + (root?.endedChildrenMs ?? 0) + children.reduce((sum, { ownMs }) => sum + ownMs, 0)
}

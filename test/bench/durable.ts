import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { cpuMs, type Ready, startLogging } from './child.ts'
import { makePeople, ORIGIN, type Person, signInFor } from './people.ts'

/** Sign-ins against one server for a while. */
export type DurableSample = {
  readonly perSecond: number
  readonly latencies: readonly number[]
  readonly cpuMicros: number | undefined
  readonly busy: number | undefined
}

/** A service on a data directory of its own, and the people who sign in there. */
export type DurableSide = { readonly pid: number; readonly people: readonly Person[] }

export type SideOptions = {
  readonly people: number
  /** Of another checkout. */
  readonly root?: string
  readonly profile?: Readonly<Record<string, string>>
  /** Fills the database that a service made there before. */
  readonly fill?: (file: string) => void
}

type Start = (options: SideOptions) => Promise<DurableSide>

/** Starts services in folders that last as long as the work. */
export const withDurable = async <T>(work: (start: Start) => Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), 'handset-bench-'))
  const stops: (() => Promise<void>)[] = []
  try {
    return await work(async ({ people, root, profile = {}, fill }) => {
      const data = join(folder, String(stops.length))
      const args = ['--data', data, '--rp-id', 'shop.example', '--origin', ORIGIN]
      if (fill !== undefined) {
        // The service makes its tables and its RP by itself.
        await (await startLogging(args, root)).stop()
        fill(join(data, 'handset.db'))
      }
      const { ready, stop } = await startLogging(args, root)
      stops.push(stop)
      await setProfile(ready, profile)
      return { pid: ready.pid, people: await makePeople(ready, people) }
    })
  } finally {
    await Promise.all(stops.map((stop) => stop()))
    rmSync(folder, { recursive: true, force: true })
  }
}

const setProfile = async ({ control_url, token }: Ready, profile: NonNullable<SideOptions['profile']>) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await fetch(`${control_url}/profile`, { method: 'PATCH', headers, body: JSON.stringify(profile) })
  if (!answer.ok) throw new Error(await answer.text())
}

const WARM_UP = 4

/** Whole sign-ins at each of them in turn, each round beginning with another one. A long first round only warms up. */
export const inTurn = async (
  sides: readonly DurableSide[],
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
): Promise<readonly (readonly DurableSample[])[]> => {
  const samples: DurableSample[][] = sides.map(() => [])
  for (let round = -1; round < rounds; round++) {
    for (let turn = 0; turn < sides.length; turn++) {
      const index = (turn + round + sides.length) % sides.length
      const side = sides[index]
      const sample = side && (await measure(side, round < 0 ? WARM_UP * seconds : seconds))
      if (side !== undefined) await settled(side)
      if (round >= 0 && sample !== undefined) samples[index]?.push(sample)
    }
  }
  return samples
}

/** What a side still does after its turn, second opinions above all, must not slow the one after it. */
const settled = async ({ pid }: DurableSide): Promise<void> => {
  for (let waited = 0; waited < 100; waited++) {
    const before = cpuMs(pid)
    await new Promise((resolve) => setTimeout(resolve, 100))
    if ((cpuMs(pid) ?? 0) - (before ?? 0) <= 10) return
  }
}

/**
 * Whole sign-ins over HTTP on a data directory, each step committed with synchronous FULL before it is answered: at a
 * service that is new, at one that gives each answer with a second opinion, and at one whose store is full.
 */
export const compareDurable = (options: {
  readonly rounds: number
  readonly seconds: number
  readonly people: number
  readonly credentials: number
  readonly messages: number
  readonly say: (text: string) => void
}): Promise<{ readonly empty: Samples; readonly heard: Samples; readonly full: Samples }> =>
  withDurable(async (start) => {
    const { people, say } = options
    const sides = [await start({ people }), await start({ people, profile: { second_opinion: 'must-agree' } })]
    say(`Filling a store with ${options.credentials} credentials and ${options.messages} messages …`)
    sides.push(await start({ people, fill: (file) => fillStore(file, options) }))
    const [empty = [], heard = [], full = []] = await inTurn(sides, options)
    return { empty, heard, full }
  })

type Samples = readonly DurableSample[]

const measure = async ({ pid, people }: DurableSide, seconds: number): Promise<DurableSample> => {
  const before = cpuMs(pid)
  const round = await signInFor(people, seconds)
  const after = cpuMs(pid)
  if (before === undefined || after === undefined) return { ...round, cpuMicros: undefined, busy: undefined }
  const used = after - before
  return { ...round, cpuMicros: (used * 1000) / round.latencies.length, busy: used / (round.took * 10) }
}

/**
 * Makes a store as a large customer would have it, by SQL: credentials of other users, two each, and messages that are
 * under way, one in five of them bound. They belong to the RP that the service made.
 */
const fillStore = (
  file: string,
  { credentials, messages }: { readonly credentials: number; readonly messages: number },
): void => {
  const db = new Database(file)
  const { id: rp } = db.prepare('SELECT id FROM rps LIMIT 1').get() as { readonly id: string }
  const now = Date.now()
  const numbers = 'WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?)'
  db.transaction(() => {
    db.prepare(
      `INSERT INTO credentials (workspace, id, rp, user_id, name, storage, account, device, public_key, algorithm, counter,
         aaguid, attestation_format, transports, backup_eligible, backup_state, user_verified, created_at, updated_at)
       ${numbers}
       SELECT 'main', hex(randomblob(16)), ?, 'filler-' || (i / 2), 'Quiet Otter 42', 'chip', 'acc_filler', 'dev_filler',
         hex(randomblob(38)), -7, i % 100, '00000000-0000-0000-0000-000000000000', 'none', '["internal"]', 0, 0, 1, ?, ?
       FROM n`,
    ).run(credentials, rp, now, now)
    db.prepare(
      `INSERT INTO messages (workspace, id, rp, kind, user_id, username, display_name, credential_name, challenge, state,
         svc_user, error, device, account, created_at, expires_at)
       ${numbers}
       SELECT 'main', hex(randomblob(11)), ?, 'registration', 'filler-' || i, 'Filler', 'Filler', 'Quiet Otter 42',
         hex(randomblob(22)), iif(i % 5 = 0, 'bind', 'init'), iif(i % 5 = 0, 'Li Wei', ''), '',
         iif(i % 5 = 0, 'dev_filler', NULL), iif(i % 5 = 0, 'acc_filler', NULL), ?, ? + i
       FROM n`,
    ).run(messages, rp, now, now + 3_600_000)
  })()
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
}

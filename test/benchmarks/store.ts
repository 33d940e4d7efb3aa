import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { msgIdOf } from '../robustness/callers.ts'
import { startPostgres, type TestPostgres } from '../support/postgres/start-postgres.ts'
import { openInbox } from '../support/service/soft-phone.ts'
import type { Person } from './people.ts'
import { head, machineLine, median, medianInterval, number, quantile, range, row } from './statistics.ts'
import { measureInTurn, type Parts, type StoreSample } from './store/measure.ts'
import { postgresSide, type StoreSide, sqliteSide } from './store/sides.ts'

/** A steady stream: each person gets the next push so long after the one before. */
const EVERY_MS = 100

/**
 * Milliseconds from the RP's request, at one process, to the push in the phone's open inbox, at the next: never
 * less than it took, since the request's own way to the service is in it.
 */
const measurePushes = async ({ people }: StoreSide, each: number): Promise<readonly number[]> =>
  (
    await Promise.all(
      people.map(async (person, n) => {
        const inbox = await openInbox({ port: person.appPort, path: '/app/inbox', token: person.token })
        try {
          const took: number[] = []
          // They come spread over the time, not all in one instant.
          await pause((n * EVERY_MS) / people.length)
          for (let push = 0; push < each; push++) {
            took.push(await pushOnce(person, inbox.next()))
            await pause(EVERY_MS)
          }
          return took
        } finally {
          inbox.close()
        }
      }),
    )
  ).flat()

const pushOnce = async (
  { rp, app, token, callers, appCallers, user_id }: Person,
  arrived: Promise<unknown>,
): Promise<number> => {
  const body = { user_id, username: user_id, method: 'push' }
  const from = performance.now()
  const at = arrived.then(() => performance.now())
  const asked = await rp.ask(callers.rp('POST', '/rp/assertion/options', body))
  const took = (await at) - from
  // Nothing is left open for the next one.
  await app.ask(appCallers.app(token, 'POST', `/messages/${msgIdOf(asked)}/bind`, {}))
  await app.ask(appCallers.app(token, 'POST', `/messages/${msgIdOf(asked)}/reject`, {}))
  return took
}

/** Puts what a command measured into a page, below what is written there by hand. */
const writeBelow = (file: string, command: string, text: string): void => {
  const below = `<!-- ${command} -- --out ${file} writes what follows -->\n`
  const byHand = existsSync(file) ? (readFileSync(file, 'utf8').split(below)[0] ?? '') : ''
  writeFileSync(file, `${byHand}${below}\n${text}`)
}

type Measured = {
  readonly samples: ReadonlyMap<StoreSide, readonly StoreSample[]>
  /** Milliseconds from the RP's request at one process to the phone's inbox at another. */
  readonly pushes: ReadonlyMap<StoreSide, readonly number[]>
  readonly size: { readonly filling: { readonly credentials: number; readonly messages: number } }
}

const storeTables = ({ samples, pushes, size }: Measured): string => {
  const all = [...samples]
  const { credentials, messages } = size.filling
  return [
    ...head('Whole sign-ins, 16 people', 'Per second', '95 %', 'p50', 'p99', 'Rounds'),
    ...all.map(([{ name }, own]) => rateRow(name, own)),
    '',
    ...head('Processor time of a sign-in', 'Service', 'Bench', 'Database', 'Client', 'All', 'What limits'),
    ...all.map(([{ name }, own]) => partsRow(name, own)),
    '',
    `“Full” has ${number(credentials)} credentials and ${number(messages)} live messages.`,
    '',
    ...head('A push, from the RP’s request at one process to the phone’s inbox at another', 'p50', 'p99', 'Pushes'),
    ...[...pushes].map(([{ name }, took]) =>
      row(name, `${number(quantile(took, 0.5), 1)} ms`, `${number(quantile(took, 0.99), 1)} ms`, String(took.length)),
    ),
    '',
  ].join('\n')
}

const rateRow = (name: string, own: readonly StoreSample[]): string => {
  const rates = own.map(({ perSecond }) => perSecond)
  const latencies = own.flatMap((sample) => sample.latencies)
  const at = (q: number): string => `${number(quantile(latencies, q), 1)} ms`
  return row(name, number(median(rates)), range(medianInterval(rates)), at(0.5), at(0.99), String(own.length))
}

const PARTS = ['service', 'bench', 'database', 'client'] as const satisfies readonly (keyof Parts)[]

const partsRow = (name: string, own: readonly StoreSample[]): string => {
  const of = (part: keyof Parts): number | undefined => {
    const values = own.flatMap(({ parts }) => parts[part] ?? [])
    return values.length === 0 ? undefined : median(values)
  }
  const figures = PARTS.map(of)
  const whole = figures.reduce<number>((sum, value) => sum + (value ?? 0), 0)
  const cells = [...figures, whole].map((value) => (value === undefined ? '–' : `${number(value, 2)} ms`))
  return row(name, ...cells, limitOf(own))
}

const NEARLY_ALL = 0.9

/** One thread does the work of a service's process: its processor is the limit before the machine is. */
const limitOf = (own: readonly StoreSample[]): string => {
  const [busiest, together] = [median(own.map((each) => each.busiest)), median(own.map((each) => each.together))]
  const told = `busiest process ${number(busiest * 100)} % of a processor, all parts ${number(together * 100)} % of the machine`
  if (busiest >= NEARLY_ALL) return `the service’s thread: ${told}`
  if (together >= NEARLY_ALL) return `the machine: ${told}`
  return `other programs or waiting for the disk: ${told}`
}

/**
 * npm run bench:store: whole sign-ins on SQLite and on PostgreSQL, with one, two and three processes, on the same
 * processors, in turn. `--quick` looks whether it works at all; `--out FILE` puts the tables into a page.
 */
const { values } = parseArgs({ options: { quick: { type: 'boolean' }, out: { type: 'string' } } })
const say = (text: string): void => console.error(text)

const SIZES = {
  quick: { rounds: 3, seconds: 2, pushes: 20, filling: { credentials: 20_000, messages: 12_000, phones: 12_000 } },
  whole: {
    rounds: 9,
    seconds: 5,
    pushes: 100,
    filling: { credentials: 1_000_000, messages: 100_000, phones: 100_000 },
  },
}
const size = values.quick === true ? SIZES.quick : SIZES.whole

const run = async (server: TestPostgres, folder: string): Promise<string> => {
  const sides: StoreSide[] = []
  const add = async (side: Promise<StoreSide>): Promise<void> => {
    sides.push(await side)
    say(`${sides.at(-1)?.name}: ready`)
  }
  try {
    await add(sqliteSide(join(folder, 'sqlite')))
    await add(postgresSide(server, { processes: 1, name: 'PostgreSQL, one process' }))
    await add(postgresSide(server, { processes: 2, name: 'PostgreSQL, two processes and a bench' }))
    await add(postgresSide(server, { processes: 3, name: 'PostgreSQL, three processes and a bench' }))
    say(`Filling a schema with ${size.filling.credentials} credentials and ${size.filling.messages} messages …`)
    await add(postgresSide(server, { processes: 1, name: 'PostgreSQL, one process, full', filling: size.filling }))
    const samples = await measureInTurn(sides, { ...size, cores: availableParallelism() })
    const pushes = new Map<StoreSide, readonly number[]>()
    for (const side of sides.filter(({ bench }) => bench !== undefined)) {
      pushes.set(side, await measurePushes(side, size.pushes))
    }
    return storeTables({ samples, pushes, size })
  } finally {
    await Promise.all(sides.map((side) => side.stop()))
  }
}

const server = await startPostgres(['shared_buffers=512MB', 'max_connections=200'])
if (typeof server === 'string') {
  say(server)
  process.exit(3)
}
const folder = mkdtempSync(join(tmpdir(), 'handset-bench-store-'))
try {
  const text = ['## What `npm run bench:store` measured', '', machineLine(), '', await run(server, folder)].join('\n')
  console.log(text)
  if (values.out !== undefined) writeBelow(values.out, 'npm run build && npm run bench:store', text)
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

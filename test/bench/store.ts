import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres, type TestPostgres } from '../support/postgres/start-postgres.ts'
import { machineLine } from './machine.ts'
import { slowdownOf } from './slowdown.ts'
import { measureInTurn, type StoreSample } from './store/measure.ts'
import { measurePushes } from './store/pushes.ts'
import { sequentialScans } from './store/sequential-scans.ts'
import { postgresSide, type StoreSide, sqliteSide } from './store/sides.ts'
import { storeRatios, storeTables } from './store/tables.ts'
import { writeBelow } from './write-below.ts'

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
const MOST_MORE = 4
const size = values.quick === true ? SIZES.quick : SIZES.whole

const run = async (server: TestPostgres, folder: string): Promise<string> => {
  const sides: StoreSide[] = []
  const add = async (side: Promise<StoreSide>): Promise<StoreSide> => {
    const made = await side
    sides.push(made)
    say(`${made.name}: ready`)
    return made
  }
  try {
    await add(sqliteSide(join(folder, 'sqlite')))
    const empty = await add(postgresSide(server, { processes: 1, name: 'PostgreSQL, one process' }))
    await add(postgresSide(server, { processes: 2, name: 'PostgreSQL, two processes and a bench' }))
    await add(postgresSide(server, { processes: 3, name: 'PostgreSQL, three processes and a bench' }))
    say(`Filling a schema with ${size.filling.credentials} credentials and ${size.filling.messages} messages …`)
    const full = await add(
      postgresSide(server, { processes: 1, name: 'PostgreSQL, one process, full', filling: size.filling }),
    )
    const before = await sequentialScans(full.url ?? '')
    const samples = await measureInTurn(sides, { ...size, cores: availableParallelism() })
    const pair = await compareOn(samples, [empty, full])
    const after = await sequentialScans(full.url ?? '')
    const pushes = new Map<StoreSide, readonly number[]>()
    for (const side of sides.filter(({ bench }) => bench !== undefined)) {
      pushes.set(side, await measurePushes(side, size.pushes))
    }
    const scans = Object.keys(after).map((table) => ({ table, count: (after[table] ?? 0) - (before[table] ?? 0) }))
    return storeTables({ samples, pushes, empty, full, pair, scans, size })
  } finally {
    await Promise.all(sides.map((side) => side.stop()))
  }
}

type Samples = ReadonlyMap<StoreSide, readonly StoreSample[]>

/** While the rounds so far leave open whether the full store is slower, there are more of them, of these two alone. */
const compareOn = async (samples: Samples, [empty, full]: readonly [StoreSide, StoreSide]): Promise<Samples> => {
  let pair: Samples = new Map([empty, full].map((side) => [side, samples.get(side) ?? []]))
  for (let more = 0; more < MOST_MORE; more++) {
    if (slowdownOf(storeRatios(pair.get(empty) ?? [], pair.get(full) ?? [])) !== 'open') break
    say('Whether the full store is slower is still open: more rounds of both …')
    const further = await measureInTurn([empty, full], { ...size, cores: availableParallelism() })
    pair = new Map([empty, full].map((side) => [side, [...(pair.get(side) ?? []), ...(further.get(side) ?? [])]]))
  }
  return pair
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

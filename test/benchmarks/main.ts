import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { memoryMib } from '../robustness/served.ts'
import { writeScenarios } from '../support/many-scenarios.ts'
import { startHandset } from './child.ts'
import { authenticationsPerSecond, pushesAtOnce } from './own-phones.ts'
import { durableSignIns } from './people.ts'
import { pollShare, proxied, ways } from './polling.ts'
import { head, median, medianInterval, number, quantile, range, row } from './statistics.ts'

/**
 * npm run bench: what people wait for. With `-- --rounds 15 DIR DIR` at several builds in turn, each a checkout with its own
 * node_modules and its build. `--only WORD` measures some rows.
 */
const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '15' }, only: { type: 'string', default: '' } },
  allowPositionals: true,
})
const places = positionals.length === 0 ? [join(import.meta.dirname, '../..')] : positionals
const roots = places.map((path) => resolve(path))
const rounds = Number(values.rounds)

type Row = { readonly name: string; readonly digits: number; readonly measure: (root: string) => Promise<number> }

const SCENARIOS = 1000

const rows: readonly Row[] = [
  { name: 'Signed polls, share of bare node:http', digits: 3, measure: pollShare },
  {
    name: 'An assertion among 10,000 credentials, 16 asked at once, ms',
    digits: 3,
    measure: async (root) => numberFrom(root, ASSERTIONS, 'assertions'),
  },
  {
    name: 'A push to each of 1,000 phones in one instant, p99 ms',
    digits: 0,
    measure: async (root) => quantile(await pushesAtOnce({ phones: 1000, root }), 0.99),
  },
  {
    name: 'Sign-ins with own phones, 8 at a time, a second',
    digits: 0,
    measure: (root) => authenticationsPerSecond({ phones: 8, seconds: 5, root }),
  },
  { name: `${number(SCENARIOS)} scenarios with reports, s`, digits: 1, measure: (root) => scenarios(root) },
  {
    name: 'Start until it accepts requests, s',
    digits: 2,
    measure: async (root) => {
      const handset = await startHandset([], root)
      await handset.stop()
      return handset.startedIn / 1000
    },
  },
  {
    name: 'Idle memory, MiB',
    digits: 0,
    measure: async (root) => {
      const handset = await startHandset([], root)
      await new Promise((done) => setTimeout(done, 2_000))
      const resident = memoryMib(handset.ready.pid, 'VmRSS')
      await handset.stop()
      return resident ?? Number.NaN
    },
  },
  { name: 'Durable sign-ins, a second', digits: 0, measure: durableSignIns },
  ...ways.flatMap((way): readonly Row[] => [
    { name: `Proxy: ${way}, a second`, digits: 0, measure: async (root) => (await proxied(way, root)).perSecond },
    { name: `Proxy: ${way}, one by one, p99 ms`, digits: 2, measure: async (root) => (await proxied(way, root)).p99 },
  ]),
]

/** The phones of a checkout are asked in a process of its own, by its own sources. */
const ASSERTIONS = `
  const { openPhone, creationOptions, requestOptions } = await import(process.argv[1] + '/test/benchmarks/one-phone.ts')
  const phone = await openPhone()
  const ids = []
  for (let n = 0; n < 10000; n++) ids.push(await phone.create(creationOptions(n)))
  const times = []
  for (let i = 0; i < 1600; i += 16) {
    const from = performance.now()
    await Promise.all(Array.from({ length: 16 }, (_, k) => phone.get(requestOptions(i + k, ids[((i + k) * 7919) % ids.length]))))
    times.push((performance.now() - from) / 16)
  }
  await phone.close()
  console.log(times.sort((a, b) => a - b)[times.length >> 1])
`

const numberFrom = (root: string, program: string, name: string): number => {
  const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', program, root], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (status !== 0) throw new Error(`${name} at ${root} ended with ${status}`)
  return Number(stdout)
}

const scenarios = async (root: string): Promise<number> => {
  const folder = mkdtempSync(join(tmpdir(), 'handset-bench-'))
  try {
    writeScenarios(folder, { count: SCENARIOS })
    const out = ['--report', 'html,junit,json', '--out', join(folder, 'out')]
    const from = performance.now()
    const child = spawn(process.execPath, [join(root, 'src-main/bin.mjs'), 'run', folder, '--parallel', '8', ...out], {
      stdio: 'ignore',
    })
    await new Promise((done) => child.once('close', done))
    return (performance.now() - from) / 1000
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const wanted = rows.filter(({ name }) => name.toLowerCase().includes(values.only.toLowerCase()))
const samples = new Map<string, number[][]>(wanted.map(({ name }) => [name, roots.map(() => [])]))
for (let round = 0; round < rounds; round++) {
  for (const { name, measure } of wanted) {
    for (let turn = 0; turn < roots.length; turn++) {
      const index = (turn + round) % roots.length
      const value = await measure(roots[index] ?? '')
      samples.get(name)?.[index]?.push(value)
      console.error(`${round + 1}/${rounds} ${name}, ${places[index]}: ${number(value, 3)}`)
    }
  }
}
const pairs = places.length === 2 ? ['second of first, in pairs'] : []
console.log(head(`Median of ${rounds} rounds (95 %)`, ...places, ...pairs).join('\n'))
for (const { name, digits } of wanted) {
  const sides = samples.get(name) ?? []
  const [first = [], second = []] = sides
  const ratios = second.map((value, round) => value / (first[round] ?? Number.NaN))
  const cell = (side: readonly number[], places: number): string =>
    `${number(median(side), places)} (${range(medianInterval(side), places)})`
  console.log(row(name, ...sides.map((side) => cell(side, digits)), ...pairs.map(() => cell(ratios, 2))))
}

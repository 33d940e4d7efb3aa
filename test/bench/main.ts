import { existsSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Authentications, measureAuthentications } from './authentications.ts'
import { authenticatorTables } from './authenticator.ts'
import { comparePolling } from './polling.ts'
import { measureStartup } from './startup.ts'
import { quantile } from './statistics.ts'
import { measured, number, row } from './table.ts'

/** npm run bench: how fast, measured against what it stands on. `--quick` looks whether it works at all. */
const { values } = parseArgs({ options: { quick: { type: 'boolean' }, out: { type: 'string' } } })
const quick = values.quick === true
const root = join(import.meta.dirname, '../..')
const say = (text: string): void => console.error(text)

const pairs = quick ? 3 : 21
say(`Signed polls against bare node:http, ${pairs} pairs …`)
const polling = await comparePolling({ pairs, seconds: quick ? 0.3 : 2, connections: 16 })
const people: Authentications[] = []
for (const concurrency of [1, 8]) {
  say(`Full authentications, ${concurrency} at a time …`)
  people.push(await measureAuthentications({ concurrency, seconds: quick ? 0.5 : 10 }))
}
say('Start and idle memory …')
const startup = await measureStartup({ runs: quick ? 3 : 15, idleSeconds: quick ? 0.2 : 3 })
const phones = await authenticatorTables({ quick, say })

const table = [
  `Node ${process.versions.node}, ${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown processor'}, ${process.platform}, ${existsSync(join(root, 'out/main/cli.js')) ? 'built' : 'from source'}. Intervals are of the median, 95 %.`,
  '',
  row('What', 'Median', '95 %', 'Samples'),
  row('---', '---:', '---:', '---:'),
  measured(
    'Signed result polls per second, 16 connections',
    polling.map(({ handset }) => handset),
    '/s',
  ),
  measured(
    'Bare node:http, same request and answer',
    polling.map(({ bare }) => bare),
    '/s',
  ),
  measured(
    'Ratio of each pair',
    polling.map(({ handset, bare }) => (handset / bare) * 100),
    '%',
    1,
  ),
  measured('Start until ready', startup.startedIn, 'ms'),
  ...(startup.idleMib.length === 0 ? [] : [measured('Idle memory', startup.idleMib, 'MiB')]),
  '',
  row('Full authentications', 'Per second', 'p50', 'p99', 'Samples'),
  row('---', '---:', '---:', '---:', '---:'),
  ...people.map(({ concurrency, perSecond, latencies }) =>
    row(
      `${concurrency} at a time`,
      number(perSecond),
      `${number(quantile(latencies, 0.5), 1)} ms`,
      `${number(quantile(latencies, 0.99), 1)} ms`,
      String(latencies.length),
    ),
  ),
  '',
  'A full authentication is the RP’s signed question, the phone’s scan, its signature, the judgement and the signed reading of the result, all over HTTP.',
  '',
  phones,
].join('\n')

console.log(table)
if (values.out !== undefined) writeFileSync(values.out, table)

import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { differencesOf, eventStreams, hashOf } from '../support/event-streams.ts'
import { freePort } from '../support/free-port.ts'
import { playShipped, shipped } from '../support/shipped-runs.ts'

/**
 * npm run repeat: the shipped scenarios in 20 drawn orders, of which none may fail, and the repeatable ones three times
 * with one seed, in file order, shuffled and in parallel: each workspace must have the same events, byte for byte.
 */
const { values } = parseArgs({ options: { runs: { type: 'string', default: '20' }, seed: { type: 'string' } } })
const first = Number(values.seed ?? randomInt(2 ** 31))
const folder = mkdtempSync(join(tmpdir(), 'handset-repeat-'))
let bad = 0

for (let run = 0; run < Number(values.runs); run++) {
  // Each draws its seed: with one that is given the clocks stand, and programs of one's own know but real time.
  const more = ['--shuffle', '--parallel', '4', '--trace', 'failure']
  const { report } = await playShipped(shipped.all, { out: join(folder, `shuffled-${run}`), more })
  const failed = report.scenarios.filter(({ outcome }) => outcome !== 'passed' && outcome !== 'skipped')
  bad += failed.length
  console.log(
    `seed ${report.seed}: ${report.counts.passed} passed, ${failed.length} not, in ${(report.took_ms / 1000).toFixed(1)} s`,
  )
  for (const { id, attempts } of failed) {
    console.log(`  ${id}`)
    const step = attempts.at(-1)?.steps.find(({ ok }) => !ok)
    if (step !== undefined)
      console.log(`    ${step.title}\n    expected ${step.expected}\n    received ${step.received}`)
  }
}

// The same address for all: it stands in what is signed.
const port = String(await freePort())
const ways = [[], ['--shuffle'], ['--shuffle', '--parallel', '4']]
const streams = []
for (const [i, way] of ways.entries()) {
  const out = join(folder, `same-${i}`)
  const more = [...way, '--seed', String(first), '--port', port, '--trace', 'on']
  await playShipped(shipped.repeatable, { out, more })
  const found = await eventStreams(out)
  streams.push(found)
  const events = [...found.values()].reduce((sum, { length }) => sum + length, 0)
  console.log(
    `seed ${first}${way.map((word) => ` ${word}`).join('')}: ${found.size} workspaces, ${events} events, hash ${hashOf(found)}`,
  )
}
const [one = new Map(), ...others] = streams
for (const other of others) {
  for (const { id, at, one: a, other: b } of differencesOf(one, other)) {
    bad += 1
    console.log(`${id}: event ${at + 1} differs\n  ${a}\n  ${b}`)
  }
}
if (bad === 0) rmSync(folder, { recursive: true, force: true })
else console.log(`Reports and traces: ${folder}`)
console.log(bad === 0 ? 'No flake, no difference.' : `${bad} flakes and differences.`)
process.exitCode = bad === 0 ? 0 : 1

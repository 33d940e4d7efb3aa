import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { authenticatorTables } from './authenticator.ts'
import { serviceTables } from './service.ts'

/**
 * npm run bench: how fast, measured beside what it stands on. `--quick` looks whether it works at all, `--out FILE` also
 * puts the tables into a file, below what is written there by hand: docs/performance.md is made that way.
 */
const { values } = parseArgs({ options: { quick: { type: 'boolean' }, out: { type: 'string' } } })
const options = { quick: values.quick === true, say: (text: string): void => console.error(text) }
const root = join(import.meta.dirname, '../..')
const machine = `${availableParallelism()} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform}`
const program = existsSync(join(root, 'out/main/cli.js')) ? 'built' : 'from source'

const text = [
  '## What `npm run bench` measured',
  '',
  `${machine}, Node ${process.versions.node}, ${program}. Everything on loopback. What is compared is measured in turn, and its ratio is taken within each round; intervals are of the median, 95 %, whatever the distribution.`,
  '',
  '### The service',
  '',
  await serviceTables(options),
  '### The phones',
  '',
  await authenticatorTables(options),
].join('\n')

console.log(text)

const BELOW = '<!-- npm run build && npm run bench -- --out docs/performance.md writes what follows -->\n'

if (values.out !== undefined) {
  const byHand = existsSync(values.out) ? (readFileSync(values.out, 'utf8').split(BELOW)[0] ?? '') : ''
  writeFileSync(values.out, `${byHand}${BELOW}\n${text}`)
}

import { parseArgs } from 'node:util'
import { authenticatorTables } from './authenticator.ts'
import { machineLine } from './machine.ts'
import { serviceTables } from './service.ts'
import { writeBelow } from './write-below.ts'

/**
 * npm run bench: how fast, measured beside what it stands on. `--quick` looks whether it works at all, `--out FILE` also
 * puts the tables into a file, below what is written there by hand: docs/performance.md is made that way.
 */
const { values } = parseArgs({ options: { quick: { type: 'boolean' }, out: { type: 'string' } } })
const options = { quick: values.quick === true, say: (text: string): void => console.error(text) }
const text = [
  '## What `npm run bench` measured',
  '',
  machineLine(),
  '',
  '### The service',
  '',
  await serviceTables(options),
  '### The phones',
  '',
  await authenticatorTables(options),
].join('\n')

console.log(text)

if (values.out !== undefined) writeBelow(values.out, 'npm run build && npm run bench', text)

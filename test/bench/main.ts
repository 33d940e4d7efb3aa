import { parseArgs } from 'node:util'
import { authenticatorTables } from './authenticator.ts'
import { serviceTables } from './service.ts'
import { machineLine } from './statistics.ts'

/**
 * npm run bench: how fast, measured beside what it stands on. `--quick` looks whether it works at all.
 */
const { values } = parseArgs({ options: { quick: { type: 'boolean' } } })
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

import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { compareMany } from './compare.ts'
import { reportOf } from './report.ts'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    /** Where to write the page; without it, standard output. */
    write: { type: 'string' },
  },
})

const [count, seed] = [Number(values.count), Number(values.seed)]
if (!Number.isInteger(count) || count < 1 || !Number.isInteger(seed))
  throw new Error('--count and --seed are whole numbers')

const comparisons = await compareMany(count, seed)
const page = reportOf(comparisons, seed)
if (values.write === undefined) process.stdout.write(page)
else writeFileSync(values.write, page)

const refused = comparisons.filter(({ outcome }) => outcome === 'it refuses')
for (const { index, kind, cause } of refused) console.error(`ceremony ${index} (${kind}): ${cause}`)
process.exitCode = refused.length === 0 ? 0 : 1

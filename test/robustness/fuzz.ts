import { parseArgs } from 'node:util'
import { fuzz } from './fuzzer.ts'

/** npm run fuzz [-- --requests 20000 --seed 1] */
const { values } = parseArgs({
  options: { requests: { type: 'string', default: '20000' }, seed: { type: 'string', default: '1' } },
})
const { requests, tookMs, codes, problems, heapBytes } = await fuzz({
  requests: Number(values.requests),
  seed: Number(values.seed),
})
for (const problem of problems) console.error(problem)
const megabytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(1)
console.log(
  Object.entries(codes)
    .toSorted(([, a], [, b]) => b - a)
    .map(([code, times]) => `${code} × ${times}`)
    .join(', '),
)
console.log(
  `${requests} requests in ${(tookMs / 1000).toFixed(0)} s, ${problems.length} problems; ` +
    `heap ${megabytes(heapBytes.warm)} MB when warm, ${megabytes(heapBytes.end)} MB at the end.`,
)
process.exit(problems.length === 0 ? 0 : 1)

import { parseArgs } from 'node:util'
import { crashRounds } from './crash-rounds.ts'

/** npm run crash [-- --rounds 50 --seed 1] */
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '50' }, seed: { type: 'string', default: '1' } },
})
const { rounds, early, acknowledged, problems, tookMs } = await crashRounds({
  rounds: Number(values.rounds),
  seed: Number(values.seed),
})
for (const problem of problems) console.error(problem)
console.log(
  `${rounds} kills under load and ${early} while starting, in ${(tookMs / 1000).toFixed(0)} s. ` +
    `Acknowledged before them: ${acknowledged.messages} messages, ${acknowledged.results} results, ` +
    `${acknowledged.credentials} credentials. ${problems.length} of them missing or impossible.`,
)
process.exit(problems.length === 0 ? 0 : 1)

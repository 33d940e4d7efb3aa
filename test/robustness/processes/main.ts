import { parseArgs } from 'node:util'
import { processRounds } from './rounds.ts'

/** npm run crash:processes [-- --kills 50 --restarts 10 --seed 1] */
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '50' },
    restarts: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
  },
})
const [kills, restarts] = [Number(values.kills), Number(values.restarts)]
const { acknowledged, answers, refused, problems, tookMs } = await processRounds({
  kills,
  restarts,
  seed: Number(values.seed),
})
for (const problem of problems) console.error(problem)
console.log(
  `${kills} kills of a process and ${restarts} restarts of the database under load, in ${(tookMs / 1000).toFixed(0)} s. ` +
    `${answers} answers, ${refused} callers cut off or refused. Acknowledged: ${acknowledged.messages} messages, ` +
    `${acknowledged.results} results, ${acknowledged.credentials} credentials, ${acknowledged.pushes} pushes. ` +
    `${problems.length} of them missing, doubled or impossible.`,
)
process.exit(problems.length === 0 ? 0 : 1)

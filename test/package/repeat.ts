import { parseArgs } from 'node:util'
import { installPackage } from './install-package.ts'
import { NOTHING, openShopBench, type Played, type Suite } from './shop-bench.ts'

/**
 * npm run test:repeat [-- --rounds 20 --seed 1 --each 17]: the tests of the shop from the packed tarball, 119 in a round, in parallel on
 * one bench with one workspace, each round in another order. One flake, or one thing left behind, and it fails.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    each: { type: 'string', default: '17' },
  },
})
const [rounds, seed, each] = [Number(values.rounds), Number(values.seed), Number(values.each)]

/** In a round: registration, sign-in by code and by push, refusal, expiry, phishing. */
const TESTS = 7 * each

const failuresIn = ({ suites = [], specs }: Suite): readonly string[] => [
  ...specs
    .filter(({ ok }) => !ok)
    .map(({ title, tests }) => {
      const errors = tests.flatMap(({ results }) => results.flatMap((result) => result.errors))
      return `${title}: ${errors.map(({ message }) => message ?? '').join(' ')}`
    }),
  ...suites.flatMap(failuresIn),
]

/** What went wrong in a round, a line each. */
const problemsOf = (
  { stats, suites }: Played,
  left: Readonly<Record<string, readonly unknown[]>>,
): readonly string[] => [
  ...suites.flatMap(failuresIn),
  ...(stats.flaky > 0 ? [`${stats.flaky} passed only the second time.`] : []),
  ...(stats.expected === TESTS ? [] : [`${stats.expected} of ${TESTS} tests passed.`]),
  ...Object.keys(NOTHING).flatMap((name) => {
    const count = left[name]?.length ?? 0
    return count === 0 ? [] : [`${name}: ${count} left on the bench.`]
  }),
]

const installed = installPackage()
const bench = await openShopBench(installed.folder)
const began = performance.now()
let passed = 0
let broken = 0
try {
  for (let round = 1; round <= rounds; round++) {
    const order = seed + round - 1
    const started = performance.now()
    const played = await bench.play('shop', '--repeat-each', String(each), '--shuffle', String(order))
    const problems = problemsOf(played, await bench.leftovers())
    passed += played.stats.expected
    if (problems.length > 0) broken++
    const took = ((performance.now() - started) / 1000).toFixed(1)
    console.log(`Round ${round}, seed ${order}: ${played.stats.expected} passed in ${took} s.`)
    for (const problem of problems) console.error(`  ${problem}`)
  }
} finally {
  bench.close()
  installed.remove()
}
const seconds = ((performance.now() - began) / 1000).toFixed(0)
console.log(
  `${rounds} rounds in ${seconds} s: ${passed} of ${rounds * TESTS} tests passed, ${broken} rounds with a problem.`,
)
process.exit(broken === 0 ? 0 : 1)

import { createRandom } from '../../src-main/bench/harness/random.ts'
import type { CheckedCase } from '../../src-main/core/contract/check-report.ts'
import { defaultProfile, type Profile } from '../../src-main/core/contract/profile.ts'
import { type CheckOptions, planCases, runCheck } from '../../src-main/testing/check/run-check.ts'
import { reportedCase } from '../../src-main/testing/check/told-case.ts'
import type { CheckTarget } from '../../src-main/testing/check/world.ts'

export const SECRETS = { one: 'one-secret-that-is-long-enough', two: 'two-secret-that-is-long-enough' }

/** Of the many answers with one mistake each, every twentieth; all other cases. */
export const FEWER_CASES = planCases(defaultProfile).filter(
  ({ says }, n) => says.heading !== 'The life of an answer' || n % 20 === 0,
)

/** Two RPs that know nothing of each other. */
export const TWO_RPS = Object.entries(SECRETS).map(([id, secret]) => ({
  ...{ name: id, rp_id: 'localhost', origins: ['http://localhost'] },
  keys: [{ id, secret }],
}))

type Target = Pick<CheckTarget, 'baseUrl' | 'appUrl'> & Partial<CheckTarget>

/** What `handset check` finds at a service that has these two RPs. */
export const checkService = async (
  target: Target,
  more: Partial<CheckOptions> & { readonly settings?: Partial<Profile> } = {},
): Promise<readonly CheckedCase[]> => {
  const profile = { ...defaultProfile, ...more.settings }
  const results = await runCheck({
    target: {
      key: { accessKeyId: 'one', secretKey: SECRETS.one },
      otherKey: { accessKeyId: 'two', secretKey: SECRETS.two },
      ...target,
    },
    ...{ cases: planCases(profile), profile, parallel: 4, slow: false },
    random: createRandom().stream('check', 'check', 'check'),
    now: Date.now,
    signal: new AbortController().signal,
    onResult: () => undefined,
    ...more,
  })
  return results.map((result) => reportedCase(result, { expected: {}, again: '' }))
}

/** What did not pass, as a test shows it. */
export const notPassed = (cases: readonly CheckedCase[]): readonly string[] =>
  cases.flatMap(({ verdict, id, text }) => (verdict === 'passed' ? [] : [`${verdict} ${id}: ${text ?? ''}`]))

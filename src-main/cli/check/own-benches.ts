import { realClock } from '../../bench/harness/clock.ts'
import { createRandom } from '../../bench/harness/random.ts'
import type { Recording } from '../../core/contract/parity-report.ts'
import { defaultProfile } from '../../core/contract/profile.ts'
import { isRpId, isRpOrigin } from '../../core/contract/rp-identity.ts'
import { isObject, parseJsonOrNothing } from '../../core/protocol/json.ts'
import type { PlayCases } from '../../testing/check/parity/parity.ts'
import { runCheck } from '../../testing/check/run-check.ts'
import { reportedCase } from '../../testing/check/told-case.ts'
import type { Environment } from '../command.ts'
import { needed, notDone } from '../command-end.ts'
import { startOwnBench } from '../own-bench.ts'

/** Plays cases on a new bench in memory, with the given profile. The cases use the recording's profile. */
export const playOnOwnBenches = (recording: Recording, environment: Environment, parallel: number): PlayCases => {
  const random = createRandom().stream('parity', 'parity', 'parity')
  const keys = ['one', 'two'].map((id) => ({ id, secret: Buffer.from(random.bytes(24)).toString('hex') }))
  return async (profile, cases) => {
    const rps = keys.map((key) => ({ ...rpOf(recording), keys: [key] }))
    const bench = await startOwnBench(environment, { seedData: { rps, phones: [], profile } })
    const { baseUrl, appUrl, close } = needed(bench, notDone)
    const [key, otherKey] = keys.map(({ id, secret }) => ({ accessKeyId: id, secretKey: secret }))
    if (key === undefined || otherKey === undefined) throw new Error('a bench needs two keys')
    try {
      const results = await runCheck({
        target: { baseUrl, appUrl, key, otherKey },
        ...{ cases, parallel, slow: false, signal: environment.stop, onResult: () => undefined },
        profile: { ...defaultProfile, ...recording.profile },
        random,
        now: () => realClock.now(),
      })
      const standing = { base_url: baseUrl, app_url: appUrl }
      return { standing, cases: results.map((result) => reportedCase(result, { expected: {}, again: '' })) }
    } finally {
      await close()
    }
  }
}

const USUAL_RP = { name: 'one', rp_id: 'localhost', origins: ['http://localhost'] }

/** The recorded RP, if a phone received it; otherwise the usual one. */
const rpOf = ({ cases }: Recording): typeof USUAL_RP => {
  for (const { response_body } of cases.flatMap(({ exchanges }) => exchanges)) {
    const rp = response_body.includes('"origins"') ? rpIn(response_body) : undefined
    if (rp !== undefined) return rp
  }
  return USUAL_RP
}

const rpIn = (body: string): typeof USUAL_RP | undefined => {
  const envelope = parseJsonOrNothing(body)
  if (!isObject(envelope) || !isObject(envelope.data) || !isObject(envelope.data.rp)) return undefined
  const { id, name, origins } = envelope.data.rp
  if (typeof name !== 'string' || typeof id !== 'string' || !Array.isArray(origins)) return undefined
  return isRpId(id) && origins.length > 0 && origins.every(isRpOrigin) ? { name, rp_id: id, origins } : undefined
}

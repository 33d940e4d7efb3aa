import { Buffer } from 'node:buffer'
import type { StepId } from '../../core/contract/judge/steps.ts'
import type { Profile } from '../../core/contract/profile.ts'
import type { RandomSource } from '../../core/protocol/random.ts'
import { makeAttestationAuthority } from '../../phones/authenticator/attestation/attestation-authority.ts'
import type { Case, Need } from './case.ts'
import { ceremonyCases } from './cases/ceremonies.ts'
import { credentialCases } from './cases/credentials.ts'
import { messageCases } from './cases/messages.ts'
import { parameterCases } from './cases/parameters.ts'
import { phoneAppCases } from './cases/phone-app.ts'
import { signingCases } from './cases/signing.ts'
import type { Phone } from './check-phone.ts'
import { caseId, type Finding } from './finding.ts'
import { type PlayedCase, type PlayOptions, playCases } from './play-cases.ts'
import { type CheckedSentence, sentenceFor } from './says.ts'
import { type CheckTarget, createWorld } from './world.ts'

export type CheckResult = PlayedCase<PlannedCase>

export type CheckOptions = PlayOptions<PlannedCase> & {
  readonly target: CheckTarget
  readonly profile: Profile
  readonly random: RandomSource
  /** Includes the cases that wait until messages expire. */
  readonly slow: boolean
  /** A person with a phone, who answers instead of our phones. */
  readonly hand?: Phone | undefined
}

/** Plays the cases; those that wait for an expiry first, as they take longest. Results come in the order of the plan. */
export const runCheck = async (options: CheckOptions): Promise<readonly CheckResult[]> => {
  const { target, cases, profile, random, now, slow, hand } = options
  const attestationKeys = makeAttestationAuthority({ random, now: now() })
  const has: Readonly<Record<Need, boolean>> = {
    phone: target.appUrl !== undefined || hand !== undefined,
    'own-phone': target.appUrl !== undefined && hand === undefined,
    'other-rp': target.otherKey !== undefined,
    expiry: slow,
  }
  const run = Buffer.from(random.bytes(4)).toString('hex')
  const numbers = new Map(cases.map((each, n) => [each, n.toString(36)]))
  const waiting = slow ? cases.filter((each) => waits(each) === 1).length : 0
  const played = await playCases({
    ...options,
    cases: cases.toSorted((a, b) => waits(b) - waits(a)),
    parallel: hand === undefined ? options.parallel + waiting : 1,
    missing: ({ needs }) => {
      const missing = needs.find((need) => !has[need])
      return missing === undefined ? undefined : MISSING[missing]
    },
    play: (each, send) =>
      each.run(
        createWorld(target, { profile, random, attestationKeys, hand, run: `${run}${numbers.get(each)}`, now, send }),
      ),
  })
  const results = new Map(played.map((result) => [result.case, result]))
  const absent = new Set<string>()
  return cases.flatMap((planned) => {
    const result = results.get(planned)
    const part = result?.finding.absent
    if (result === undefined || (part !== undefined && absent.has(part))) return []
    if (part !== undefined) absent.add(part)
    return [result]
  })
}

const waits = ({ needs }: PlannedCase): number => (needs.includes('expiry') ? 1 : 0)

export type PlannedCase = Omit<Case, 'step'> & {
  readonly id: string
  readonly says: CheckedSentence & { readonly step?: StepId }
}

const planned = ({ step, ...each }: Case): PlannedCase => {
  const id = caseId(each.name)
  if (step === undefined) return { ...each, id, says: sentenceFor(id) }
  return { ...each, id, says: { ...sentenceFor(id), step }, run: (world) => each.run(world).then(withStep(step)) }
}

/** Adds the step to a finding, so that a reader can look it up. */
const withStep =
  (step: StepId) =>
  (finding: Finding): Finding =>
    finding.text === undefined
      ? finding
      : { ...finding, text: `${finding.text} (WebAuthn §${step.replace(/\.(\d+)$/, ' step $1')})` }

export const ALL_CASES: readonly PlannedCase[] = [
  ...signingCases,
  ...parameterCases,
  ...messageCases,
  ...credentialCases,
  ...phoneAppCases,
  ...ceremonyCases,
].map(planned)

/** The cases that apply to a service with this profile. */
export const planCases = (profile: Profile): readonly PlannedCase[] =>
  ALL_CASES.filter(({ applies }) => applies?.(profile) ?? true)

/** Why a case cannot be played, by what it needs. */
const MISSING: Readonly<Record<Need, string>> = {
  phone: 'nobody answers: give --app-url, or --by-hand',
  'own-phone': 'it takes a phone of ours: give --app-url',
  'other-rp': 'it takes the access key of another RP: give --other-access-key',
  expiry: 'it waits until a message expires: give --slow',
}

import { Buffer } from 'node:buffer'
import type { StepId } from '../../core/contract/judge/steps.ts'
import type { Profile } from '../../core/contract/profile.ts'
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
import { sentenceFor } from './says.ts'
import type { ReportableCase } from './told-case.ts'
import { type CheckTarget, createWorld } from './world.ts'

export type CheckOptions = PlayOptions<PlannedCase> & {
  readonly target: CheckTarget
  readonly profile: Profile
  /** Includes the cases that wait until messages expire. */
  readonly slow: boolean
  /** A person with a phone, who answers instead of our phones. */
  readonly hand?: Phone | undefined
}

/** Plays the cases; those that wait for an expiry first, as they take longest. Results come in the order of the plan. */
export const runCheck = async (options: CheckOptions): Promise<readonly PlayedCase<PlannedCase>[]> => {
  const { target, cases, random, now, slow, hand } = options
  const attestationKeys = makeAttestationAuthority({ random, now: now() })
  const missing = missingNeeds(options)
  const run = Buffer.from(random.bytes(4)).toString('hex')
  const numbers = new Map(cases.map((each, n) => [each, n.toString(36)]))
  const waiting = slow ? cases.filter((each) => waits(each) === 1).length : 0
  const played = await playCases({
    ...options,
    cases: cases.toSorted((a, b) => waits(b) - waits(a)),
    parallel: hand === undefined ? options.parallel + waiting : 1,
    missing: ({ needs }) => needs.map((need) => missing[need]).find((why) => why !== undefined),
    play: (each, send) =>
      each.run(createWorld(target, { ...options, attestationKeys, run: `${run}${numbers.get(each)}`, send })),
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

export type PlannedCase = Omit<Case, 'step'> & ReportableCase

const planned = ({ step, ...each }: Case): PlannedCase => {
  const id = caseId(each.name)
  const says = sentenceFor(id)
  if (step === undefined) return { ...each, id, says }
  return { ...each, id, says: { ...says, step }, run: async (world) => withStep(await each.run(world), step) }
}

/** Adds the step to a finding, so that a reader can look it up. */
const withStep = (finding: Finding, step: StepId): Finding =>
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

/** Why a case cannot be played, by what it needs; undefined where that is there. */
const missingNeeds = ({
  target: { appUrl, otherKey },
  hand,
  slow,
}: CheckOptions): Readonly<Record<Need, string | undefined>> => ({
  phone: appUrl !== undefined || hand !== undefined ? undefined : 'nobody answers: give --app-url, or --by-hand',
  'own-phone': appUrl !== undefined && hand === undefined ? undefined : 'it takes a phone of ours: give --app-url',
  'other-rp': otherKey === undefined ? 'it takes the access key of another RP: give --other-access-key' : undefined,
  expiry: slow ? undefined : 'it waits until a message expires: give --slow',
})

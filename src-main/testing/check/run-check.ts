import { Buffer } from 'node:buffer'
import type { StepId } from '../../core/contract/judge/steps.ts'
import type { Profile } from '../../core/contract/profile.ts'
import type { RandomSource } from '../../core/protocol/random.ts'
import { makeAttestationAuthority } from '../../phones/authenticator/attestation/attestation-authority.ts'
import type { Case, Finding, Need } from './case.ts'
import { ceremonyCases } from './cases/ceremonies.ts'
import { credentialCases } from './cases/credentials.ts'
import { messageCases } from './cases/messages.ts'
import { parameterCases } from './cases/parameters.ts'
import { phoneAppCases } from './cases/phone-app.ts'
import { signingCases } from './cases/signing.ts'
import type { Phone } from './check-phone.ts'
import { CannotGoOn, type KeptExchange, send } from './exchange.ts'
import { type Says, sentenceFor } from './says.ts'
import { type CheckTarget, createWorld } from './world.ts'

export type CheckResult = {
  readonly case: PlannedCase
  readonly finding: Finding
  readonly exchanges: readonly KeptExchange[]
  readonly tookMs: number
}

export type CheckOptions = {
  readonly target: CheckTarget
  readonly cases: readonly PlannedCase[]
  readonly profile: Profile
  readonly random: RandomSource
  /** Real time, like that of the service under test. */
  readonly now: () => number
  /** How many cases are played at a time. */
  readonly parallel: number
  /** Includes the cases that wait until messages expire. */
  readonly slow: boolean
  /** A person with a phone, who answers instead of our phones. */
  readonly hand?: Phone | undefined
  readonly patienceMs?: number
  readonly signal: AbortSignal
  readonly onResult: (result: CheckResult) => void
}

/** After this many calls in a row without an answer, the check stops waiting. */
const MOST_SILENT = 5

/** Plays the cases; those that wait for an expiry first, as they take longest. Results come in the order of the plan. */
export const runCheck = async (options: CheckOptions): Promise<readonly CheckResult[]> => {
  const { target, cases, profile, random, slow, hand, patienceMs, signal, onResult } = options
  let silent = 0
  const patiently: typeof send = async (origin, request, how) => {
    if (silent >= MOST_SILENT) return { request, problem: 'timed out', tookMs: 0 }
    const exchange = await send(origin, request, { ...how, patienceMs })
    if (exchange.problem !== 'not sendable') silent = exchange.response === undefined ? silent + 1 : 0
    return exchange
  }
  const attestationKeys = makeAttestationAuthority({ random, now: options.now() })
  const has: Readonly<Record<Need, boolean>> = {
    phone: target.appUrl !== undefined || hand !== undefined,
    'own-phone': target.appUrl !== undefined && hand === undefined,
    'other-rp': target.otherKey !== undefined,
    expiry: slow,
  }
  const run = Buffer.from(random.bytes(4)).toString('hex')
  const play = async (planned: PlannedCase, n: number): Promise<CheckResult> => {
    const missing = planned.needs.find((need) => !has[need])
    const skipped = (text: string): CheckResult => {
      return { case: planned, finding: { verdict: 'skipped', text }, exchanges: [], tookMs: 0 }
    }
    if (missing !== undefined) return skipped(MISSING[missing])
    if (silent >= MOST_SILENT) return skipped('the service no longer answers')
    const from = performance.now()
    const own = `${run}${n.toString(36)}`
    const world = createWorld(target, {
      ...{ profile, random, attestationKeys, hand, run: own, now: options.now, send: patiently },
    })
    const finding = await planned.run(world).catch((reason: unknown): Finding => {
      if (reason instanceof CannotGoOn) return { verdict: 'vacuous', text: reason.message }
      // A bug in the case, revealed by a strange answer: the other cases keep their verdicts.
      return { verdict: 'vacuous', text: `the case broke off: ${String(reason)}` }
    })
    return { case: planned, finding, exchanges: world.exchanges, tookMs: performance.now() - from }
  }
  const results = new Map<PlannedCase, CheckResult>()
  const order = [...cases.entries()].toSorted(([, a], [, b]) => waits(b) - waits(a))
  const waiting = slow ? order.filter(([, each]) => waits(each) === 1).length : 0
  const worker = async (): Promise<void> => {
    for (let next = order.shift(); next !== undefined && !signal.aborted; next = order.shift()) {
      const [n, planned] = next
      const result = await play(planned, n)
      results.set(planned, result)
      onResult(result)
    }
  }
  const workers = hand === undefined ? options.parallel + waiting : 1
  await Promise.all(Array.from({ length: workers }, worker))
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

export type PlannedCase = Omit<Case, 'step'> & { readonly id: string; readonly says: Says & { readonly step?: StepId } }

const planned = ({ step, ...each }: Case): PlannedCase => {
  const id = idOf(each)
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

/** The case's name as an ID, for files and the command line. */
const idOf = ({ name }: Pick<Case, 'name'>): string =>
  name
    .toLowerCase()
    .replaceAll(/[’']/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')

export const ALL_CASES: readonly PlannedCase[] = [
  ...signingCases,
  ...parameterCases,
  ...messageCases,
  ...credentialCases,
  ...phoneAppCases,
  ...ceremonyCases,
].map(planned)

/** The cases that apply to a service with this profile. */
export const planOf = (profile: Profile): readonly PlannedCase[] =>
  ALL_CASES.filter(({ applies }) => applies?.(profile) ?? true)

/** Why a case cannot be played, by what it needs. */
const MISSING: Readonly<Record<Need, string>> = {
  phone: 'nobody answers: give --app-url, or --by-hand',
  'own-phone': 'it takes a phone of ours: give --app-url',
  'other-rp': 'it takes the access key of another RP: give --other-access-key',
  expiry: 'it waits until a message expires: give --slow',
}

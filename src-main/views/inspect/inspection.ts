import type { FactValue, InspectedKind } from '../../core/contract/inspection.ts'
import type { JudgedStep } from '../../core/contract/judge/verdict.ts'
import type { JudgeCrypto } from '../../core/judge/crypto-port.ts'
import type { SigningCrypto } from '../../core/judge/signing/draft.ts'
import type { Bytes } from '../../core/protocol/bytes.ts'
import type { Millis } from '../../core/protocol/time.ts'
import type { DecodedPart } from './parts.ts'

/** `name`: the number of a WebAuthn step, or another word. */
export type Check = Pick<JudgedStep, 'outcome' | 'expected' | 'received' | 'at'> & {
  readonly name: string
  readonly word?: string
}

export const MAX_INSPECTED_BYTES = 4 * 1024 * 1024

export type VerdictInput = 'options' | 'origin' | 'public-key' | 'access-key' | 'certificate'

export type Inspection = {
  readonly kind: InspectedKind
  /** How it was written: `text`, `hex`, `base64url`, …, from the outside in. */
  readonly written: readonly string[]
  readonly facts: readonly Fact[]
  readonly parts: readonly DecodedPart<string>[]
  readonly checks: readonly Check[]
  /** Absent if there is nothing to verify, or if an input for the verdict is missing. */
  readonly verdict?: 'verified' | 'refused'
  readonly missing: readonly VerdictInput[]
  /** Inspections of inner data, such as the chain of a JWS. */
  readonly within: readonly Inspection[]
}

export type Fact = readonly [name: string, value: FactValue]

/** In the order of the members, without those that have no value. */
export const factsIn = (members: Readonly<Record<string, FactValue | undefined>>): readonly Fact[] =>
  Object.entries(members).flatMap(([name, value]): readonly Fact[] => (value === undefined ? [] : [[name, value]]))

export const textOrUndefined = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

export type GivenInputs = {
  readonly options?: unknown
  readonly origins?: readonly string[]
  readonly rpId?: string
  /** RP IDs that may explain a hash; no verdict depends on them. */
  readonly knownRpIds?: readonly string[]
  /** COSE or SubjectPublicKeyInfo. */
  readonly publicKey?: Bytes
  readonly signCount?: number
  readonly accessKey?: { readonly id: string; readonly secret: string }
  /** DER. */
  readonly roots?: readonly Bytes[]
}

export type InspectContext = {
  readonly crypto: JudgeCrypto
  readonly signing: SigningCrypto
  /** Awaited now and then in long work, to let other tasks use the thread. */
  readonly pause?: () => Promise<void>
  readonly now: Millis
  readonly given: GivenInputs
  readonly inspect: (input: Bytes | string, written: readonly string[]) => Promise<Inspection | undefined>
}

/** The result of one recogniser; `inspect` adds the other members. */
export type Recognised = Pick<Inspection, 'kind'> & Partial<Omit<Inspection, 'kind' | 'written'>>

export const inspectionOf = (found: Recognised, written: readonly string[]): Inspection => ({
  ...{ facts: [], parts: [], checks: [], missing: [], within: [] },
  ...found,
  written,
})

export const refusedAs = (kind: InspectedKind, name: string): Recognised => ({
  kind,
  checks: [{ name, outcome: 'failed' }],
  verdict: 'refused',
})

export const UNAVAILABLE = 'algorithm_unavailable'

/** Something cannot be verified, because this platform lacks an algorithm. */
export const isUnverifiable = ({ checks, within }: Pick<Inspection, 'checks' | 'within'>): boolean =>
  checks.some(({ outcome, word }) => outcome === 'skipped' && word === UNAVAILABLE) || within.some(isUnverifiable)

/** A skipped check has no effect, but one that cannot be computed leaves the verdict open. */
export const withVerdict = (checks: readonly Check[]): Pick<Inspection, 'checks' | 'verdict'> => {
  if (checks.some(({ outcome }) => outcome === 'failed')) return { checks, verdict: 'refused' }
  if (isUnverifiable({ checks, within: [] })) return { checks }
  return checks.some(({ outcome }) => outcome === 'passed') ? { checks, verdict: 'verified' } : { checks }
}

import type { FaultName } from '../../../core/contract/faults.ts'
import { ALGORITHMS, type AlgorithmName } from '../algorithms.ts'
import type { AttestationKind, Storage } from '../models.ts'
import type { SeamContext, SeamDrafts, Seams } from '../seams.ts'
import type { PhoneAction } from './phone-action-names.ts'

export type Ceremony = 'registration' | 'authentication'

export type FaultSeam =
  | 'client data'
  | 'authenticator data'
  | 'attestation'
  | 'assertion signature'
  | 'protocol'
  | 'transport'
  | 'time'
  | 'signal'

/**
 * Outcome at a correct service: `success` and `timeout` are the message's status, any other text is the failure word of
 * status `fail`, and a number is the code with which the service refuses the phone's call. `none`: no message is concerned.
 */
export type FaultOutcome = string | number

/** Requirements of a fault; without them it changes nothing, or the attempt ends differently. */
export type FaultNeeds = {
  readonly attestation?: readonly AttestationKind[]
  readonly algorithms?: readonly AlgorithmName[]
  readonly storage?: Storage
  /** The credential has signed in before, so the service has seen its counter above zero. */
  readonly signedInBefore?: true
  readonly profile?: Readonly<Record<string, unknown>>
  readonly method?: 'push'
  readonly phones?: 2
}

export type FaultDefinition = {
  readonly ceremony: Ceremony | 'both' | 'none'
  readonly seam: FaultSeam
  readonly expected: FaultOutcome | Readonly<Record<Ceremony, FaultOutcome>>
  readonly needs?: FaultNeeds
  readonly apply: { readonly seams: Seams } | { readonly phone: PhoneAction }
}

export type FaultTable = Readonly<Record<string, FaultDefinition>>

/** Makes rows of a table: the outcome at a correct service, its needs unless they are the `usual` ones, and the change. */
export const faultsAt =
  (ceremony: FaultDefinition['ceremony'], seam: FaultSeam, usual?: FaultNeeds) =>
  (expected: FaultDefinition['expected'], needs = usual) =>
  (change: Seams | { readonly phone: PhoneAction }): FaultDefinition => ({
    ...{ ceremony, seam, expected, apply: 'phone' in change ? change : { seams: change } },
    ...(needs === undefined ? {} : { needs }),
  })

/** A copy with the lowest bit of one octet flipped; a negative position counts from the end. */
export const flipBit = (bytes: Uint8Array, at: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(bytes, (octet, i) => (i === at || i - bytes.length === at ? octet ^ 1 : octet))

/** Makes seams that change members of one step's draft. */
export const changing =
  <Name extends keyof SeamDrafts>(name: Name) =>
  (change: (draft: SeamDrafts[Name], context: SeamContext) => Partial<SeamDrafts[Name]>): Seams => ({
    [name]: (draft: SeamDrafts[Name], context: SeamContext) => ({ ...draft, ...change(draft, context) }),
  })

export type Fault = FaultDefinition & { readonly name: FaultName }

export const affects = (fault: Fault, ceremony: Ceremony): boolean =>
  fault.ceremony === 'both' || fault.ceremony === ceremony

/** A signature of another algorithm lacks the data that the fault would change, so it stays correct. */
const whereFelt =
  (seam: AnySeam, { algorithms }: FaultNeeds = {}): AnySeam =>
  (draft, context) => {
    const { algorithm } = (context as SeamContext).credential
    const felt = algorithms === undefined || algorithms.some((name) => ALGORITHMS[name].cose === algorithm)
    return felt ? seam(draft, context) : draft
  }

type AnySeam = (draft: unknown, context: unknown) => unknown

/** The seams of several faults as one: where two share a seam, the later one gets the earlier one's result. */
export const joinSeams = (faults: readonly Pick<FaultDefinition, 'apply' | 'needs'>[]): Seams => {
  const joined: Record<string, AnySeam> = {}
  for (const { apply, needs } of faults) {
    if (!('seams' in apply)) continue
    for (const [name, bare] of Object.entries(apply.seams) as [keyof Seams, AnySeam][]) {
      const seam = name === 'algorithm' ? bare : whereFelt(bare, needs)
      const before = joined[name]
      joined[name] = before === undefined ? seam : (draft, context) => seam(before(draft, context), context)
    }
  }
  return joined as Seams
}

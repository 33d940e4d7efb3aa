import type { StepId } from '../../core/contract/judge/steps.ts'
import type { Profile } from '../../core/contract/profile.ts'
import { type Exchange, isSuccess, readEnvelope, responseLine } from './exchange.ts'
import { type Finding, failed, passed, passIf, vacuous } from './finding.ts'
import type { World } from './world.ts'

/**
 * `phone`: any phone that answers, or a person with one. `own-phone`: a phone of ours, whose calls are recorded.
 * `other-rp`: the access key of another RP. `expiry`: time to wait until a message expires.
 */
export type Need = 'phone' | 'own-phone' | 'other-rp' | 'expiry'

export type Case = {
  readonly name: string
  readonly needs: readonly Need[]
  /** The WebAuthn verification step that this case tests. */
  readonly step?: StepId | undefined
  /** False if the case checks nothing with this profile. Without this function the case always applies. */
  readonly applies?: ((profile: Profile) => boolean) | undefined
  run(world: World): Promise<Finding>
}

/** Makes cases that have no valid twin. */
export const createCaseMaker =
  (...needs: readonly Need[]) =>
  (name: string, run: Case['run']): Case => ({ name, needs, run })

export const plainCase = createCaseMaker()
export const ownPhoneCase = createCaseMaker('own-phone')

/** If the profile reports errors with HTTP 200, only the code can show a refusal. */
export const isRefusal = (exchange: Exchange, code: number, { profile }: World): boolean =>
  exchange.response?.status === (profile.http_status === 'always-200' ? 200 : Math.floor(code / 100)) &&
  readEnvelope(exchange).code === code

/** Passes if the service refused with this code; otherwise the verdict says what came instead. */
export const checkRefusal = (exchange: Exchange, code: number, world: World): Finding =>
  passIf(isRefusal(exchange, code, world), `expected code ${code}; got ${responseLine(exchange)}`)

type TwinOptions = {
  readonly needs?: readonly Need[]
  readonly applies?: Case['applies']
  readonly valid: (world: World) => Promise<Exchange>
  readonly changed: (world: World) => Promise<Exchange>
}

/**
 * The valid twin must be accepted, and the same call with one change must be refused with this code and its HTTP
 * status. A service that refuses everything fails, because it refuses the twin too.
 */
export const refusedCase = (
  name: string,
  { code, needs = [], applies, valid, changed }: TwinOptions & { readonly code: number },
): Case => ({
  ...{ name, needs, applies },
  run: async (world) => {
    const twin = await valid(world)
    if (!isSuccess(twin)) return vacuous(`its valid twin was not accepted: ${responseLine(twin)}`)
    return checkRefusal(await changed(world), code, world)
  },
})

/** An alternative that the document allows: it must be accepted, and its wrong twin must not. */
export const acceptedCase = (name: string, { needs = [], applies, valid, changed }: TwinOptions): Case => ({
  ...{ name, needs, applies },
  run: async (world) => {
    const exchange = await valid(world)
    if (!isSuccess(exchange)) return failed(`expected code 0; got ${responseLine(exchange)}`)
    const wrong = await changed(world)
    return isSuccess(wrong) ? vacuous('what is wrong is accepted as well') : passed
  },
})

/** The document does not decide this: a failure is only a warning. */
export const asWarning = (each: Case): Case => ({
  ...each,
  run: async (world) => {
    const finding = await each.run(world)
    return finding.verdict === 'failed' ? { ...finding, verdict: 'warning' } : finding
  },
})

import { decodeAttestationObject } from '../../core/judge/attestation-object.ts'
import { decodeAuthenticatorData } from '../../core/judge/authenticator-data.ts'
import type { StoredCredential } from '../../core/judge/ceremony-case.ts'
import { judgeAuthentication } from '../../core/judge/judge-authentication.ts'
import { judgeRegistration } from '../../core/judge/judge-registration.ts'
import type { Verdict } from '../../core/judge/verdict.ts'
import { type Bytes, fromBase64url } from '../../core/protocol/bytes.ts'
import { isObject, type JsonObject } from '../../core/protocol/json.ts'
import type { CreationOptionsJson, RequestOptionsJson } from '../../core/protocol/webauthn-json.ts'
import { authenticatorDataFacts } from './authenticator-kinds.ts'
import { type Bench, type Check, type Found, judged, UNAVAILABLE, type Wanted } from './inspection.ts'
import { responseParts } from './parts.ts'
import { coseIn, coseKeyIn } from './public-key-in.ts'
import { originIn } from './whose-hash.ts'

/** PublicKeyCredential as JSON, of either ceremony. */
export type Answer = JsonObject & { readonly response: JsonObject }

/** Judged as the service would, with the other input given. */
export const ceremonyFound = async (answer: Answer, bench: Bench): Promise<Found> => {
  const { response } = answer
  const isRegistration = typeof response.attestationObject === 'string'
  const data = bytesOf(response, 'authenticatorData') ?? attested(bytesOf(response, 'attestationObject'))
  const own = originIn(bytesOf(response, 'clientDataJSON'))
  const asked = askedOf(bench.given.options)
  // The answer's own claims may name the source of a hash; they must not affect a verdict.
  const hinted = { ...bench, given: { ...bench.given, origins: [...(bench.given.origins ?? []), ...own] } }
  const missing: readonly Wanted[] = [
    ...(asked === undefined ? (['options'] as const) : []),
    ...(bench.given.origins === undefined ? (['origin'] as const) : []),
    ...(isRegistration || coseIn(bench.given.publicKey) !== undefined ? [] : (['public-key'] as const)),
  ]
  const found = {
    kind: isRegistration ? 'registration-response' : 'authentication-response',
    facts: [
      ['id', String(answer.id)],
      ...own.map((origin) => ['origin', origin] as const),
      ...(data === undefined ? [] : await authenticatorDataFacts(data, hinted)),
    ],
    parts: responseParts(response),
    missing,
  } as const
  if (missing.length > 0 || asked === undefined) return found
  const verdict = await (isRegistration ? judgeNew(answer, asked, bench) : judgeKnown(answer, asked, bench))
  return { ...found, ...judged(verdict.steps.map(checkOf)) }
}

const bytesOf = (response: JsonObject, name: string): Bytes | undefined => {
  const text = response[name]
  const bytes = typeof text === 'string' ? fromBase64url(text) : undefined
  return bytes?.ok === true ? bytes.value : undefined
}

const attested = (object: Bytes | undefined): Bytes | undefined =>
  object === undefined ? undefined : decodeAttestationObject(object).value?.authenticatorData

/** Options with a challenge, as they were given to the browser or within `publicKey`. */
const askedOf = (options: unknown): JsonObject | undefined => {
  const own = isObject(options) && isObject(options.publicKey) ? options.publicKey : options
  return isObject(own) && typeof own.challenge === 'string' ? own : undefined
}

const rpIdOf = (asked: JsonObject, { given }: Bench): string => {
  const told = isObject(asked.rp) ? asked.rp.id : asked.rpId
  // WebAuthn §5.1.3: without one it is the domain of the origin.
  return given.rpId ?? (typeof told === 'string' ? told : (URL.parse(given.origins?.[0] ?? '')?.hostname ?? ''))
}

const judgeNew = (response: Answer, asked: JsonObject, bench: Bench): Promise<Verdict<unknown>> => {
  const options = { pubKeyCredParams: [], ...asked } as unknown as CreationOptionsJson
  const roots = bench.given.roots ?? []
  return judgeRegistration(
    {
      ...{ response, options, roots, now: bench.now, rpId: rpIdOf(asked, bench), origins: bench.given.origins ?? [] },
      attestation: roots.length > 0 ? 'require-trusted' : 'accept-any',
      credentialKnown: () => false,
    },
    bench.crypto,
  )
}

const judgeKnown = (response: Answer, asked: JsonObject, bench: Bench): Promise<Verdict<unknown>> => {
  const options = { ...asked, rpId: rpIdOf(asked, bench) } as unknown as RequestOptionsJson
  const credential = storedCredential(response, bench)
  const handle = response.response.userHandle
  return judgeAuthentication(
    {
      ...{ response, options, rpId: options.rpId, origins: bench.given.origins ?? [], counterRegression: 'fail' },
      credential: () => credential,
      // The expected user is unknown.
      expectedUserHandle: typeof handle === 'string' ? handle : '',
    },
    bench.crypto,
  )
}

/** The record that an RP would have stored; only the answer itself has backup flags. */
const storedCredential = ({ response }: Answer, { given }: Bench): StoredCredential | undefined => {
  const publicKey = coseIn(given.publicKey)
  const key = publicKey === undefined ? undefined : coseKeyIn(publicKey)
  if (publicKey === undefined || key === undefined) return undefined
  const data = bytesOf(response, 'authenticatorData')
  const flags = data === undefined ? undefined : decodeAuthenticatorData(data).value?.flags
  return {
    publicKey,
    algorithm: key.algorithm,
    signCount: given.signCount ?? 0,
    backupEligible: flags?.backupEligible ?? false,
    backupState: flags?.backupState ?? false,
    userHandle: typeof response.userHandle === 'string' ? response.userHandle : '',
  }
}

/** A check that this platform cannot compute neither passes nor fails. */
const isUnavailable = ({ word, checks = [] }: Step): boolean => {
  const failed = checks.filter(({ outcome }) => outcome === 'failed')
  return word === UNAVAILABLE && failed.every((check) => check.word === UNAVAILABLE)
}

type Step = Verdict<unknown>['steps'][number]

const checkOf = (step: Step): Check => ({
  ...checkParts(step),
  ...(step.outcome === 'failed' && isUnavailable(step) ? { outcome: 'skipped' } : {}),
})

const checkParts = ({ id, outcome, word, expected, received, at }: Step): Check => ({
  name: id,
  outcome,
  ...(word === undefined ? {} : { word }),
  ...(expected === undefined ? {} : { expected }),
  ...(received === undefined ? {} : { received }),
  ...(at === undefined ? {} : { at }),
})

import type { AuthenticationResponseJSON, RegistrationResponseJSON, RootCertIdentifier } from '@simplewebauthn/server'
import type { AuthenticationCase, RegistrationCase } from '../../core/judge/ceremony-case.ts'
import { memberOf } from '../../core/judge/response-json.ts'
import type { Verdict } from '../../core/judge/verdict.ts'
import { isObject } from '../../core/protocol/json.ts'
import type { Millis } from '../../core/protocol/time.ts'
import { authenticationLimit, registrationLimit } from './library-limits.ts'
import { type Opinion, signatureOpinion } from './signature-opinion.ts'

const BY = '@simplewebauthn/server'

/** Never throws and uses no network. `wall` is the real time, which the library judges certificates by. */
export const secondOpinion = async (
  ceremony: RegistrationCase | AuthenticationCase,
  { wall }: { readonly wall: Millis },
): Promise<Opinion> => {
  try {
    return 'roots' in ceremony ? await onRegistration(ceremony, wall) : await onAuthentication(ceremony)
  } catch (cause) {
    return { heard: true, by: BY, accepts: false, reason: reasonOf(cause) }
  }
}

/** The library wraps some of its errors; the innermost says what happened. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message}: ${reasonOf(error.cause)}`
}

/** Rules the library has no parameter for: that it accepts what they refuse is no disagreement. */
const NOT_ASKED: ReadonlySet<string> = new Set([
  'attestation_none_refused',
  'attestation_self_refused',
  'credential_already_registered',
  'credential_not_allowed',
  'credential_of_another_user',
])

/** Compares only steps that both were asked about. */
export const agrees = (verdict: Pick<Verdict<unknown>, 'accepted' | 'failure'>, opinion: Opinion): boolean => {
  if (!opinion.heard || opinion.accepts === verdict.accepted) return true
  return verdict.failure !== undefined && NOT_ASKED.has(verdict.failure.word)
}

// Loaded with the first ceremony: it brings an ASN.1 stack that a start need not wait for.
const library = () => import('@simplewebauthn/server')

/** The library's roots are process-wide, so registrations take turns. */
let turn: Promise<unknown> = Promise.resolve()

const onRegistration = async (input: RegistrationCase, wall: Millis): Promise<Opinion> => {
  const why = registrationLimit(input, wall)
  if (why !== undefined) return signatureOpinion(input, why)
  const mine = turn.then(() => verifyRegistration(input))
  turn = mine.catch(() => undefined)
  return mine
}

const ROOTED = ['packed', 'tpm', 'android-key', 'apple', 'fido-u2f'] as const satisfies readonly RootCertIdentifier[]

const verifyRegistration = async (input: RegistrationCase): Promise<Opinion> => {
  const { SettingsService, verifyRegistrationResponse } = await library()
  const certificates = input.attestation === 'require-trusted' ? input.roots.map((root) => root.slice()) : []
  for (const identifier of ROOTED) SettingsService.setRootCertificates({ identifier, certificates })
  const { verified } = await verifyRegistrationResponse({
    response: input.response as RegistrationResponseJSON,
    expectedChallenge: input.options.challenge,
    expectedOrigin: [...input.origins],
    expectedRPID: input.rpId,
    requireUserVerification: input.options.authenticatorSelection?.userVerification === 'required',
    supportedAlgorithmIDs: input.options.pubKeyCredParams.map(({ alg }) => alg),
  })
  return verified ? { heard: true, by: BY, accepts: true } : NOT_VERIFIED
}

const NOT_VERIFIED: Opinion = { heard: true, by: BY, accepts: false, reason: { code: 'signature_not_verified' } }

const onAuthentication = async (input: AuthenticationCase): Promise<Opinion> => {
  const id = isObject(input.response) ? memberOf(input.response, 'id') : undefined
  const stored = typeof id === 'string' ? await input.credential(id) : undefined
  if (stored === undefined || typeof id !== 'string') return { heard: false, why: { code: 'credential_not_known' } }
  const why = authenticationLimit(stored, input.response)
  if (why !== undefined) return signatureOpinion(input, why)
  const { verifyAuthenticationResponse } = await library()
  const { verified } = await verifyAuthenticationResponse({
    response: input.response as AuthenticationResponseJSON,
    expectedChallenge: input.options.challenge,
    expectedOrigin: [...input.origins],
    expectedRPID: input.rpId,
    ...(input.crossOrigin?.allowed && { expectedTopOrigin: [...input.crossOrigin.topOrigins] }),
    requireUserVerification: input.options.userVerification === 'required',
    credential: {
      id,
      publicKey: stored.publicKey.slice(),
      counter: input.counterRegression === 'accept' ? 0 : stored.signCount,
    },
  })
  return verified ? { heard: true, by: BY, accepts: true } : NOT_VERIFIED
}

import type { FaultName } from '../../../core/contract/faults.ts'
import type { RandomSource } from '../../../core/protocol/random.ts'
import type { Result } from '../../../core/protocol/result.ts'
import type {
  AuthenticationResponseJson,
  CreationOptionsJson,
  RegistrationResponseJson,
  RequestOptionsJson,
} from '../../../core/protocol/webauthn-json.ts'
import type { AttestationAuthority } from '../../../phones/authenticator/attestation/attestation-authority.ts'
import { joinSeams } from '../../../phones/authenticator/faults/fault.ts'
import { FAULTS } from '../../../phones/authenticator/faults.ts'
import { asPlatformPasskey, getAssertion } from '../../../phones/authenticator/get-assertion.ts'
import { makeCredential } from '../../../phones/authenticator/make-credential.ts'
import {
  type AttestedFormat,
  type AuthenticatorModel,
  MODELS,
  UNKNOWN_MODEL,
} from '../../../phones/authenticator/models.ts'
import type { AuthenticatorRefusal, Credential, Seams } from '../../../phones/authenticator/seams.ts'
import { CaseEnded } from '../exchange.ts'
import { type Browser, type PageRequirements, pageOrigin, type User, type WebauthnTarget } from './server.ts'

/** Kinds of statements that a server may refuse. */
export type StatementKind = AttestedFormat | 'self'

/** The server as one case sees it. */
export type WebauthnWorld = {
  readonly target: WebauthnTarget
  readonly random: RandomSource
  readonly now: () => number
  readonly attestationKeys: AttestationAuthority
  browser(): Browser
  /** A new user, whose name the server does not know yet; padded to `octets` if the form has room. */
  user(octets?: number): User
  /** The server's reaction to honest attestation of this kind by unknown makers. Tried once. */
  attested(kind: StatementKind): Promise<AttestationTrial>
}

/** `otherwise`: algorithms for a server that offers none of the model's. */
export type CaseModel = AuthenticatorModel & { readonly otherwise?: AuthenticatorModel['algorithms'] }

/** `user`, `browser`: new ones unless given. `seams`: those of the fault unless given. */
export type CeremonyOptions = {
  readonly model?: CaseModel | undefined
  readonly fault?: FaultName | undefined
  readonly seams?: Seams
  readonly wishes?: PageRequirements
  readonly browser?: Browser
  readonly user?: User
}

/** Adds `honest`, the answer before these seams changed it, if they only change its JSON form. */
const observeSeams = ({ fault, seams = fault === undefined ? {} : joinSeams([FAULTS[fault]]) }: CeremonyOptions) => {
  const { registrationResponse, authenticationResponse, ...deeper } = seams
  let honest: RegistrationResponseJson | AuthenticationResponseJson | undefined
  const seeing = <D extends NonNullable<typeof honest>, X>(seam: (draft: D, context: X) => D = (draft) => draft) => {
    return (draft: D, context: X): D => {
      honest = draft
      return seam(draft, context)
    }
  }
  const seen: Seams = {
    ...deeper,
    registrationResponse: seeing(registrationResponse),
    authenticationResponse: seeing(authenticationResponse),
  }
  return { seams: seen, honest: () => (Object.keys(deeper).length > 0 ? undefined : honest) }
}

const attest = async (world: WebauthnWorld, options: CreationOptionsJson, model: CaseModel, seams: Seams = {}) => {
  const attestBy = (algorithms: AuthenticatorModel['algorithms']) =>
    makeCredential(
      {
        ...{ options, origin: pageOrigin(world.target), storage: model.storage, userVerified: true },
        model: { ...model, algorithms },
        ...{ existing: { forRp: () => [] }, seams },
      },
      world,
    )
  const made = await attestBy(model.algorithms)
  const isOffered = made.ok || made.error.code !== 'no_supported_algorithm'
  return isOffered || model.otherwise === undefined ? made : attestBy(model.otherwise)
}

const answered = <A>(answer: Result<A, AuthenticatorRefusal>, { algorithms } = UNKNOWN_MODEL): A => {
  if (answer.ok) return answer.value
  if (answer.error.code === 'no_supported_algorithm')
    throw new CaseEnded(`the server offers none of ${algorithms.join(', ')}`, 'skipped')
  throw new CaseEnded(`the authenticator cannot answer: ${answer.error.code} (${answer.error.got})`)
}

/** Requests options until the challenge has a letter in which base64 and base64url differ. */
const requestOptions = async <O extends { readonly challenge: string }>(
  ask: () => Promise<O>,
  { fault }: CeremonyOptions,
): Promise<O> => {
  let options = await ask()
  for (let n = 0; n < 20 && fault === 'challenge-in-plain-base64' && !/[-_]/.test(options.challenge); n++)
    options = await ask()
  return options
}

/** `isSent`: the page sends what the seams change. A page may send only some members of an answer. */
export const registerUser = async (world: WebauthnWorld, how: CeremonyOptions = {}) => {
  const { browser = world.browser(), user = world.user() } = how
  const options = await requestOptions(() => browser.askRegistration(user, how.wishes), how)
  const model = await acceptable(world, options, how.model)
  const { seams, honest } = observeSeams(how)
  const { response, credential } = answered(await attest(world, options, model, seams), model)
  const isSent = browser.sends('registration', response, honest())
  return { browser, user, options, credential, response, isSent, decision: await browser.register(response) }
}

export const wantsNoAttestation = ({ attestation = 'none' }: CreationOptionsJson): boolean => attestation === 'none'

/** Uses no attestation if the server refuses self attestation. */
const acceptable = async (world: WebauthnWorld, options: CreationOptionsJson, model = UNKNOWN_MODEL) =>
  model.attestation !== 'self' || wantsNoAttestation(options) || (await world.attested('self')).refusal === undefined
    ? model
    : { ...model, attestation: 'none' as const }

/** A model whose attestation the server accepts; or why it refused the first one. */
export type AttestationTrial = { readonly model?: AuthenticatorModel; readonly refusal?: string }

export const modelForStatement = (kind: StatementKind): AuthenticatorModel =>
  Object.values(MODELS).find(({ attestation }) => kind !== 'self' && attestation === kind) ?? UNKNOWN_MODEL

/** Tries honest registrations, which a server refuses if it trusts only certain makers. */
export const tryAttestation = async (world: WebauthnWorld, kind: StatementKind): Promise<AttestationTrial> => {
  const refusals: string[] = []
  const usual = modelForStatement(kind)
  // Windows' TPMs have only RSA keys, but a model with both kinds would choose EC: try RSA as well.
  const others: readonly AuthenticatorModel[] = kind === 'tpm' ? [{ ...usual, algorithms: ['RS256'] }] : []
  for (const model of [usual, ...others]) {
    const browser = world.browser()
    const options = await browser.askRegistration(world.user())
    const made = await attest(world, options, model)
    if (!made.ok) continue
    const { accepted, text } = await browser.register(made.value.response)
    if (accepted) return { model }
    refusals.push(text)
  }
  return { refusal: refusals[0] ?? 'no authenticator can answer these options' }
}

export const createAssertion = async (
  world: WebauthnWorld,
  options: RequestOptionsJson,
  { credential, seams = {} }: { readonly credential: Credential; readonly seams?: Seams },
) => {
  const credentials = { forRp: () => [asPlatformPasskey(credential, options)] }
  const request = { options, origin: pageOrigin(world.target), userVerified: true, credentials, seams }
  return answered(await getAssertion(request, world))
}

export type SigningIn = CeremonyOptions & {
  readonly browser: Browser
  readonly user: User
  readonly credential: Credential
}

export const signIn = async (world: WebauthnWorld, how: SigningIn) => {
  const { browser, user } = how
  const options = await requestOptions(() => browser.askSignIn(user, how.wishes), how)
  const { seams, honest } = observeSeams(how)
  const { response, credential } = await createAssertion(world, options, { credential: how.credential, seams })
  const isSent = browser.sends('sign_in', response, honest())
  return { browser, user, options, credential, response, isSent, decision: await browser.signIn(response) }
}

export const registerNewUser = async (world: WebauthnWorld, how: CeremonyOptions = {}) => {
  const made = await registerUser(world, how)
  if (!made.decision.accepted) throw new CaseEnded(`an honest registration was not accepted: ${made.decision.text}`)
  return made
}

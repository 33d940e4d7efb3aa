import { concat, fromBase64url, toBase64url, utf8 } from '../../core/protocol/bytes.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import type { AuthenticationResponseJson, RequestOptionsJson } from '../../core/protocol/webauthn-json.ts'
import { algorithmByCose, sha256 } from './algorithms.ts'
import { encodeAuthenticatorData, FLAGS } from './authenticator-data.ts'
import { draftClientData, encodeClientData, rpIdFitsOrigin } from './client-data.ts'
import { answerRequestExtensions } from './extensions.ts'
import { sign } from './private-key.ts'
import {
  type AuthenticatorPorts,
  type AuthenticatorRefusal,
  type ClientRequest,
  type Credential,
  type CredentialSource,
  seamApplier,
} from './seams.ts'

export type GetAssertionRequest = ClientRequest<RequestOptionsJson> & { readonly credentials: CredentialSource }

export type MadeAssertion = { readonly response: AuthenticationResponseJson; readonly credential: Credential }

/** The newest of the credentials that could answer. */
const newestMatching = async ({ options, userVerified, credentials }: GetAssertionRequest) => {
  const allowed = new Set(options.allowCredentials?.map(({ id }) => id))
  const listed = allowed.size > 0
  const held = await credentials.forRp(options.rpId, listed ? allowed : undefined)
  const [newest] = held
    .filter(({ rpId }) => rpId === options.rpId)
    .filter(({ id, discoverable }) => (listed ? allowed.has(id) : discoverable))
    .filter(({ extensions: { credProtect = 1 } }) => userVerified || credProtect === 1 || (credProtect === 2 && listed))
    .sort((a, b) => b.createdAt - a.createdAt)
  return newest
}

/** Most platforms make each passkey discoverable. Servers with an empty `allowCredentials` rely on that. */
export const asPlatformPasskey = (credential: Credential, { allowCredentials = [] }: RequestOptionsJson): Credential =>
  allowCredentials.length > 0 ? credential : { ...credential, discoverable: true }

/** WebAuthn §5.1.4 and §6.3.3 up to the point where the user has agreed. */
const chooseCredential = async (request: GetAssertionRequest): Promise<Result<Credential, AuthenticatorRefusal>> => {
  const { options, origin } = request
  if (!fromBase64url(options.challenge).ok) return err({ code: 'malformed_options', got: 'challenge' })
  if (!request.related && !rpIdFitsOrigin({ rpId: options.rpId, origin })) {
    return err({ code: 'rp_id_not_for_origin', got: `${options.rpId}, ${origin}` })
  }
  if (options.userVerification === 'required' && !request.userVerified) {
    return err({ code: 'user_verification_unavailable', got: 'userVerification' })
  }
  const credential = await newestMatching(request)
  return credential === undefined ? err({ code: 'no_matching_credential', got: options.rpId }) : ok(credential)
}

const advanceCounter = (credential: Credential): Credential =>
  credential.counter === 'growing' ? { ...credential, signCount: credential.signCount + 1 } : credential

/** authenticatorGetAssertion and the client around it: options in, an authentication response out. */
export const getAssertion = async (
  request: GetAssertionRequest,
  ports: AuthenticatorPorts,
): Promise<Result<MadeAssertion, AuthenticatorRefusal>> => {
  const chosen = await chooseCredential(request)
  if (!chosen.ok) return chosen
  const algorithm = algorithmByCose(chosen.value.algorithm)
  if (algorithm === undefined) throw new Error(`credential with unknown algorithm ${chosen.value.algorithm}`)
  const { options, userVerified } = request
  const { random, attestationKeys: authority } = ports
  const extensions = answerRequestExtensions({ options, credential: chosen.value, userVerified, random })
  const credential = advanceCounter({ ...chosen.value, extensions: extensions.state })
  const context = { ceremony: 'authentication', options, random, now: ports.now(), authority, credential } as const
  const applySeam = seamApplier(request.seams, context)

  const clientData = applySeam('clientData', draftClientData('webauthn.get', options.challenge, request))
  const clientDataJson = applySeam('clientDataJson', encodeClientData(clientData))

  const authenticatorData = applySeam('authenticatorData', {
    rpIdHash: sha256(utf8(options.rpId)),
    flags:
      FLAGS.UP |
      (userVerified ? FLAGS.UV : 0) |
      (credential.backupEligible ? FLAGS.BE : 0) |
      (credential.backupState ? FLAGS.BS : 0) |
      (extensions.output === undefined ? 0 : FLAGS.ED),
    signCount: credential.signCount,
    ...(extensions.output === undefined ? {} : { extensions: extensions.output }),
  })
  const authData = applySeam('authenticatorDataBytes', encodeAuthenticatorData(authenticatorData))

  const signing = applySeam('assertionSigning', {
    algorithm,
    privateKey: credential.privateKey,
    data: concat(authData, sha256(clientDataJson)),
  })
  const signature = applySeam('assertionSignature', sign({ ...signing, random }))

  const response = applySeam('authenticationResponse', {
    id: credential.id,
    rawId: credential.id,
    type: 'public-key',
    authenticatorAttachment: 'platform',
    clientExtensionResults: extensions.results,
    response: {
      clientDataJSON: toBase64url(clientDataJson),
      authenticatorData: toBase64url(authData),
      signature: toBase64url(signature),
      // CTAP 2.1 §6.2: only a discoverable credential knows its user.
      ...(credential.discoverable ? { userHandle: credential.userHandle } : {}),
    },
  })
  return ok({ response, credential })
}

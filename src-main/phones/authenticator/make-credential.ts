import { fromBase64url, fromHex, toBase64url, utf8 } from '../../core/protocol/bytes.ts'
import { err, ok, type Result, unwrap } from '../../core/protocol/result.ts'
import type { CreationOptionsJson, RegistrationResponseJson } from '../../core/protocol/webauthn-json.ts'
import { type Algorithm, algorithmNamed, sha256 } from './algorithms.ts'
import {
  type AttestationFormat,
  androidKey,
  androidSafetynet,
  apple,
  compound,
  fidoU2f,
  packed,
  packedSelf,
} from './attestation/formats/attestation-format.ts'
import { tpm } from './attestation/formats/tpm.ts'
import { coseKeyOf, encodeAttestationObject, encodeAuthenticatorData, FLAGS } from './authenticator-data.ts'
import { draftClientData, encodeClientData, rpIdFitsOrigin } from './client-data.ts'
import { answerCreationExtensions } from './extensions.ts'
import type { AttestationKind, AuthenticatorModel, Storage } from './models.ts'
import { makePrivateKey, publicKeyDer } from './private-key.ts'
import {
  type AuthenticatorPorts,
  type AuthenticatorRefusal,
  type ClientRequest,
  type Credential,
  type CredentialSource,
  seamApplier,
} from './seams.ts'

export type MakeCredentialRequest = ClientRequest<CreationOptionsJson> & {
  readonly model: AuthenticatorModel
  readonly storage: Storage
  readonly existing: CredentialSource
}

export type MadeCredential = { readonly response: RegistrationResponseJson; readonly credential: Credential }

// WebAuthn §5.1.3 step 10: an empty list means ES256 and RS256.
const DEFAULT_PARAMS = [-7, -257]

/** The first of the requested algorithms that the model has and its attestation supports. */
const chooseAlgorithm = ({ pubKeyCredParams }: CreationOptionsJson, model: AuthenticatorModel) => {
  const listed = pubKeyCredParams.filter(({ type }) => type === 'public-key').map(({ alg }) => alg)
  const wanted = pubKeyCredParams.length === 0 ? DEFAULT_PARAMS : listed
  const able: readonly Algorithm[] = model.algorithms
    .map(algorithmNamed)
    .filter(ATTESTATION_FORMATS[model.attestation].supports)
  const [chosen] = wanted.flatMap((cose) => able.find((algorithm) => algorithm.cose === cose) ?? [])
  return chosen
}

const residentKeyWish = ({ authenticatorSelection: selection }: CreationOptionsJson) =>
  selection?.residentKey ?? (selection?.requireResidentKey === true ? 'required' : 'discouraged')

/** WebAuthn §5.1.3 and §6.3.2 up to the point where the user has agreed. */
const checkRequest = async (request: MakeCredentialRequest): Promise<Result<Algorithm, AuthenticatorRefusal>> => {
  const { options, origin, model } = request
  const rpId = options.rp.id
  if (!fromBase64url(options.challenge).ok) return err({ code: 'malformed_options', got: 'challenge' })
  if (!fromBase64url(options.user.id).ok) return err({ code: 'malformed_options', got: 'user.id' })
  if (!request.related && !rpIdFitsOrigin({ rpId, origin })) {
    return err({ code: 'rp_id_not_for_origin', got: `${rpId}, ${origin}` })
  }
  const algorithm = chooseAlgorithm(options, model)
  if (algorithm === undefined) {
    const offered = options.pubKeyCredParams.map(({ alg }) => alg).join(', ')
    return err({ code: 'no_supported_algorithm', got: offered })
  }
  const excluded = new Set(options.excludeCredentials?.map(({ id }) => id))
  const held = (await request.existing.forRp(rpId, excluded)).find(({ id }) => excluded.has(id))
  if (held !== undefined) return err({ code: 'credential_excluded', got: held.id })
  if (residentKeyWish(options) === 'required' && !model.discoverable) {
    return err({ code: 'resident_key_unavailable', got: model.name })
  }
  if (options.authenticatorSelection?.userVerification === 'required' && !request.userVerified) {
    return err({ code: 'user_verification_unavailable', got: 'userVerification' })
  }
  return ok(algorithm)
}

/** WebAuthn §6.3.2 step 12: the first supported format of the list; a model supports its own and none. */
const prefersNone = ({ attestation = 'none', attestationFormats }: CreationOptionsJson, model: AuthenticatorModel) => {
  const own = ATTESTATION_FORMATS[model.attestation].fmt
  return attestation === 'none' || attestationFormats?.find((each) => [own, 'none'].includes(each)) === 'none'
}

/** authenticatorMakeCredential and the client around it: options in, a registration response out. */
export const makeCredential = async (
  request: MakeCredentialRequest,
  ports: AuthenticatorPorts,
): Promise<Result<MadeCredential, AuthenticatorRefusal>> => {
  const checked = await checkRequest(request)
  if (!checked.ok) return checked
  const chosen = checked.value.name
  const algorithm = algorithmNamed(request.seams?.algorithm?.(chosen, request.options) ?? chosen)
  const { options, model, storage, userVerified } = request
  const { random, attestationKeys: authority } = ports
  const now = ports.now()
  const cloud = storage === 'cloud'

  const privateKey = await makePrivateKey(algorithm, random)
  const credentialId = random.bytes(model.credentialIdLength)
  const counter = cloud ? 'zero' : model.counter
  const discoverable = model.discoverable && (cloud || residentKeyWish(options) !== 'discouraged')
  const extensions = answerCreationExtensions({ options, model, discoverable, userVerified, random })
  if (!extensions.ok) return extensions
  const credential: Credential = {
    id: toBase64url(credentialId),
    rpId: options.rp.id,
    userHandle: options.user.id,
    userName: options.user.name,
    displayName: options.user.displayName,
    algorithm: algorithm.cose,
    privateKey,
    aaguid: model.aaguid,
    discoverable,
    counter,
    signCount: counter === 'stuck' ? 1 : 0,
    backupEligible: cloud,
    backupState: cloud,
    transports: model.transports,
    createdAt: now,
    extensions: extensions.value.state,
  }
  const context = { ceremony: 'registration', options, random, now, authority, credential } as const
  const applySeam = seamApplier(request.seams, context)

  const clientData = applySeam('clientData', draftClientData('webauthn.create', options.challenge, request))
  const clientDataJson = applySeam('clientDataJson', encodeClientData(clientData))

  const aaguid = unwrap(fromHex(model.aaguid.replaceAll('-', '')), 'AAGUID')
  const rpIdHash = sha256(utf8(options.rp.id))
  const authenticatorData = applySeam('authenticatorData', {
    rpIdHash,
    flags:
      FLAGS.UP |
      FLAGS.AT |
      (userVerified ? FLAGS.UV : 0) |
      (cloud ? FLAGS.BE | FLAGS.BS : 0) |
      (extensions.value.output === undefined ? 0 : FLAGS.ED),
    signCount: credential.signCount,
    attested: {
      aaguid,
      credentialId,
      credentialIdLength: credentialId.length,
      publicKey: coseKeyOf(algorithm, privateKey),
    },
    ...(extensions.value.output === undefined ? {} : { extensions: extensions.value.output }),
  })
  const authData = applySeam('authenticatorDataBytes', encodeAuthenticatorData(authenticatorData))

  // WebAuthn §5.1.3: the default conveyance is "none", which leaves only self attestation unchanged.
  const format = ATTESTATION_FORMATS[prefersNone(options, model) ? 'none' : model.attestation]
  const attStmt = format.attest({
    authenticatorData: authData,
    clientDataHash: sha256(clientDataJson),
    rpIdHash: authenticatorData.rpIdHash,
    credentialId: authenticatorData.attested?.credentialId ?? credentialId,
    credentialKey: privateKey,
    algorithm,
    aaguid,
    model,
    authority: applySeam('attestationAuthority', authority),
    random,
    now,
    applySeam,
  })
  const object = applySeam('attestationObject', { fmt: format.fmt, attStmt, authData })
  const attestationObject = applySeam('attestationObjectBytes', encodeAttestationObject(object))

  const response = applySeam('registrationResponse', {
    id: credential.id,
    rawId: credential.id,
    type: 'public-key',
    authenticatorAttachment: 'platform',
    clientExtensionResults: extensions.value.results,
    response: {
      clientDataJSON: toBase64url(clientDataJson),
      attestationObject: toBase64url(attestationObject),
      authenticatorData: toBase64url(authData),
      transports: model.transports,
      publicKeyAlgorithm: algorithm.cose,
      publicKey: toBase64url(publicKeyDer(privateKey)),
    },
  })
  return ok({ response, credential })
}

/** WebAuthn §8.7. */
const none: AttestationFormat = { fmt: 'none', supports: () => true, attest: () => new Map() }

/** `self` and `packed` share a format identifier. */
export const ATTESTATION_FORMATS = {
  none,
  self: packedSelf,
  packed,
  'fido-u2f': fidoU2f,
  tpm,
  'android-key': androidKey,
  apple,
  'android-safetynet': androidSafetynet,
  compound,
} as const satisfies Record<AttestationKind, AttestationFormat>

import type { PROFILE_ALGORITHMS } from '../../core/contract/profile.ts'
import { coseAlgorithms, findAlgorithm } from '../../core/judge/algorithms.ts'
import { toBase64url } from '../../core/protocol/bytes.ts'
import { rememberByText } from '../../core/protocol/remember.ts'
import type {
  CreationOptionsJson,
  CredentialDescriptorJson,
  RequestOptionsJson,
} from '../../core/protocol/webauthn-json.ts'
import type { RequestContext } from '../services.ts'
import { hmacSha256 } from '../signing/hmac-sha256.ts'
import type { CredentialRecord, MessageRecord, RpRecord } from '../store/store.ts'

/** PublicKeyCredentialCreationOptionsJSON, made when the phone asks, so that it excludes what is registered then. */
export const creationOptions = async (
  context: RequestContext,
  rp: RpRecord,
  message: MessageRecord,
): Promise<CreationOptionsJson> => {
  const { profile } = context
  return {
    rp: { id: rp.rp_id, name: rp.name },
    user: { id: userHandle(rp, message.user_id), name: message.username, displayName: message.display_name },
    challenge: message.challenge,
    pubKeyCredParams: profile.algorithms.map((name) => ({ type: 'public-key', alg: algorithmNumber(name) })),
    timeout: message.expires_at - context.clock.now(),
    excludeCredentials: (await credentialsOf(context, message)).map(descriptor),
    authenticatorSelection: {
      residentKey: profile.resident_key,
      // WebAuthn §5.4.4: for Level 1 authenticators, true exactly with "required".
      requireResidentKey: profile.resident_key === 'required',
      userVerification: profile.user_verification,
    },
    attestation: profile.attestation_conveyance,
  }
}

/** PublicKeyCredentialRequestOptionsJSON. A user without credentials gets a list that looks like any other. */
export const requestOptions = async (
  context: RequestContext,
  rp: RpRecord,
  message: MessageRecord,
): Promise<RequestOptionsJson> => {
  const held = await credentialsOf(context, message)
  return {
    challenge: message.challenge,
    timeout: message.expires_at - context.clock.now(),
    rpId: rp.rp_id,
    allowCredentials: held.length === 0 ? [decoy(rp, message.user_id)] : held.map(descriptor),
    userVerification: context.profile.user_verification,
  }
}

const decoy = (rp: RpRecord, userId: string): CredentialDescriptorJson => ({
  type: 'public-key',
  id: decoyCredentialId(rp, userId),
})

const credentialsOf = (context: RequestContext, { rp, user_id }: MessageRecord): Promise<readonly CredentialRecord[]> =>
  context.services.store.credentials.list(context.workspace, { rp, user_id })

const descriptor = ({ id, transports }: CredentialRecord): CredentialDescriptorJson => ({
  type: 'public-key',
  id,
  ...(transports.length === 0 ? {} : { transports }),
})

type HandleKey = Pick<RpRecord, 'handle_key'>

const hmacOf = rememberByText((handleKey) => hmacSha256(Buffer.from(handleKey, 'base64url')))

const derive = ({ handle_key }: HandleKey, text: string): string =>
  toBase64url(Buffer.from(hmacOf(handle_key)(Buffer.from(text).toString('latin1')), 'hex'))

/** HMAC of the RP's random key: the same for the same user, and reveals neither user nor key. */
export const userHandle = (rp: HandleKey, userId: string): string => derive(rp, userId)

/** For users without credentials: a credential ID that no phone has, and that does not change between two probes. */
const decoyCredentialId = (rp: HandleKey, userId: string): string => derive(rp, `decoy\0${userId}`)

const numbers = new Map(coseAlgorithms.map((number) => [findAlgorithm(number)?.name as string | undefined, number]))

/** The COSE number of an algorithm that the profile names. */
const algorithmNumber = (name: (typeof PROFILE_ALGORITHMS)[number]): number => {
  const number = numbers.get(name)
  if (number === undefined) throw new Error(`the judge knows no algorithm ${name}`)
  return number
}

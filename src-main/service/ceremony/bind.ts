import type { AppInput, BindData } from '../../core/contract/app/routes.ts'
import { type Refusal, refuse } from '../../core/contract/errors.ts'
import type { PROFILE_ALGORITHMS, Profile } from '../../core/contract/profile.ts'
import type { Answer } from '../../core/contract/schema.ts'
import { coseAlgorithms, findAlgorithm } from '../../core/judge/algorithms.ts'
import { isObject } from '../../core/protocol/json.ts'
import type { MessageKind } from '../../core/protocol/message-address.ts'
import { type Exact, err, exactly, ok, type Result } from '../../core/protocol/result.ts'
import { unixSeconds } from '../../core/protocol/time.ts'
import type {
  CreationOptionsJson,
  CredentialDescriptorJson,
  RequestOptionsJson,
} from '../../core/protocol/webauthn-json.ts'
import { messageFact } from '../messages/message-timers.ts'
import { observeIn, type RequestContext, type SignedIn } from '../services.ts'
import type { CredentialRecord, MessageRecord, RpRecord } from '../store/store.ts'
import { deriveForRp, userHandle } from './user-handle.ts'

/** Binds the message to the first device that scans it or opens the push. That device may repeat the call. */
export const bindMessage = async (
  context: RequestContext,
  caller: SignedIn,
  { params: { msg_id: msgId } }: AppInput<'messages.bind'>,
): Answer<BindData> => {
  const current = await currentMessage(context, msgId)
  if (!current.ok) return current
  const { message, rp } = current.value
  if (message.state === 'init') {
    const optionsOf = message.kind === 'registration' ? creationOptions : requestOptions
    const public_key = await optionsOf(context, rp, message)
    if (await move(context, caller, message, public_key)) return ok(bindData(rp, message, public_key))
  }
  const now = message.state === 'init' ? await currentMessage(context, msgId) : current
  if (!now.ok) return now
  const { device, state, public_key } = now.value.message
  if (device !== undefined && device !== caller.device.id) return err(refuse('bound_elsewhere'))
  if (state === 'timeout') return err(refuse('message_expired'))
  if (state !== 'bind') return err(refuse('wrong_state', { code: 'message_is', params: { state } }))
  return ok(bindData(rp, message, public_key as Options))
}

type Options = CreationOptionsJson | RequestOptionsJson

const move = async (
  context: RequestContext,
  { device, account }: SignedIn,
  message: MessageRecord,
  public_key: Options,
): Promise<boolean> => {
  const { services, workspace, clock } = context
  const svc_user = svcUser(account)
  const to = { device: device.id, account: account.id, svc_user, public_key, now: clock.now() }
  if (!(await services.store.messages.bind(workspace, message.id, to))) return false
  const baseUrl = services.addresses.baseUrl(workspace)
  const fact = messageFact(message, { baseUrl, from: 'init', to: 'bind', svc_user, device: device.id })
  observeIn(context, { kind: 'phone', id: device.id }, fact)
  return true
}

const bindData = (rp: RpRecord, message: MessageRecord, public_key: Options): Exact<BindData> =>
  exactly({
    kind: message.kind,
    rp: { id: rp.rp_id, name: rp.name, origins: rp.origins },
    user: { username: message.username, display_name: message.display_name },
    credential_name: message.credential_name,
    expires_at: unixSeconds(message.expires_at),
    public_key,
  })

/** The account, for display: `Li Wei (138****5678)`. */
const svcUser = (account: { readonly name: string; readonly phone: string }): string =>
  `${account.name} (${maskPhone(account.phone)})`

/** Shows the first three and last four digits; fewer of short numbers, so that at least three stay hidden. */
const maskPhone = (phone: string): string => {
  if (phone.length >= 10) return `${phone.slice(0, 3)}****${phone.slice(-4)}`
  return phone.length >= 5 ? `****${phone.slice(-2)}` : '****'
}

export type MessageWithRp = { readonly message: MessageRecord; readonly rp: RpRecord }

/** A message as it is at the current time of its workspace's clock. */
const currentMessage = async (context: RequestContext, id: string): Promise<Result<MessageWithRp, Refusal>> => {
  const { services, workspace, clock, trace } = context
  const found = await services.store.messages.get(workspace, id)
  const rp = found && (await services.store.rps.get(workspace, found.rp))
  if (found === undefined || rp === undefined) return err(refuse('message_not_found'))
  if (found.state === 'bind' && !asksItsChallenge(found))
    return err(refuse('message_not_found', { code: 'message_damaged' }))
  trace.msg_id = id
  trace.rp_id = rp.id
  const overdue = (found.state === 'init' || found.state === 'bind') && found.expires_at <= clock.now()
  if (!overdue) return ok({ message: found, rp })
  await services.timers.expireDue(workspace)
  return ok({ message: (await services.store.messages.get(workspace, id)) ?? found, rp })
}

/** False for a damaged row: its message cannot be answered, and times out. */
const asksItsChallenge = ({ public_key, challenge }: MessageRecord): boolean =>
  isObject(public_key) && public_key.challenge === challenge

/** Finds a message only if this device has bound it. Final ones too: their verdict is returned again. */
export const findBoundMessage = async (
  context: RequestContext,
  { device }: SignedIn,
  wanted: { readonly id: string; readonly kind?: MessageKind },
): Promise<Result<MessageWithRp, Refusal>> => {
  const current = await currentMessage(context, wanted.id)
  if (!current.ok) return current
  const { message } = current.value
  if (wanted.kind !== undefined && message.kind !== wanted.kind) return err(refuse('message_not_found'))
  if (message.device !== undefined && message.device !== device.id) return err(refuse('bound_elsewhere'))
  if (message.state === 'timeout') return err(refuse('message_expired'))
  if (message.state === 'init') return err(refuse('wrong_state', { code: 'message_not_bound' }))
  return current
}

/** PublicKeyCredentialCreationOptionsJSON, made when the phone asks, to exclude credentials registered by then. */
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
    ...hints(profile),
    ...(profile.attestation_formats.length > 0 && { attestationFormats: profile.attestation_formats }),
    ...extensionsOf(context, rp, message),
  }
}

/** PublicKeyCredentialRequestOptionsJSON. A user without credentials gets a list that looks like any other. */
export const requestOptions = async (
  context: RequestContext,
  rp: RpRecord,
  message: MessageRecord,
): Promise<RequestOptionsJson> => {
  const held = await credentialsOf(context, message)
  const { profile } = context
  return {
    challenge: message.challenge,
    timeout: message.expires_at - context.clock.now(),
    rpId: rp.rp_id,
    allowCredentials: held.length === 0 ? [decoy(rp, message.user_id)] : held.map(descriptor),
    userVerification: profile.user_verification,
    ...hints(profile),
    ...extensionsOf(context, rp, message),
  }
}

const hints = ({ hints }: Profile) => hints.length > 0 && { hints }

/** WebAuthn §10.1 and CTAP 2.1 §12. An extension without an input in this ceremony is left out. */
export const extensionInputs = (
  names: Profile['extensions'],
  kind: MessageKind,
  prfInput: string,
): Readonly<Record<string, unknown>> => {
  const prf = { prf: { eval: { first: prfInput } } }
  const atRegistration = {
    credProps: { credProps: true },
    credProtect: { credentialProtectionPolicy: 'userVerificationOptionalWithCredentialIDList' },
    minPinLength: { minPinLength: true },
    ...{ prf, largeBlob: { largeBlob: { support: 'preferred' } } },
  }
  const atSignIn = { credProps: {}, credProtect: {}, minPinLength: {}, prf, largeBlob: { largeBlob: { read: true } } }
  return Object.assign({}, ...names.map((name) => (kind === 'registration' ? atRegistration : atSignIn)[name]))
}

const extensionsOf = ({ profile }: RequestContext, rp: RpRecord, { kind, user_id }: MessageRecord) => {
  const extensions = extensionInputs(profile.extensions, kind, deriveForRp(rp, `prf\0${user_id}`))
  return Object.keys(extensions).length > 0 && { extensions }
}

/** No phone has this credential ID, and it does not change between two probes. */
const decoy = (rp: RpRecord, userId: string) =>
  ({ type: 'public-key', id: deriveForRp(rp, `decoy\0${userId}`) }) as const

const credentialsOf = (context: RequestContext, { rp, user_id }: MessageRecord): Promise<readonly CredentialRecord[]> =>
  context.services.store.credentials.list(context.workspace, { rp, user_id })

const descriptor = ({ id, transports }: CredentialRecord): CredentialDescriptorJson => ({
  type: 'public-key',
  id,
  ...(transports.length === 0 ? {} : { transports }),
})

const numbers = new Map(coseAlgorithms.map((number) => [findAlgorithm(number)?.name as string | undefined, number]))

const algorithmNumber = (name: (typeof PROFILE_ALGORITHMS)[number]): number => {
  const number = numbers.get(name)
  if (number === undefined) throw new Error(`the judge knows no algorithm ${name}`)
  return number
}

import { refuse } from '../../core/contract/errors.ts'
import type { MessageAddressData, RpInput } from '../../core/contract/rp/routes.ts'
import type { Answer } from '../../core/contract/schema.ts'
import { toBase64url } from '../../core/protocol/bytes.ts'
import { makeMessageId } from '../../core/protocol/ids.ts'
import { encodeMessageAddress } from '../../core/protocol/message-address.ts'
import { type RandomSource, randomBelow } from '../../core/protocol/random.ts'
import { err, exactly, ok } from '../../core/protocol/result.ts'
import { unixSeconds } from '../../core/protocol/time.ts'
import { deliverPushes, devicesToPush } from '../inbox/deliver-pushes.ts'
import { observeIn, type RequestContext } from '../services.ts'
import { withinQuota } from '../settings/limits.ts'
import type { Caller } from '../signing/authenticate.ts'
import type { MessageRecord } from '../store/store.ts'
import { messageFact } from './message-timers.ts'

export type NewMessage = Pick<
  MessageRecord,
  'kind' | 'method' | 'user_id' | 'username' | 'display_name' | 'credential_name'
> & { readonly pushTo: readonly string[] }

export const openMessage = async (
  context: RequestContext,
  { rp }: Caller,
  wanted: NewMessage,
): Answer<MessageAddressData> => {
  const { services, workspace } = context
  const { pushTo, ...fields } = wanted
  const now = context.clock.now()
  const message: MessageRecord = {
    ...fields,
    id: makeMessageId(services.random.stream(workspace, rp.id, 'message id')),
    rp: rp.id,
    challenge: toBase64url(services.random.stream(workspace, rp.id, 'challenge').bytes(32)),
    state: 'init',
    svc_user: '',
    error: '',
    created_at: now,
    // A whole second, so that the message ends exactly at the time that the RP reads.
    expires_at: (unixSeconds(now) + context.profile.message_ttl_s) * 1000,
  }
  context.trace.msg_id = message.id
  const counts = message.kind === 'registration' ? (['messages', 'credentials'] as const) : (['messages'] as const)
  const inserted = await withinQuota(services, { workspace, counts }, async () => {
    const pushes = await services.store.messages.insert(workspace, message, pushTo)
    // The RP and its keys were deleted after its signature was verified.
    return pushes === undefined ? err(refuse('unknown_access_key')) : ok(pushes)
  })
  if (!inserted.ok) return inserted
  const pushes = inserted.value
  services.timers.watch(workspace, message.expires_at)
  const baseUrl = services.addresses.baseUrl(workspace)
  observeIn(context, { kind: 'rp', id: rp.id }, messageFact(message, { baseUrl, to: 'init' }))
  for (const { device } of pushes) {
    observeIn(context, { kind: 'service' }, { kind: 'push', msg_id: message.id, device_id: device, stage: 'queued' })
  }
  if (pushes.length > 0) await deliverPushes(context, { pushes, message, rp })
  const url = encodeMessageAddress({ baseUrl, kind: message.kind, msgId: message.id })
  return ok(exactly({ url, expires_at: unixSeconds(message.expires_at) }))
}

export const beginAuthentication = async (
  context: RequestContext,
  caller: Caller,
  { body }: RpInput<'assertion.options'>,
): Answer<MessageAddressData> => {
  const { user_id, username, method } = body
  const held = await context.services.store.credentials.list(context.workspace, { rp: caller.rp.id, user_id })
  if (held.length === 0 && context.profile.unknown_user === 'refuse') return err(refuse('no_credential'))
  return openMessage(context, caller, {
    kind: 'authentication',
    method,
    user_id,
    username,
    display_name: username,
    credential_name: '',
    pushTo: method === 'push' ? await devicesToPush(context, held) : [],
  })
}

export const beginRegistration = async (
  context: RequestContext,
  caller: Caller,
  { body }: RpInput<'attestation.options'>,
): Answer<MessageAddressData> => {
  const { services, workspace } = context
  const held = await services.store.credentials.list(workspace, { rp: caller.rp.id, user_id: body.user_id })
  const limit = context.profile.credentials_per_user
  if (held.length >= limit)
    return err(refuse('credential_limit', { code: 'credentials_held', params: { count: held.length, limit } }))
  return openMessage(context, caller, {
    kind: 'registration',
    user_id: body.user_id,
    username: body.username,
    display_name: body.display_name ?? body.username,
    credential_name:
      body.credential_name ?? randomCredentialName(services.random.stream(workspace, caller.rp.id, 'credential name')),
    pushTo: [],
  })
}

const MANNERS = [
  ...['Amber', 'Brave', 'Bright', 'Calm', 'Clever', 'Copper', 'Early', 'Gentle', 'Golden', 'Happy', 'Honest', 'Ivory'],
  ...['Jolly', 'Kind', 'Little', 'Lucky', 'Merry', 'Misty', 'Noble', 'Patient', 'Polite', 'Proud', 'Quick', 'Quiet'],
  ...['Rapid', 'Silver', 'Steady', 'Sunny', 'Swift', 'Velvet', 'Warm', 'Wise'],
] as const

const ANIMALS = [
  ...['Badger', 'Beaver', 'Bison', 'Crane', 'Deer', 'Dolphin', 'Eagle', 'Falcon', 'Finch', 'Fox', 'Gecko', 'Hare'],
  ...['Hedgehog', 'Heron', 'Ibis', 'Jay', 'Kestrel', 'Lark', 'Lynx', 'Marten', 'Mole', 'Otter', 'Owl', 'Panda'],
  ...['Puffin', 'Raven', 'Robin', 'Seal', 'Swan', 'Tern', 'Turtle', 'Wren'],
] as const

/** Two plain words and a number: `Quiet Otter 42`. */
const randomCredentialName = (source: RandomSource): string => {
  const manner = MANNERS[randomBelow(source, MANNERS.length)]
  const animal = ANIMALS[randomBelow(source, ANIMALS.length)]
  return `${manner} ${animal} ${10 + randomBelow(source, 90)}`
}

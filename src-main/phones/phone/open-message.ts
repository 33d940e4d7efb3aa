import { makeId } from '../../core/protocol/ids.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import type { Bind, OpenInput } from './attempt-steps.ts'
import type { BoundMessage } from './bound-message.ts'
import { parseBoundMessage } from './bound-message.ts'
import { bindBendsOf } from './faulty-bind.ts'
import type { PhoneCore } from './phone-core.ts'
import type { OpenPrompt, StruckFault } from './phone-record.ts'
import { type PhoneRefusal, refusePhone } from './phone-refusal.ts'
import { CREDENTIALS_SHOWN, type HeldCredential, type Prompt } from './phone-state.ts'

/** A message that is bound to this phone: to be asked, or to be declined because the phone cannot answer it. */
export type Opened =
  | { readonly kind: 'prompt'; readonly open: OpenPrompt }
  | { readonly kind: 'decline'; readonly prompt: Prompt; readonly refusal: PhoneRefusal }

/** The account's credentials that the request speaks of; looks into the cloud where the chip alone cannot tell. */
const fittingCredentials = async (
  core: PhoneCore,
  { rp, public_key: asked }: BoundMessage,
): Promise<Result<readonly HeldCredential[], PhoneRefusal>> => {
  const listed = asked.kind === 'registration' ? asked.options.excludeCredentials : asked.options.allowCredentials
  const ids = new Set(listed?.map(({ id }) => id))
  const fits = (): readonly HeldCredential[] =>
    core.keyring.list().filter(({ id, rp_id }) => rp_id === rp.id && (ids.size === 0 || ids.has(id)))
  const mustLook =
    asked.kind === 'registration'
      ? [...ids].some((id) => core.keyring.storageOf(id) === undefined)
      : !fits().some(({ storage }) => storage === 'chip')
  if (mustLook) {
    const looked = await core.exclusive(() => core.keyring.refresh())
    if (!looked.ok) return looked
  }
  return ok(fits())
}

const promptOf = (core: PhoneCore, input: OpenInput, bound: BoundMessage): Prompt => ({
  id: makeId('prompt', core.random('prompt')),
  msg_id: input.msgId,
  url: input.url,
  kind: bound.kind,
  came_by: input.cameBy,
  rp: bound.rp,
  user: bound.user,
  credential_name: bound.credential_name,
  expires_at: bound.expires_at,
  origin: input.seenOn ?? bound.rp.origins[0] ?? '',
  ...(bound.kind === 'registration' ? { storage: core.record().behaviour.storage ?? core.record().storage } : {}),
  fingerprint_failures: 0,
})

/** Binds the message and finds out what it asks. */
export const openMessage = async (
  core: PhoneCore,
  input: OpenInput,
  struck: readonly StruckFault[],
): Promise<Result<Opened, PhoneRefusal>> => {
  const bound = await bindMessage(core, input, struck)
  if (!bound.ok) return bound
  const prompt = promptOf(core, input, bound.value)
  if (prompt.origin === '') return ok({ kind: 'decline', prompt, refusal: refusePhone('no_origin') })
  const credentials = await fittingCredentials(core, bound.value)
  if (!credentials.ok) return credentials
  if (prompt.kind === 'registration') {
    return ok({ kind: 'prompt', open: { prompt, public_key: bound.value.public_key, struck } })
  }
  if (credentials.value.length === 0) {
    return ok({ kind: 'decline', prompt, refusal: refusePhone('no_matching_credential') })
  }
  const asked = { ...prompt, credentials: credentials.value.slice(-CREDENTIALS_SHOWN) }
  return ok({ kind: 'prompt', open: { prompt: asked, public_key: bound.value.public_key, struck } })
}

/** Takes the message for this phone; the faults that strike this attempt stand in between. */
const bindMessage = (
  core: PhoneCore,
  input: OpenInput,
  struck: readonly StruckFault[],
): Promise<Result<BoundMessage, PhoneRefusal>> => {
  const honest: Bind = async () => {
    const answer = await core.call({ method: 'POST', path: `/messages/${input.msgId}/bind`, body: {} })
    if (!answer.ok) return answer
    const bound = parseBoundMessage(answer.value.data)
    return bound.ok
      ? ok(bound.value)
      : err(refusePhone('garbled', { reason: { code: 'message_lacks', params: { member: bound.error } } }))
  }
  const bends = bindBendsOf(core, input, struck)
  return bends.reduce<Bind>((next, bend) => bend(next), honest)()
}

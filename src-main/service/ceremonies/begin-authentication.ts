import { type Refusal, refuse } from '../../protocol/errors.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { Caller } from '../authenticate.ts'
import { invalid, requiredText } from '../fields.ts'
import { bodyOf } from '../json-command.ts'
import type { Turn } from '../services.ts'
import type { CredentialRecord } from '../store/records.ts'
import { type MessageAddressData, openMessage } from './open-message.ts'

export type BeginAuthentication = {
  readonly user_id: string
  readonly username: string
  readonly method: 'qrcode' | 'push'
}

export const parseBeginAuthentication = (turn: Turn): Result<BeginAuthentication, Refusal> => {
  const body = bodyOf(turn)
  if (!body.ok) return body
  const user_id = requiredText(body.value, 'user_id', { max: turn.profile.user_id_max })
  if (!user_id.ok) return user_id
  const username = requiredText(body.value, 'username', { max: turn.profile.username_max })
  if (!username.ok) return username
  const method = requiredText(body.value, 'method', { max: 64 })
  if (!method.ok) return method
  if (method.value !== 'qrcode' && method.value !== 'push') {
    return err(invalid('method', `expected "qrcode" or "push", got ${JSON.stringify(method.value)}.`))
  }
  return ok({ user_id: user_id.value, username: username.value, method: method.value })
}

export const beginAuthentication = async (
  turn: Turn,
  caller: Caller,
  command: BeginAuthentication,
): Promise<Result<MessageAddressData, Refusal>> => {
  const { user_id, username, method } = command
  const held = await turn.services.store.credentials.list(turn.workspace, { rp: caller.rp.id, user_id })
  if (held.length === 0 && turn.profile.unknown_user === 'refuse') return err(refuse('no_credential'))
  return openMessage(turn, caller, {
    kind: 'authentication',
    method,
    user_id,
    username,
    display_name: username,
    credential_name: '',
    pushTo: method === 'push' ? await devicesOf(turn, held) : [],
  })
}

/** A device-bound credential's push goes to its device, a cloud credential's to all devices of its account. */
const devicesOf = async (
  { services, workspace }: Turn,
  held: readonly CredentialRecord[],
): Promise<readonly string[]> => {
  const ids = new Set<string>()
  for (const { storage, device, account } of held) {
    if (storage === 'chip') ids.add(device)
    else for (const { id } of await services.store.devices.list(workspace, { account })) ids.add(id)
  }
  return [...ids]
}

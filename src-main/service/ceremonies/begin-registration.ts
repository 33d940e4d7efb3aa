import { type Refusal, refuse } from '../../protocol/errors.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { Caller } from '../authenticate.ts'
import { randomCredentialName } from '../credential-name.ts'
import { optionalText, requiredText } from '../fields.ts'
import { bodyOf } from '../json-command.ts'
import { streamIn, type Turn } from '../services.ts'
import { type MessageAddressData, openMessage } from './open-message.ts'

export type BeginRegistration = {
  readonly user_id: string
  readonly username: string
  readonly credential_name: string | undefined
  readonly display_name: string
}

export const parseBeginRegistration = (turn: Turn): Result<BeginRegistration, Refusal> => {
  const body = bodyOf(turn)
  if (!body.ok) return body
  const { profile } = turn
  const empty = profile.empty_optional
  const user_id = requiredText(body.value, 'user_id', { max: profile.user_id_max })
  if (!user_id.ok) return user_id
  const username = requiredText(body.value, 'username', { max: profile.username_max })
  if (!username.ok) return username
  const credential_name = optionalText(body.value, 'credential_name', { max: profile.credential_name_max, empty })
  if (!credential_name.ok) return credential_name
  const display_name = optionalText(body.value, 'display_name', { max: profile.display_name_max, empty })
  if (!display_name.ok) return display_name
  return ok({
    user_id: user_id.value,
    username: username.value,
    credential_name: credential_name.value,
    display_name: display_name.value ?? username.value,
  })
}

export const beginRegistration = async (
  turn: Turn,
  caller: Caller,
  command: BeginRegistration,
): Promise<Result<MessageAddressData, Refusal>> => {
  const { rp } = caller
  const held = await turn.services.store.credentials.list(turn.workspace, { rp: rp.id, user_id: command.user_id })
  const limit = turn.profile.credentials_per_user
  if (held.length >= limit) return err(refuse('credential_limit', `It has ${held.length}; ${limit} are allowed.`))
  return openMessage(turn, caller, {
    kind: 'registration',
    user_id: command.user_id,
    username: command.username,
    display_name: command.display_name,
    credential_name: command.credential_name ?? randomCredentialName(streamIn(turn, rp.id, 'credential name')),
    pushTo: [],
  })
}

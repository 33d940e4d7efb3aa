import { type Refusal, refuse } from '../../contract/errors.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import { type MessageAddressData, openMessage } from '../messages/open-message.ts'
import { optionalText, requiredText } from '../request/fields.ts'
import { bodyOf } from '../request/json-command.ts'
import { type RequestContext, streamIn } from '../services.ts'
import type { Caller } from '../signing/authenticate.ts'
import { randomCredentialName } from './credential-name.ts'

export type BeginRegistration = {
  readonly user_id: string
  readonly username: string
  readonly credential_name: string | undefined
  readonly display_name: string
}

export const parseBeginRegistration = (context: RequestContext): Result<BeginRegistration, Refusal> => {
  const body = bodyOf(context)
  if (!body.ok) return body
  const { profile } = context
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
  context: RequestContext,
  caller: Caller,
  command: BeginRegistration,
): Promise<Result<MessageAddressData, Refusal>> => {
  const { rp } = caller
  const held = await context.services.store.credentials.list(context.workspace, { rp: rp.id, user_id: command.user_id })
  const limit = context.profile.credentials_per_user
  if (held.length >= limit) return err(refuse('credential_limit', `It has ${held.length}; ${limit} are allowed.`))
  return openMessage(context, caller, {
    kind: 'registration',
    user_id: command.user_id,
    username: command.username,
    display_name: command.display_name,
    credential_name: command.credential_name ?? randomCredentialName(streamIn(context, rp.id, 'credential name')),
    pushTo: [],
  })
}

import { type Refusal, refuse } from '../../core/contract/errors.ts'
import type { MessageAddressData, RpInput } from '../../core/contract/rp/routes.ts'
import { err, type Result } from '../../core/protocol/result.ts'
import { openMessage } from '../messages/open-message.ts'
import type { RequestContext } from '../services.ts'
import type { Caller } from '../signing/authenticate.ts'
import { devicesToPush } from './devices-to-push.ts'

export const beginAuthentication = async (
  context: RequestContext,
  caller: Caller,
  { body }: RpInput<'assertion.options'>,
): Promise<Result<MessageAddressData, Refusal>> => {
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

import { type Refusal, refuse } from '../../core/contract/errors.ts'
import type { MessageAddressData, RpInput } from '../../core/contract/rp/routes.ts'
import { err, type Result } from '../../core/protocol/result.ts'
import { openMessage } from '../messages/open-message.ts'
import type { RequestContext } from '../services.ts'
import type { Caller } from '../signing/authenticate.ts'
import type { CredentialRecord } from '../store/records.ts'

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

/** A device-bound credential's push goes to its device, a cloud credential's to all devices of its account. */
const devicesToPush = async (
  { services, workspace }: RequestContext,
  held: readonly CredentialRecord[],
): Promise<readonly string[]> => {
  const ids = new Set<string>()
  for (const { storage, device, account } of held) {
    if (storage === 'chip') ids.add(device)
    else for (const { id } of await services.store.devices.list(workspace, { account })) ids.add(id)
  }
  return [...ids]
}

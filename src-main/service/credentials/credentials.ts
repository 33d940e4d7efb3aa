import { type Refusal, refuse, refuseField } from '../../core/contract/errors.ts'
import type { RpData, RpInput } from '../../core/contract/rp/routes.ts'
import type { Answer } from '../../core/contract/schema.ts'
import { err, exactly, ok, type Result } from '../../core/protocol/result.ts'
import { formatRfc3339 } from '../../core/protocol/time.ts'
import { signalUnknown } from '../inbox/send-signals.ts'
import { observeIn, type RequestContext } from '../services.ts'
import type { Caller } from '../signing/authenticate.ts'

export const listCredentials = async (
  context: RequestContext,
  { rp }: Caller,
  { query: { user_id } }: RpInput<'credentials.list'>,
): Answer<RpData<'credentials.list'>> => {
  const held = await context.services.store.credentials.list(context.workspace, { rp: rp.id, user_id })
  const list = held.map((credential) => ({
    credential_id: credential.id,
    credential_name: credential.name,
    user_id,
    created_at: formatRfc3339(credential.created_at),
    updated_at: formatRfc3339(credential.updated_at),
  }))
  return ok(exactly({ total: list.length, list }))
}

/** The documents call user_id a query parameter but show it in the body, so the body comes first. */
const userOf = ({ query, body }: RpInput<'credentials.delete'>): Result<string, Refusal> => {
  if (body.user_id !== undefined && query.user_id !== undefined && body.user_id !== query.user_id) {
    return err(refuse('conflicting_parameters', { code: 'field_contradicts', params: { field: 'user_id' } }))
  }
  const user_id = body.user_id ?? query.user_id
  return user_id === undefined ? err(refuseField({ code: 'field_missing', params: { field: 'user_id' } })) : ok(user_id)
}

/** Unknown, foreign and repeated ids are ignored: they are not errors and are not counted. */
export const deleteCredentials = async (
  context: RequestContext,
  { rp }: Caller,
  input: RpInput<'credentials.delete'>,
): Answer<RpData<'credentials.delete'>> => {
  const user = userOf(input)
  if (!user.ok) return user
  const user_id = user.value
  const ids = input.body.credential_ids
  const gone = await context.services.store.credentials.delete(context.workspace, { rp: rp.id, user_id, ids })
  for (const record of gone) {
    context.services.bin.put(context.workspace, 'credential', record)
    const fact = { kind: 'credential', change: 'deleted', rp_id: rp.id, user_id, credential_id: record.id } as const
    observeIn(context, { kind: 'rp', id: rp.id }, fact)
  }
  await signalUnknown(context, gone)
  return ok(exactly({ total: gone.length }))
}

import { type Refusal, refuse } from '../../contract/errors.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import { formatRfc3339 } from '../../protocol/time.ts'
import { given, invalid, kindOf, missing, requiredText } from '../request/fields.ts'
import { bodyOf } from '../request/json-command.ts'
import { queryValue } from '../request/query.ts'
import { observeIn, type RequestContext } from '../services.ts'
import type { Caller } from '../signing/authenticate.ts'

export type ListCredentials = { readonly user_id: string }

export const parseListCredentials = (context: RequestContext): Result<ListCredentials, Refusal> => {
  const user_id = queryValue(context.request.query, 'user_id')
  if (!user_id.ok) return user_id
  const checked = requiredText({ user_id: user_id.value }, 'user_id', { max: context.profile.user_id_max })
  return checked.ok ? ok({ user_id: checked.value }) : checked
}

export type CredentialData = {
  readonly credential_id: string
  readonly credential_name: string
  readonly user_id: string
  readonly created_at: string
  readonly updated_at: string
}

export const listCredentials = async (
  context: RequestContext,
  { rp }: Caller,
  { user_id }: ListCredentials,
): Promise<Result<{ readonly total: number; readonly list: readonly CredentialData[] }, Refusal>> => {
  const held = await context.services.store.credentials.list(context.workspace, { rp: rp.id, user_id })
  const list = held.map((credential) => ({
    credential_id: credential.id,
    credential_name: credential.name,
    user_id,
    created_at: formatRfc3339(credential.created_at),
    updated_at: formatRfc3339(credential.updated_at),
  }))
  return ok({ total: list.length, list })
}

export type DeleteCredentials = { readonly user_id: string; readonly ids: readonly string[] }

const MOST_IDS = 100

export const parseDeleteCredentials = (context: RequestContext): Result<DeleteCredentials, Refusal> => {
  const body = bodyOf(context)
  if (!body.ok) return body
  // The documents call user_id a query parameter and show it in the body: the body, else the query.
  const inQuery = queryValue(context.request.query, 'user_id')
  if (!inQuery.ok) return inQuery
  const empty = context.profile.empty_optional
  const inBody = given(body.value.user_id, empty)
  const asked = given(inQuery.value, empty)
  if (inBody !== undefined && asked !== undefined && inBody !== asked) {
    return err(refuse('conflicting_parameters', 'user_id in the body and in the query differ.'))
  }
  const user_id = requiredText({ user_id: inBody === undefined ? asked : inBody }, 'user_id', {
    max: context.profile.user_id_max,
  })
  if (!user_id.ok) return user_id
  const ids = parseIds(body.value.credential_ids)
  return ids.ok ? ok({ user_id: user_id.value, ids: ids.value }) : ids
}

const parseIds = (value: unknown): Result<readonly string[], Refusal> => {
  if (value === undefined) return err(missing('credential_ids'))
  if (!Array.isArray(value))
    return err(invalid('credential_ids', `expected an array of strings, got ${kindOf(value)}.`))
  if (value.length > MOST_IDS) return err(invalid('credential_ids', `at most ${MOST_IDS}, got ${value.length}.`))
  const stray = value.findIndex((id) => typeof id !== 'string')
  if (stray >= 0) return err(invalid('credential_ids', `entry ${stray} is ${kindOf(value[stray])}, not a string.`))
  return ok(value)
}

/** Unknown, foreign and repeated ids are not counted, and no error. */
export const deleteCredentials = async (
  context: RequestContext,
  { rp }: Caller,
  { user_id, ids }: DeleteCredentials,
): Promise<Result<{ readonly total: number }, Refusal>> => {
  const gone = await context.services.store.credentials.delete(context.workspace, { rp: rp.id, user_id, ids })
  for (const record of gone) {
    context.services.bin.put(context.workspace, 'credential', record)
    const fact = { kind: 'credential', change: 'deleted', rp_id: rp.id, user_id, credential_id: record.id } as const
    observeIn(context, { kind: 'rp', id: rp.id }, fact)
  }
  return ok({ total: gone.length })
}

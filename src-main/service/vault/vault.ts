import { createHash } from 'node:crypto'
import type { AppData, AppInput, VaultEntry } from '../../core/contract/app/routes.ts'
import { type Expected, type Refusal, refuse, refuseField, unfit } from '../../core/contract/errors.ts'
import type { Answer } from '../../core/contract/schema.ts'
import { err, exactly, ok, type Result } from '../../core/protocol/result.ts'
import { findHeader } from '../../http/message.ts'
import type { RequestContext, SignedIn } from '../services.ts'
import type { VaultRecord } from '../store/store.ts'
import { ETAG } from '../workspaces/row-rules.ts'

/** The cloud HSM: data that the account's phones encrypted with a key that the service never gets. */
export const listVault = async (context: RequestContext, { account }: SignedIn): Answer<AppData<'vault.list'>> => {
  if (!hasVault(account)) return err(noVault)
  const list = (await context.services.store.vault.list(context.workspace, account.id)).map(entryOf)
  return ok(exactly({ total: list.length, list }))
}

export const getSealed = async (
  context: RequestContext,
  { account }: SignedIn,
  { params: { credential_id } }: AppInput<'vault.get'>,
): Answer<VaultEntry> => {
  if (!hasVault(account)) return err(noVault)
  const record = await context.services.store.vault.get(context.workspace, account.id, credential_id)
  if (record === undefined) return err(refuse('not_found'))
  context.trace.headers = [['ETag', record.etag]]
  return ok(exactly(entryOf(record)))
}

export const putSealed = async (
  context: RequestContext,
  { account }: SignedIn,
  { params: { credential_id }, body: { sealed } }: AppInput<'vault.put'>,
): Answer<AppData<'vault.put'>> => {
  if (!hasVault(account)) return err(noVault)
  const condition = conditionOf(context)
  if (!condition.ok) return condition
  if (condition.value === undefined) return err(refuse('precondition_required'))
  const { vault } = context.services.store
  const etag = etagOf(sealed)
  const record = { account: account.id, credential_id, etag, sealed, updated_at: context.clock.now() }
  const ifMatch =
    condition.value === ANY ? (await vault.get(context.workspace, account.id, credential_id))?.etag : condition.value
  if (condition.value !== ABSENT && ifMatch === undefined) return err(refuse('precondition_failed'))
  const put = await vault.put(context.workspace, record, condition.value === ABSENT ? undefined : ifMatch)
  if (!put) return err(refuse('precondition_failed'))
  context.trace.headers = [['ETag', etag]]
  return ok(exactly({ credential_id, etag }))
}

export const deleteSealed = async (
  context: RequestContext,
  { account }: SignedIn,
  { params: { credential_id } }: AppInput<'vault.delete'>,
): Answer<AppData<'vault.delete'>> => {
  if (!hasVault(account)) return err(noVault)
  const condition = conditionOf(context)
  if (!condition.ok) return condition
  if (condition.value === ABSENT) return err(refuse('precondition_failed'))
  const ifMatch = condition.value === undefined || condition.value === ANY ? {} : { ifMatch: condition.value }
  const { vault } = context.services.store
  const what = { account: account.id, credential_id, ...ifMatch }
  if (await vault.delete(context.workspace, what)) return ok(exactly({ deleted: true }))
  const there = await vault.get(context.workspace, account.id, credential_id)
  return err(refuse(there === undefined ? 'not_found' : 'precondition_failed'))
}

const noVault = refuse('not_found', { code: 'account_without_vault' })

const hasVault = ({ proof_hash }: SignedIn['account']): boolean => proof_hash !== undefined

/** Not a possible ETag. */
const ABSENT = ''
const ANY = '*'

/** An ETag, `*`, or ABSENT for `If-None-Match: *`. Undefined: no condition. */
const conditionOf = ({ request }: RequestContext): Result<string | undefined, Refusal> => {
  const match = findHeader(request.headers, 'if-match')?.trim()
  const none = findHeader(request.headers, 'if-none-match')?.trim()
  if (match !== undefined && none !== undefined) {
    return err(refuse('conflicting_parameters', { code: 'conditions_exclude_each_other' }))
  }
  if (none !== undefined)
    return none === '*' ? ok(ABSENT) : err(wrong('If-None-Match', { code: 'value', params: { json: '*' } }))
  if (match === undefined || match === '*') return ok(match)
  return ETAG.test(match) ? ok(match) : err(wrong('If-Match', { code: 'etag' }))
}

const wrong = (field: string, expected: Expected): Refusal => refuseField(unfit(field, expected))

/** Includes the quotes: clients return it unchanged in If-Match. */
const etagOf = (sealed: string): string => `"${createHash('sha256').update(sealed).digest('base64url').slice(0, 22)}"`

const entryOf = ({ credential_id, etag, sealed }: VaultRecord) => ({ credential_id, etag, sealed })

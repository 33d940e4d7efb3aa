import { createHash, hash, timingSafeEqual } from 'node:crypto'
import { stripSeparators } from '../../core/contract/app/fields.ts'
import type { AppData, AppInput } from '../../core/contract/app/routes.ts'
import { type Refusal, refuse } from '../../core/contract/errors.ts'
import type { Answer } from '../../core/contract/schema.ts'
import { toBase64url } from '../../core/protocol/bytes.ts'
import { makeId } from '../../core/protocol/ids.ts'
import { err, exactly, ok, type Result } from '../../core/protocol/result.ts'
import { findHeader, type RequestHead } from '../../http/message.ts'
import { type PageRules, pageRules } from '../../http/page-guard.ts'
import { observeIn, type RequestContext, type SignedIn } from '../services.ts'
import type { AccountRecord } from '../store/store.ts'

/** Tokens are 256 random bits, so a plain hash protects them, and the time of a look-up by hash reveals nothing. */
export const tokenHash = (token: string): string => hash('sha256', token, 'base64url')

export type AppRequest = Pick<RequestContext, 'services' | 'workspace'> & { readonly request: RequestHead }

export const authenticateDevice = async (asked: AppRequest): Promise<Result<SignedIn, Refusal>> => {
  const { services, workspace, request } = asked
  const token = /^Bearer ([\w-]+)$/i.exec(findHeader(request.headers, 'authorization') ?? '')?.[1]
  if (token === undefined) return err(refuse('device_not_signed_in', { code: 'bearer_expected' }))
  const device = await services.store.devices.byToken(workspace, tokenHash(token))
  const account = device && (await services.store.accounts.get(workspace, device.account))
  if (device === undefined || account === undefined) return err(refuse('device_not_signed_in'))
  return ok({ device, account } as SignedIn)
}

export const appPageRules = ({ services, workspace }: AppRequest): PageRules =>
  pageRules(services.addresses, () => services.store.rps.list(workspace))

type Body = AppInput<'devices.sign_in'>['body']

/** Makes the account on first use. */
export const signIn = async (
  context: RequestContext,
  { body }: AppInput<'devices.sign_in'>,
): Answer<AppData<'devices.sign_in'>> => {
  const { services, workspace } = context
  const { account, isNew } = await accountOf(context, body.account)
  if (!proves(account, body.account.proof)) {
    return err(refuse('device_not_signed_in', { code: 'proof_of_another_account' }))
  }
  const id = makeId('device', services.random.stream(workspace, account.id, 'device id'))
  const token = toBase64url(services.random.stream(workspace, account.id, 'device token').bytes(32))
  const made = await services.store.devices.insert(workspace, {
    id,
    account: account.id,
    name: body.device_name,
    token_hash: tokenHash(token),
    push_count: 0,
    created_at: context.clock.now(),
  })
  // The workspace was reset or closed in the meantime.
  if (!made) return err(refuse('device_not_signed_in', { code: 'account_gone' }))
  context.trace.device_id = id
  const fact = { kind: 'device', change: 'signed_in', device_id: id, account: account.id } as const
  observeIn(context, { kind: 'phone', id }, isNew ? { ...fact, new_account: true } : fact)
  return ok(exactly({ device_id: id, device_token: token }))
}

/** A phone number identifies an account; two phones that sign in with it simultaneously share one. */
const accountOf = async (
  { services, workspace, clock }: RequestContext,
  { name, proof, ...given }: Body['account'],
): Promise<{ readonly account: AccountRecord; readonly isNew: boolean }> => {
  const { accounts } = services.store
  const phone = stripSeparators(given.phone)
  const known = await accounts.byPhone(workspace, phone)
  if (known !== undefined) return { account: known, isNew: false }
  const made: AccountRecord = {
    id: makeId('account', services.random.stream(workspace, 'accounts', 'account id')),
    name,
    phone,
    ...(proof === undefined ? {} : { proof_hash: proofHash(proof) }),
    created_at: clock.now(),
  }
  if (await accounts.insert(workspace, made)) return { account: made, isNew: true }
  return { account: (await accounts.byPhone(workspace, phone)) ?? made, isNew: false }
}

const proofHash = (proof: string): string => createHash('sha256').update(proof).digest('base64url')

/** The account requires the proof that it was made with; an account made without a proof is open. */
const proves = ({ proof_hash }: AccountRecord, proof: string | undefined): boolean => {
  if (proof_hash === undefined) return true
  if (proof === undefined) return false
  const [given, stored] = [Buffer.from(proofHash(proof)), Buffer.from(proof_hash)]
  // A malformed stored hash is never proved.
  return given.length === stored.length && timingSafeEqual(given, stored)
}

export const signOut = async (
  context: RequestContext,
  { device, account }: SignedIn,
): Answer<AppData<'devices.sign_out'>> => {
  const deleted = await context.services.store.devices.delete(context.workspace, device.id)
  context.services.inboxes.end(context.workspace, device.id)
  if (deleted) {
    const fact = { kind: 'device', change: 'signed_out', device_id: device.id, account: account.id } as const
    observeIn(context, { kind: 'phone', id: device.id }, fact)
  }
  return ok(exactly({ deleted }))
}

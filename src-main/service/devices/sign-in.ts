import { createHash, timingSafeEqual } from 'node:crypto'
import type { SignInData } from '../../contract/app-json.ts'
import { type Refusal, refuse } from '../../contract/errors.ts'
import { toBase64url } from '../../protocol/bytes.ts'
import { makeId } from '../../protocol/ids.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import { invalid, kindOf, missing, NAME, optionalText, requiredText } from '../request/fields.ts'
import { bodyOf } from '../request/json-command.ts'
import { observeIn, type RequestContext, streamIn } from '../services.ts'
import type { AccountRecord } from '../store/records.ts'
import { tokenHash } from './authenticate-device.ts'

export type SignIn = {
  readonly name: string
  readonly phone: string
  readonly proof: string | undefined
  readonly device_name: string
}

export const parseSignIn = (context: RequestContext): Result<SignIn, Refusal> => {
  const body = bodyOf(context)
  if (!body.ok) return body
  const account = body.value.account
  if (account === undefined) return err(missing('account'))
  if (typeof account !== 'object' || account === null || Array.isArray(account)) {
    return err(invalid('account', `expected an object, got ${kindOf(account)}.`))
  }
  const fields = account as JsonObject
  const name = requiredText(fields, 'name', NAME)
  if (!name.ok) return name
  const phone = requiredText(fields, 'phone', { max: 40 })
  if (!phone.ok) return phone
  const number = phone.value.replace(/[ ().-]/g, '')
  if (!isPhoneNumber(number)) return err(invalid('phone', 'expected 3 to 20 digits, with or without "+".'))
  const proof = optionalText(fields, 'proof', { max: 256, empty: context.profile.empty_optional })
  if (!proof.ok) return proof
  const device_name = requiredText(body.value, 'device_name', NAME)
  if (!device_name.ok) return device_name
  return ok({ name: name.value, phone: number, proof: proof.value, device_name: device_name.value })
}

export const isPhoneNumber = (text: string): boolean => /^\+?\d{3,20}$/.test(text)

/** Signs a phone in, making the account on first use. */
export const signIn = async (context: RequestContext, command: SignIn): Promise<Result<SignInData, Refusal>> => {
  const { services, workspace } = context
  const account = await accountOf(context, command)
  if (!proves(account, command.proof)) {
    return err(refuse('device_not_signed_in', 'This account is protected, and the proof is not its own.'))
  }
  const id = makeId('device', streamIn(context, account.id, 'device id'))
  const token = toBase64url(streamIn(context, account.id, 'device token').bytes(32))
  const made = await services.store.devices.insert(workspace, {
    id,
    account: account.id,
    name: command.device_name,
    token_hash: tokenHash(token),
    push_count: 0,
    created_at: context.clock.now(),
  })
  // The workspace was reset or closed in the meantime.
  if (!made) return err(refuse('device_not_signed_in', 'The account is gone.'))
  context.trace.device_id = id
  const fact = { kind: 'device', change: 'signed_in', device_id: id, account: account.id } as const
  observeIn(context, { kind: 'phone', id }, fact)
  return ok({ device_id: id, device_token: token })
}

/** An account is its phone number; of two phones that make it at once, one does and both have it. */
const accountOf = async (context: RequestContext, { name, phone, proof }: SignIn): Promise<AccountRecord> => {
  const { accounts } = context.services.store
  const known = await accounts.byPhone(context.workspace, phone)
  if (known !== undefined) return known
  const made: AccountRecord = {
    id: makeId('account', streamIn(context, 'accounts', 'account id')),
    name,
    phone,
    ...(proof === undefined ? {} : { proof_hash: proofHash(proof) }),
    created_at: context.clock.now(),
  }
  if (await accounts.insert(context.workspace, made)) return made
  return (await accounts.byPhone(context.workspace, phone)) ?? made
}

const proofHash = (proof: string): string => createHash('sha256').update(proof).digest('base64url')

/** The proof given first binds the account; an account made without one is open. */
const proves = ({ proof_hash }: AccountRecord, proof: string | undefined): boolean =>
  proof_hash === undefined ||
  (proof !== undefined && timingSafeEqual(Buffer.from(proofHash(proof)), Buffer.from(proof_hash)))

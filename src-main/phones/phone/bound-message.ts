import { isObject, type JsonObject } from '../../core/protocol/json.ts'
import type { MessageKind } from '../../core/protocol/message-address.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import type { CreationOptionsJson, RequestOptionsJson } from '../../core/protocol/webauthn-json.ts'
import type { PublicKeyOptions } from './stored-form.ts'

export type BoundMessage = {
  readonly kind: MessageKind
  readonly rp: { readonly id: string; readonly name: string; readonly origins: readonly string[] }
  readonly user: { readonly username: string; readonly display_name: string }
  readonly credential_name: string
  readonly expires_at: number
  readonly public_key: PublicKeyOptions
}

const record = (value: unknown): JsonObject => (isObject(value) ? value : {})
const isText = (value: unknown): value is string => typeof value === 'string'
const textOr = (value: unknown, otherwise: string): string => (isText(value) ? value : otherwise)

const isDescriptorList = (value: unknown): boolean =>
  value === undefined || (Array.isArray(value) && value.every((entry) => isText(record(entry).id)))

/** Only the members that the phone itself uses; the authenticator checks their values. */
const isCreationOptions = (value: JsonObject): boolean =>
  isText(value.challenge) &&
  isText(record(value.rp).id) &&
  isText(record(value.user).id) &&
  isText(record(value.user).name) &&
  isText(record(value.user).displayName) &&
  Array.isArray(value.pubKeyCredParams) &&
  value.pubKeyCredParams.every((entry) => typeof record(entry).alg === 'number') &&
  isDescriptorList(value.excludeCredentials)

const isRequestOptions = (value: JsonObject): boolean =>
  isText(value.challenge) && isText(value.rpId) && isDescriptorList(value.allowCredentials)

const parseOptions = (kind: unknown, value: unknown): PublicKeyOptions | undefined => {
  const options = record(value)
  if (kind === 'registration' && isCreationOptions(options)) {
    return { kind, options: options as unknown as CreationOptionsJson }
  }
  if (kind === 'authentication' && isRequestOptions(options)) {
    return { kind, options: options as unknown as RequestOptionsJson }
  }
  return undefined
}

export type BadMember = 'public_key' | 'rp' | 'expires_at'

export const parseBoundMessage = (data: JsonObject): Result<BoundMessage, BadMember> => {
  const publicKey = parseOptions(data.kind, data.public_key)
  if (publicKey === undefined) return err('public_key')
  const rp = record(data.rp)
  const user = record(data.user)
  if (!isText(rp.id) || !Array.isArray(rp.origins) || !rp.origins.every(isText)) return err('rp')
  if (typeof data.expires_at !== 'number') return err('expires_at')
  const username = textOr(user.username, '')
  return ok({
    kind: publicKey.kind,
    rp: { id: rp.id, name: textOr(rp.name, rp.id), origins: rp.origins },
    user: { username, display_name: textOr(user.display_name, username) },
    credential_name: textOr(data.credential_name, ''),
    expires_at: data.expires_at,
    public_key: publicKey,
  })
}

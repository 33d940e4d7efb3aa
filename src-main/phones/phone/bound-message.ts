import type { BindData } from '../../core/contract/app/routes.ts'
import * as t from '../../core/contract/schema.ts'
import { fitsSchema } from '../../core/contract/validate.ts'
import { isObject, type JsonObject } from '../../core/protocol/json.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import type { PublicKeyOptions } from './stored-form.ts'

export type BoundMessage = Omit<BindData, 'public_key'> & { readonly public_key: PublicKeyOptions }

const descriptors = t.optional(t.list(t.answer({ id: t.text() })))

/** Only the members that the phone itself uses; the authenticator checks their values. */
const OPTIONS = {
  registration: t.answer({
    challenge: t.text(),
    rp: t.answer({ id: t.text() }),
    user: t.answer({ id: t.text(), name: t.text(), displayName: t.text() }),
    pubKeyCredParams: t.list(t.answer({ alg: t.decimal() })),
    excludeCredentials: descriptors,
  }),
  authentication: t.answer({ challenge: t.text(), rpId: t.text(), allowCredentials: descriptors }),
}

const fitsOptions = (asked: { readonly kind: unknown; readonly options: unknown }): asked is PublicKeyOptions =>
  (asked.kind === 'registration' || asked.kind === 'authentication') && fitsSchema(asked.options, OPTIONS[asked.kind])

const rpSchema = t.answer({ id: t.text(), name: t.optional(t.anything()), origins: t.list(t.text()) })

const textOr = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise)

export type BadMember = 'public_key' | 'rp' | 'expires_at'

export const parseBoundMessage = (data: JsonObject): Result<BoundMessage, BadMember> => {
  const asked = { kind: data.kind, options: data.public_key }
  if (!fitsOptions(asked)) return err('public_key')
  const { rp, expires_at } = data
  if (!fitsSchema(rp, rpSchema)) return err('rp')
  if (typeof expires_at !== 'number') return err('expires_at')
  const user = isObject(data.user) ? data.user : {}
  const username = textOr(user.username, '')
  return ok({
    kind: asked.kind,
    rp: { id: rp.id, name: textOr(rp.name, rp.id), origins: rp.origins },
    user: { username, display_name: textOr(user.display_name, username) },
    credential_name: textOr(data.credential_name, ''),
    expires_at,
    public_key: asked,
  })
}

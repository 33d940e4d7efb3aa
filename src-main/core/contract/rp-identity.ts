import { isOrigin } from './profile.ts'
import { expecting, list, nameText, refined, text } from './schema.ts'

/** WebAuthn §5.4.2: a domain, lower case, without port. */
export const isRpId = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= 253 && DOMAIN.test(value)

export const isRpOrigin = (value: unknown): value is string =>
  isOrigin(value) || (typeof value === 'string' && /^(?:android:apk-key-hash|ios:bundle-id):[\w.-]+$/.test(value))

const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/

export const rpDomain = refined(text('A domain such as shop.example.', { minLength: 1, maxLength: 253 }), isRpId, {
  code: 'domain',
})

export const rpOrigin = refined(text('An origin such as https://shop.example.'), isRpOrigin, { code: 'origin' })

export const rpOrigins = list(rpOrigin, {
  minItems: 1,
  maxItems: 32,
  description: 'Of its pages; when absent the bench’s own, or https:// and the RP ID where that is another site.',
})

/** No slash, comma or space: in the Authorization header they separate the key ID from what follows. */
export const accessKeyId = text('1 to 128 letters, digits, `.`, `_`, `~` and `-`; drawn when absent.', {
  pattern: '^[A-Za-z0-9._~-]{1,128}$',
  ...expecting({ code: 'access_key_id' }),
})

export const SECRET_KEY_MAX = 256

/** No error message repeats it. */
export const secretKey = nameText(SECRET_KEY_MAX, `1 to ${SECRET_KEY_MAX} characters; drawn when absent.`, {
  writeOnly: true,
})

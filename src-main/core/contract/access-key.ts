import { expecting, nameText, text } from './schema.ts'

/** The header's key ID ends at the first slash, and commas and spaces part the header. */
export const accessKeyId = text('1 to 128 letters, digits, `.`, `_`, `~` and `-`; drawn when absent.', {
  pattern: '^[A-Za-z0-9._~-]{1,128}$',
  ...expecting({ code: 'access_key_id' }),
})

export const SECRET_KEY_MAX = 256

/** Any text that fits on a line. It is never repeated in a complaint. */
export const secretKey = nameText(SECRET_KEY_MAX, `1 to ${SECRET_KEY_MAX} characters; drawn when absent.`, {
  writeOnly: true,
})

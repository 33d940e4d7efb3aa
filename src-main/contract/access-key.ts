/** What an access key may be, wherever one is given: in the words of JSON Schema, for the contract has them too. */

/** The header's key ID ends at the first slash, and commas and spaces part the header. */
export const ACCESS_KEY_ID = { pattern: '^[A-Za-z0-9._~-]{1,128}$' } as const

/** Any text that fits on a line; characters are code points. */
export const SECRET_KEY = { minLength: 1, maxLength: 256, pattern: '^\\P{Cc}*$' } as const

export const isAccessKeyId = (text: string): boolean => new RegExp(ACCESS_KEY_ID.pattern).test(text)

export const isSecretKey = (text: string): boolean => {
  const { length } = [...text]
  const fits = length >= SECRET_KEY.minLength && length <= SECRET_KEY.maxLength
  return fits && text.isWellFormed() && new RegExp(SECRET_KEY.pattern, 'u').test(text)
}

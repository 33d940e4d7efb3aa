import { fromBase64url } from '../../protocol/bytes.ts'
import { nameText, refined, text } from '../schema.ts'

export const PHONE_NAME_MAX = 64

/** A phone's name must fit on one line of a small screen. */
export const phoneName = refined(
  nameText(PHONE_NAME_MAX),
  (name) => name.trim() !== '' && !/[\p{Zl}\p{Zp}]/u.test(name),
  { code: 'name_on_a_line', params: { count: PHONE_NAME_MAX } },
)

export const stripSeparators = (phone: string): string => phone.replace(/[ ().-]/g, '')

export const isPhoneNumber = (plain: string): boolean => /^\+?\d{3,20}$/.test(plain)

export const phoneNumber = refined(
  nameText(40, '3 to 20 digits, with or without +; spaces, dots, hyphens and parentheses are not minded.'),
  (phone) => isPhoneNumber(stripSeparators(phone)),
  { code: 'phone_number' },
)

/** WebAuthn §7.1 step 25: a credential ID has at most 1,023 bytes. */
const LONGEST_ID = 1023
/** Fits a key and three names of the greatest length, with four bytes for each character. */
export const LONGEST_SEALED = 72 * 1024

/** The id of a credential, which is also its place in the vault. */
export const isVaultId = (id: string): boolean => {
  const bytes = fromBase64url(id)
  return bytes.ok && bytes.value.length >= 1 && bytes.value.length <= LONGEST_ID
}

export const vaultId = refined(text(`The credential ID, base64url; 1 to ${LONGEST_ID} bytes.`), isVaultId, {
  code: 'base64url_bytes',
  params: { least: 1, most: LONGEST_ID },
})

export const isSealed = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= LONGEST_SEALED && fromBase64url(value).ok

export const sealed = refined(
  text(`What the phone sealed, base64url without padding; at most ${LONGEST_SEALED / 1024} KiB.`, {
    minLength: 1,
    maxLength: LONGEST_SEALED,
    pattern: '^[A-Za-z0-9_-]+$',
  }),
  isSealed,
  { code: 'base64url_characters', params: { count: LONGEST_SEALED } },
)

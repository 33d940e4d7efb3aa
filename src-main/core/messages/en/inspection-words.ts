import type { FactWordParams, FlagWord } from '../../contract/inspection.ts'
import type { Texts } from '../text.ts'

const FLAGS: Readonly<Record<FlagWord, string>> = {
  user_present: 'user present',
  user_verified: 'user verified',
  backed_up: 'backed up',
  may_be_backed_up: 'may be backed up',
}

export const inspectionWords: Texts<FactWordParams> = {
  any: 'any',
  none: 'none',
  yes: 'yes',
  no: 'no',
  unreadable: 'unreadable',
  unknown_kind: 'of an unknown kind',
  signing_in: 'signing in',
  registering: 'registering',
  bytes: ({ count }) => `${count} bytes`,
  characters: ({ count }) => `${count} characters`,
  values: ({ count }) => `${count} values`,
  compressed_point: ({ count }) => `${count} bytes, compressed P-256`,
  sha256_of: ({ text }) => `SHA-256 of "${text}"`,
  flags: ({ set }) => set.map((flag) => FLAGS[flag]).join(', ') || 'none',
  period: ({ from, to }) => `${from} to ${to}`,
  age: ({ at, seconds }) => `${at}, ${seconds} s ago`,
  with_length: ({ text, count }) => `${text}, ${count} bytes`,
  general_form: ({ key, date }) => `general form, access key ${key}, ${date}`,
  short_form: ({ date }) => `short form, ${date}`,
  apple_nonce: 'the nonce of an Apple attestation',
  android_key: 'an Android key description',
}

const READ =
  'a WebAuthn response or its options, client data, an attestation object, authenticator data, a key, a certificate, CBOR, a token (JWS), a code (FIDO:/), an HTTP request or its Authorization header, a trace or a HAR'

export const unread = {
  title: 'Not recognised',
  text: `This is text, and none of what can be read here: ${READ}. Give it whole, as hex, base64url, base64, PEM or JSON.`,
  bytes: `These are bytes, and none of what can be read here: ${READ}. Is anything missing at the beginning or the end?`,
}

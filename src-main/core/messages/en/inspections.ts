/** Names of checks that are neither steps of WebAuthn nor mistakes of signing. */
export const inspectionChecks = {
  certificate_time: 'It is valid at this time',
  certificate_signature: 'It is signed by its issuer',
  signature: 'The signature holds',
  date: 'X-Svc-Date is a date',
  date_form: 'X-Svc-Date is YYYYMMDDTHHMMSSZ',
  date_does_not_exist: 'X-Svc-Date exists in the calendar',
  access_key: 'It is signed by the given access key',
  jws_not_signed: 'It is signed at all: its algorithm is none',
  pem_unreadable: 'It can be read between BEGIN and END',
  hybrid_code_unreadable: 'Its digits are CBOR',
  algorithm_expected: 'The algorithm is SVC-HMAC-SHA256',
  authorization_parts: 'It has two or three parts',
  key_and_scope_expected: 'It names an access key and a scope',
  signed_headers_form: 'The signed headers are names in lower case, with ; between',
  signed_headers_order: 'The signed headers are ascending',
  signature_form: 'The signature is 64 hex digits in lower case',
} as const

/** Inputs that a verdict still needs, by the option that gives each. */
export const inspectionWants = {
  options: '--options FILE, the options that it answers',
  origin: '--origin URL, where the browser should have been',
  'public-key': '--public-key KEY, the key that should have signed',
  'access-key': '--access-key ID:SECRET, the key that should have signed',
  certificate: 'the certificate that signed it, behind it in the same PEM',
} as const

const READ =
  'a WebAuthn response or its options, client data, an attestation object, authenticator data, a key, a certificate, CBOR, a token (JWS), a code (FIDO:/), an HTTP request or its Authorization header, a trace or a HAR'

export const unread = {
  title: 'Not recognised',
  text: `This is text, and none of what can be read here: ${READ}. Give it whole, as hex, base64url, base64, PEM or JSON.`,
  bytes: `These are bytes, and none of what can be read here: ${READ}. Is anything missing at the beginning or the end?`,
}

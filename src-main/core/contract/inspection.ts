import type { Coded, ParamsOf } from '../protocol/coded.ts'

/** Kinds that are recognised without a hint, in English. */
export const inspectionKinds = {
  'registration-response': 'WebAuthn registration response',
  'authentication-response': 'WebAuthn authentication response',
  'creation-options': 'WebAuthn creation options',
  'request-options': 'WebAuthn request options',
  'client-data': 'WebAuthn client data',
  'attestation-object': 'WebAuthn attestation object',
  'attestation-statement': 'WebAuthn attestation statement',
  'authenticator-data': 'WebAuthn authenticator data',
  'signed-data': 'What an authenticator signs: authenticator data and the hash of client data',
  'extension-results': 'WebAuthn client extension results',
  'credential-descriptor': 'WebAuthn credential descriptor',
  'credential-record': 'Stored credential',
  'webauthn-error': 'WebAuthn error of a browser',
  'ctap-request': 'CTAP2 request to an authenticator',
  'ctap-response': 'CTAP2 response of an authenticator',
  'u2f-registration': 'U2F registration response',
  'metadata-statement': 'FIDO metadata statement',
  'metadata-blob': 'FIDO metadata BLOB',
  'cose-key': 'COSE public key',
  'cose-algorithm': 'COSE algorithm',
  cbor: 'CBOR',
  certificate: 'X.509 certificate',
  'certificate-chain': 'X.509 certificates',
  'certificate-request': 'Certificate request',
  'public-key': 'Public key (SubjectPublicKeyInfo)',
  'private-key': 'Private key, which is not shown',
  'ssh-key': 'SSH public key',
  'ecdsa-signature': 'ECDSA signature',
  'tpm-public-area': 'TPM public area',
  'tpm-certify-info': 'TPM certify info',
  'android-key-description': 'Android key description',
  oid: 'Object identifier',
  der: 'DER',
  pem: 'PEM',
  jws: 'JSON Web Signature',
  jwe: 'JSON Web Encryption, which only its receiver can read',
  jwk: 'JSON Web Key',
  jwks: 'JSON Web Key Set',
  'message-address': 'Message address, as in a QR code of this service',
  'hybrid-code': 'QR code for a passkey on another device (FIDO:/)',
  aaguid: 'AAGUID',
  origin: 'Origin',
  url: 'Web address',
  'related-origins': 'Related origins (/.well-known/webauthn)',
  'asset-links': 'Digital asset links (/.well-known/assetlinks.json)',
  'site-association': 'Apple app site association',
  'http-request': 'HTTP request',
  'http-response': 'HTTP response',
  'curl-command': 'curl command',
  'event-stream': 'Server-sent events',
  'authorization-header': 'Authorization header of this interface',
  'canonical-request': 'Canonical request',
  'string-to-sign': 'String to sign',
  'svc-date': 'X-Svc-Date',
  timestamp: 'Point in time',
  traceparent: 'W3C trace context',
  envelope: 'Answer of this interface',
  'error-code': 'Error code of this interface',
  'failure-word': 'Reason for which the judge refuses',
  trace: 'Trace of Handset',
  har: 'HTTP Archive',
  scenario: 'Scenario of Handset',
  event: 'Event of Handset',
  'workspace-file': 'Workspace of Handset',
  'check-recording': 'Recording of handset check',
  'test-report': 'JUnit test report',
  openapi: 'OpenAPI description',
  json: 'JSON',
  yaml: 'YAML',
  'ec-point': 'Point on an elliptic curve, uncompressed',
  'raw-signature': 'Raw signature or HMAC, 64 bytes',
  digest: 'SHA-256 digest, challenge or key, 32 bytes',
  text: 'Text',
  bytes: 'Bytes',
  empty: 'Nothing',
} as const satisfies Readonly<Record<string, string>>

export type InspectedKind = keyof typeof inspectionKinds

export const UNREAD_KINDS: ReadonlySet<InspectedKind> = new Set(['empty', 'text', 'bytes'] as const)

/** The errors of navigator.credentials with a meaning for passkeys, in English. */
export const webauthnErrors = {
  NotAllowedError:
    'The person cancelled, the time ran out, or no passkey fits: browsers do not say which. Look at the RP ID, allowCredentials and timeout.',
  InvalidStateError:
    'While registering: the authenticator has a credential of excludeCredentials already. Let the person sign in instead.',
  SecurityError:
    'The RP ID does not fit the page: it must be the host or a domain above it, over HTTPS or on localhost.',
  AbortError: 'The page itself ended the call with its AbortSignal, often because another call began.',
  ConstraintError: 'The authenticator cannot do what the options require, such as a resident key or user verification.',
  NotSupportedError:
    'No algorithm of pubKeyCredParams is one that the authenticator has. Offer ES256 (-7) and RS256 (-257).',
  NotReadableError: 'The authenticator failed, or the platform could not reach it. Try again, or use another one.',
  UnknownError: 'The authenticator failed in a way that the browser does not tell. Its own log may say more.',
} as const satisfies Readonly<Record<string, string>>

type Count = { readonly count: number }

const flags = {
  user_present: 'user present',
  user_verified: 'user verified',
  backed_up: 'backed up',
  may_be_backed_up: 'may be backed up',
}

export type FlagWord = keyof typeof flags

/** Words among the values of an inspection, in English. */
export const inspectionWords = {
  any: 'any',
  none: 'none',
  yes: 'yes',
  no: 'no',
  unreadable: 'unreadable',
  unknown_kind: 'of an unknown kind',
  signing_in: 'signing in',
  registering: 'registering',
  bytes: ({ count }: Count) => `${count} bytes`,
  characters: ({ count }: Count) => `${count} characters`,
  values: ({ count }: Count) => `${count} values`,
  compressed_point: ({ count }: Count) => `${count} bytes, compressed P-256`,
  sha256_of: ({ text }: { text: string }) => `SHA-256 of "${text}"`,
  flags: ({ set }: { set: readonly FlagWord[] }) => set.map((flag) => flags[flag]).join(', ') || 'none',
  period: ({ from, to }: { from: string; to: string }) => `${from} to ${to}`,
  age: ({ at, seconds }: { at: string; seconds: number }) => `${at}, ${seconds} s ago`,
  with_length: ({ text, count }: { text: string; count: number }) => `${text}, ${count} bytes`,
  general_form: ({ key, date }: { key: string; date: string }) => `general form, access key ${key}, ${date}`,
  short_form: ({ date }: { date: string }) => `short form, ${date}`,
  apple_nonce: 'the nonce of an Apple attestation',
  android_key: 'an Android key description',
}

export type FactValue = string | Coded<ParamsOf<typeof inspectionWords>>

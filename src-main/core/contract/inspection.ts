import type { Coded, NoParams } from '../protocol/coded.ts'

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

export type WebauthnError = keyof typeof webauthnErrors

type Count = { readonly count: number }
export type FlagWord = 'user_present' | 'user_verified' | 'backed_up' | 'may_be_backed_up'

export type FactWordParams = {
  readonly any: NoParams
  readonly none: NoParams
  readonly yes: NoParams
  readonly no: NoParams
  readonly unreadable: NoParams
  readonly unknown_kind: NoParams
  readonly signing_in: NoParams
  readonly registering: NoParams
  readonly bytes: Count
  readonly characters: Count
  readonly values: Count
  readonly compressed_point: Count
  readonly sha256_of: { readonly text: string }
  readonly flags: { readonly set: readonly FlagWord[] }
  readonly period: { readonly from: string; readonly to: string }
  readonly age: { readonly at: string; readonly seconds: number }
  readonly with_length: { readonly text: string; readonly count: number }
  readonly general_form: { readonly key: string; readonly date: string }
  readonly short_form: { readonly date: string }
  readonly apple_nonce: NoParams
  readonly android_key: NoParams
}

export type FactValue = string | Coded<FactWordParams>

export const MAX_INSPECTED_BYTES = 4 * 1024 * 1024

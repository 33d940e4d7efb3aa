import type { Coded, NoParams } from '../protocol/coded.ts'

/** Kinds that are recognised without a hint. */
export const INSPECTED_KINDS = [
  ...['registration-response', 'authentication-response', 'creation-options', 'request-options', 'client-data'],
  ...['attestation-object', 'attestation-statement', 'authenticator-data', 'signed-data', 'extension-results'],
  ...['credential-descriptor', 'credential-record', 'webauthn-error', 'ctap-request', 'ctap-response'],
  ...['u2f-registration', 'metadata-statement', 'metadata-blob', 'cose-key', 'cose-algorithm', 'cbor'],
  ...['certificate', 'certificate-chain', 'certificate-request', 'public-key', 'private-key', 'ssh-key'],
  ...['ecdsa-signature', 'tpm-public-area', 'tpm-certify-info', 'android-key-description', 'oid', 'der', 'pem'],
  ...['jws', 'jwe', 'jwk', 'jwks', 'message-address', 'hybrid-code', 'aaguid', 'origin', 'url'],
  ...['related-origins', 'asset-links', 'site-association', 'http-request', 'http-response', 'curl-command'],
  ...['event-stream', 'authorization-header', 'canonical-request', 'string-to-sign', 'svc-date', 'timestamp'],
  ...['traceparent', 'envelope', 'error-code', 'failure-word', 'trace', 'har', 'scenario', 'event'],
  ...['workspace-file', 'check-recording', 'test-report', 'openapi', 'json', 'yaml', 'ec-point', 'raw-signature'],
  ...['digest', 'text', 'bytes', 'empty'],
] as const

export type InspectedKind = (typeof INSPECTED_KINDS)[number]

export const UNREAD_KINDS: ReadonlySet<InspectedKind> = new Set(['empty', 'text', 'bytes'] as const)

/** The errors of navigator.credentials with a meaning for passkeys. */
export const WEBAUTHN_ERRORS = [
  ...['NotAllowedError', 'InvalidStateError', 'SecurityError', 'AbortError', 'ConstraintError'],
  ...['NotSupportedError', 'NotReadableError', 'UnknownError'],
] as const
export type WebauthnError = (typeof WEBAUTHN_ERRORS)[number]

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

import type { Coded, NoParams } from '../../protocol/coded.ts'
import type { Millis } from '../../protocol/time.ts'

/** Why bytes cannot be read, in English. */
export const readingFaults = {
  truncated: 'truncated',
  indefinite_length: 'indefinite length',
  reserved_value: 'reserved value',
  text_not_utf8: 'text that is not UTF-8',
  too_deep: 'nested too deep',
  too_many_items: 'too many items',
  too_many_elements: 'too many elements',
  length_not_minimal: 'length not minimal',
  tag_not_minimal: 'tag not minimal',
  trailing_bytes: 'bytes left over',
} as const satisfies Readonly<Record<string, string>>

export type ReadingFault = keyof typeof readingFaults

/** The part of a certificate that is malformed, in English. */
export const certificateParts = {
  signed_sequence: 'not a signed sequence',
  version: 'version',
  serial_number: 'serial number',
  issuer: 'issuer',
  subject: 'subject',
  validity: 'validity',
  public_key: 'public key',
  signature_algorithm: 'signature algorithm',
  extensions: 'extensions',
} as const satisfies Readonly<Record<string, string>>

export type CertificatePart = keyof typeof certificateParts

/** What a member must be, in English. */
export const memberTypes = {
  text: 'text',
  map: 'a map',
  number: 'a number',
  bytes: 'bytes',
  byte_arrays: 'an array of bytes',
  statements: 'an array of two or more statements',
  names: 'an array of names',
  base64url: 'base64url text',
  object: 'an object',
  boolean: 'true or false',
} as const satisfies Readonly<Record<string, string>>

export type MemberType = keyof typeof memberTypes

type Count = { readonly count: number }
type Named = { readonly name: string }
type Flag = { readonly flag: 'UP' | 'UV' | 'BE' | 'BS' | 'AT' | 'ED' }

export type EvidenceParams = {
  readonly nothing: NoParams
  readonly text: NoParams
  readonly map: NoParams
  readonly object: NoParams
  readonly array: Count
  readonly cut_text: { readonly text: string; readonly count: number }
  readonly cut_bytes: { readonly hex: string; readonly count: number }
  readonly any_of: { readonly values: readonly string[] }

  readonly bytes: Count
  readonly bytes_at_least: Count
  readonly bytes_at_most: Count
  readonly bytes_between: { readonly least: number; readonly most: number }
  readonly bytes_left_over: Count
  readonly members: Count
  readonly roots: Count
  readonly more_than: Count
  readonly one_of_credentials: Count
  readonly certificates_between: Count

  readonly registration: NoParams
  readonly authentication: NoParams
  readonly member: Named & { readonly type: MemberType }
  readonly member_at_most: Named & Count
  readonly base64url_character: Named & { readonly at: number }
  readonly base64url_length: Named
  readonly base64url_last_bits: Named
  readonly no_leading_zeros: Named

  readonly true_or_false: NoParams
  readonly nothing_or_cross_origin: NoParams
  readonly token_binding: NoParams
  readonly flag_set: Flag
  readonly flag_not_set: Flag
  readonly backup_state_not_set: NoParams
  readonly backup_eligible: NoParams
  readonly device_bound: NoParams
  readonly backed_up: NoParams
  readonly not_backed_up: NoParams

  readonly fault_at: { readonly fault: ReadingFault; readonly byte: number }
  readonly key_type_for: { readonly type: string; readonly algorithm: string }
  readonly ecdsa_signature: NoParams
  readonly raw_ecdsa_signature: Count
  readonly no_ecdsa_signature: Count

  readonly certificate_fault: { readonly index: number; readonly fault: ReadingFault; readonly byte: number }
  readonly certificate_size: { readonly index: number } & Count
  readonly certificate_part: { readonly index: number; readonly part: CertificatePart }
  readonly certificate_key_other: NoParams
  readonly in_force_at: { readonly time: Millis }
  readonly in_force_between: { readonly from: Millis; readonly to: Millis; readonly name: string }
  readonly signed_by: Named
  readonly signed_by_itself: NoParams
  readonly empty_name: NoParams
  readonly no_directory_name: NoParams
  readonly extension_malformed: NoParams
  readonly not_a_ca: NoParams
  readonly aaguid_octets: NoParams
  readonly country_code: NoParams
  readonly vendor_name: NoParams
  readonly common_name: NoParams

  readonly tpm_too_short: NoParams
  readonly tpm_type: { readonly type: string }
  readonly tpm_curve: { readonly curve: string }
  readonly tpm_modulus: { readonly bits: number; readonly count: number }
  readonly tpm_coordinates: NoParams

  readonly device_intact: NoParams
  readonly minute_before: { readonly time: Millis }
}

export type EvidenceWords = Coded<EvidenceParams>

/** Data is the same in every language: quoted JSON, hex, names of algorithms, numbers. Words have a code. */
export type Evidence = string | EvidenceWords

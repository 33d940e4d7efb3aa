import type { Coded, ParamsOf } from '../../protocol/coded.ts'
import { isoTime, type Millis } from '../../protocol/time.ts'

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

/** Values that the judge expected and received, in English. */
export const evidence = {
  nothing: 'nothing',
  text: 'text',
  map: 'a map',
  object: 'an object',
  array: ({ count }: Count) => `an array of ${count}`,
  cut_text: ({ text, count }: { text: string; count: number }) => `${text}… (${count} characters)`,
  cut_bytes: ({ hex, count }: { hex: string; count: number }) => `${hex}… (${count} bytes)`,
  any_of: ({ values }: { values: readonly string[] }) => values.join(' or '),

  bytes: ({ count }: Count) => `${count} bytes`,
  bytes_at_least: ({ count }: Count) => `${count} bytes or more`,
  bytes_at_most: ({ count }: Count) => `at most ${count} bytes`,
  bytes_between: ({ least, most }: { least: number; most: number }) => `${least} to ${most} bytes`,
  bytes_left_over: ({ count }: Count) => `${count} bytes left over`,
  members: ({ count }: Count) => `${count} members`,
  roots: ({ count }: Count) => `${count} roots`,
  more_than: ({ count }: Count) => `more than ${count}`,
  one_of_credentials: ({ count }: Count) => `one of ${count} credentials`,
  certificates_between: ({ count }: Count) => `at most ${count} between`,

  registration: 'a registration',
  authentication: 'an authentication',
  member: ({ name, type }: Named & { type: MemberType }) => `${name}: ${memberTypes[type]}`,
  member_at_most: ({ name, count }: Named & Count) => `${name}: at most ${count} characters`,
  base64url_character: ({ name, at }: Named & { at: number }) =>
    `${name}: character ${at} is not in the base64url alphabet`,
  base64url_length: ({ name }: Named) => `${name}: no base64url text has this length`,
  base64url_last_bits: ({ name }: Named) => `${name}: the last character carries bits that belong to no byte`,
  no_leading_zeros: ({ name }: Named) => `${name} without leading zeros`,

  true_or_false: 'true or false',
  nothing_or_cross_origin: 'nothing, or crossOrigin true',
  token_binding: 'an object with the status "present" or "supported"',
  flag_set: ({ flag }: Flag) => `${flag} set`,
  flag_not_set: ({ flag }: Flag) => `${flag} not set`,
  backup_state_not_set: 'BS not set, because BE is not set',
  backup_eligible: 'may be backed up',
  device_bound: 'bound to one device',
  backed_up: 'backed up',
  not_backed_up: 'not backed up',

  fault_at: ({ fault, byte }: { fault: ReadingFault; byte: number }) => `${readingFaults[fault]} at byte ${byte}`,
  key_type_for: ({ type, algorithm }: { type: string; algorithm: string }) => `${type} for ${algorithm}`,
  ecdsa_signature: 'a DER sequence of two positive integers (ECDSA-Sig-Value)',
  raw_ecdsa_signature: ({ count }: Count) => `${count} bytes, which looks like r and s side by side`,
  no_ecdsa_signature: ({ count }: Count) => `${count} bytes that are no such sequence`,

  certificate_fault: ({ index, fault, byte }: { index: number; fault: ReadingFault; byte: number }) =>
    `certificate ${index}: ${readingFaults[fault]} at byte ${byte}`,
  certificate_size: ({ index, count }: { index: number } & Count) => `certificate ${index}: ${count} bytes`,
  certificate_part: ({ index, part }: { index: number; part: CertificatePart }) =>
    `certificate ${index}: ${certificateParts[part]}`,
  certificate_key_other: 'a key of another kind',
  in_force_at: ({ time }: { time: Millis }) => `in force at ${isoTime(time)}`,
  in_force_between: ({ from, to, name }: { from: Millis; to: Millis; name: string }) =>
    `${isoTime(from)} to ${isoTime(to)} (${name})`,
  signed_by: ({ name }: Named) => `signed by ${name}`,
  signed_by_itself: 'signed by itself',
  empty_name: 'an empty name',
  no_directory_name: 'no directory name',
  extension_malformed: 'an extension that cannot be read',
  not_a_ca: 'basic constraints with CA false',
  aaguid_octets: '16 bytes in an OCTET STRING of their own',
  country_code: 'a two-letter country code',
  vendor_name: 'the legal name of the vendor',
  common_name: 'a name of the vendor’s choosing',

  tpm_too_short: 'too short',
  tpm_type: ({ type }: { type: string }) => `type ${type}, neither RSA nor ECC`,
  tpm_curve: ({ curve }: { curve: string }) => `curve ${curve}`,
  tpm_modulus: ({ bits, count }: { bits: number; count: number }) => `${bits} bits, but a modulus of ${count} bytes`,
  tpm_coordinates: 'coordinates too long for the curve',

  device_intact: 'ctsProfileMatch true',
  minute_before: ({ time }: { time: Millis }) => `within a minute before ${time}`,
}

export type EvidenceParams = ParamsOf<typeof evidence>

export type EvidenceWords = Coded<EvidenceParams>

/** Data is the same in every language: quoted JSON, hex, names of algorithms, numbers. Words have a code. */
export type Evidence = string | EvidenceWords

import type { CertificatePart, EvidenceParams, MemberType, ReadingFault } from '../../contract/judge/evidence.ts'
import { isoTime, type Texts } from '../text.ts'

const TYPES: Readonly<Record<MemberType, string>> = {
  text: 'text',
  map: 'a map',
  number: 'a number',
  bytes: 'bytes',
  byte_arrays: 'an array of bytes',
  statements: 'an array of two or more statements',
  names: 'an array of names',
  base64url: 'base64url text',
}

const FAULTS: Readonly<Record<ReadingFault, string>> = {
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
}

const PARTS: Readonly<Record<CertificatePart, string>> = {
  signed_sequence: 'not a signed sequence',
  version: 'version',
  serial_number: 'serial number',
  issuer: 'issuer',
  subject: 'subject',
  validity: 'validity',
  public_key: 'public key',
  signature_algorithm: 'signature algorithm',
  extensions: 'extensions',
}

/** What the judge expected or got, where that is words. */
export const evidence: Texts<EvidenceParams> = {
  nothing: 'nothing',
  text: 'text',
  map: 'a map',
  object: 'an object',
  array: ({ count }) => `an array of ${count}`,
  cut_text: ({ text, count }) => `${text}… (${count} characters)`,
  cut_bytes: ({ hex, count }) => `${hex}… (${count} bytes)`,
  any_of: ({ values }) => values.join(' or '),

  bytes: ({ count }) => `${count} bytes`,
  bytes_at_least: ({ count }) => `${count} bytes or more`,
  bytes_at_most: ({ count }) => `at most ${count} bytes`,
  bytes_between: ({ least, most }) => `${least} to ${most} bytes`,
  bytes_left_over: ({ count }) => `${count} bytes left over`,
  members: ({ count }) => `${count} members`,
  roots: ({ count }) => `${count} roots`,
  more_than: ({ count }) => `more than ${count}`,
  one_of_credentials: ({ count }) => `one of ${count} credentials`,
  certificates_between: ({ count }) => `at most ${count} between`,

  registration: 'a registration',
  authentication: 'an authentication',
  member: ({ name, type }) => `${name}: ${TYPES[type]}`,
  member_at_most: ({ name, count }) => `${name}: at most ${count} characters`,
  base64url_character: ({ name, at }) => `${name}: character ${at} is not in the base64url alphabet`,
  base64url_length: ({ name }) => `${name}: no base64url text has this length`,
  base64url_last_bits: ({ name }) => `${name}: the last character carries bits that belong to no byte`,
  no_leading_zeros: ({ name }) => `${name} without leading zeros`,

  true_or_false: 'true or false',
  nothing_or_cross_origin: 'nothing, or crossOrigin true',
  token_binding: 'an object with the status "present" or "supported"',
  flag_set: ({ flag }) => `${flag} set`,
  flag_not_set: ({ flag }) => `${flag} not set`,
  backup_state_not_set: 'BS not set, because BE is not set',
  backup_eligible: 'may be backed up',
  device_bound: 'bound to one device',
  backed_up: 'backed up',
  not_backed_up: 'not backed up',

  fault_at: ({ fault, byte }) => `${FAULTS[fault]} at byte ${byte}`,
  key_type_for: ({ type, algorithm }) => `${type} for ${algorithm}`,
  ecdsa_signature: 'a DER sequence of two positive integers (ECDSA-Sig-Value)',
  raw_ecdsa_signature: ({ count }) => `${count} bytes, which looks like r and s side by side`,
  no_ecdsa_signature: ({ count }) => `${count} bytes that are no such sequence`,

  certificate_fault: ({ index, fault, byte }) => `certificate ${index}: ${FAULTS[fault]} at byte ${byte}`,
  certificate_size: ({ index, count }) => `certificate ${index}: ${count} bytes`,
  certificate_part: ({ index, part }) => `certificate ${index}: ${PARTS[part]}`,
  certificate_key_other: 'a key of another kind',
  in_force_at: ({ time }) => `in force at ${isoTime(time)}`,
  in_force_between: ({ from, to, name }) => `${isoTime(from)} to ${isoTime(to)} (${name})`,
  signed_by: ({ name }) => `signed by ${name}`,
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
  tpm_type: ({ type }) => `type ${type}, neither RSA nor ECC`,
  tpm_curve: ({ curve }) => `curve ${curve}`,
  tpm_modulus: ({ bits, count }) => `${bits} bits, but a modulus of ${count} bytes`,
  tpm_coordinates: 'coordinates too long for the curve',

  device_intact: 'ctsProfileMatch true',
  minute_before: ({ time }) => `within a minute before ${time}`,
}

import { concat, utf8 } from '../../../core/protocol/bytes.ts'
import { sha256 } from '../algorithms.ts'
import { type AuthenticatorDataDraft, FLAGS } from '../authenticator-data.ts'
import type { CborValue } from '../canonical-cbor.ts'
import type { SeamContext } from '../seams.ts'
import type { FaultTable } from './fault.ts'

type Change = (draft: AuthenticatorDataDraft, context: SeamContext) => AuthenticatorDataDraft

const draft = (change: Change) => ({ seams: { authenticatorData: change } })

const flags = (change: (flags: number) => number) => draft((data) => ({ ...data, flags: change(data.flags) }))

const setFlag = (bits: number) => flags((value) => value | bits)

const clearFlag = (bits: number) => flags((value) => value & ~bits)

const attested = (
  change: (data: NonNullable<AuthenticatorDataDraft['attested']>) => AuthenticatorDataDraft['attested'],
) =>
  draft((data) => {
    if (data.attested === undefined) return data
    const { attested: before, ...rest } = data
    const after = change(before)
    return after === undefined ? rest : { ...rest, attested: after }
  })

const withoutAttested: Change = ({ attested: _, ...rest }) => rest

const credentialId = (length: number) =>
  attested((data) => {
    const id = new Uint8Array(length)
    id.set(data.credentialId.subarray(0, length))
    return { ...data, credentialId: id, credentialIdLength: length }
  })

const counter = (change: (count: number) => number) => draft((data) => ({ ...data, signCount: change(data.signCount) }))

/** Changes one output; undefined leaves it out. */
const extension = (name: string, change: (output: CborValue | undefined) => CborValue | undefined) =>
  draft((data) => {
    const outputs = new Map(data.extensions instanceof Map ? data.extensions : [])
    const output = change(outputs.get(name))
    if (output === undefined) return data
    return { ...data, flags: data.flags | FLAGS.ED, extensions: outputs.set(name, output) }
  })

const part = { seam: 'authenticator data' } as const
const both = { ...part, ceremony: 'both' } as const
const registration = { ...part, ceremony: 'registration' } as const
const authentication = { ...part, ceremony: 'authentication' } as const
const counted = { ...authentication, needs: { storage: 'chip', signedInBefore: true } } as const

/** Faults in the authenticator's claims about itself (WebAuthn §6.1). */
export const authenticatorDataFaults = {
  'rp-id-hash-wrong': {
    ...both,
    expected: 'rp_id_hash_mismatch',
    apply: draft((data) => ({ ...data, rpIdHash: sha256(utf8('phishing.example')) })),
  },
  'rp-id-hash-of-origin': {
    ...both,
    expected: 'rp_id_hash_mismatch',
    apply: draft((data, { credential }) => ({ ...data, rpIdHash: sha256(utf8(`https://${credential.rpId}`)) })),
  },
  'rp-id-hash-zero': {
    ...both,
    expected: 'rp_id_hash_mismatch',
    apply: draft((data) => ({ ...data, rpIdHash: new Uint8Array(32) })),
  },

  'user-presence-missing': { ...both, expected: 'user_presence_missing', apply: clearFlag(FLAGS.UP | FLAGS.UV) },
  'user-verification-missing': {
    ...both,
    expected: 'user_verification_missing',
    needs: { profile: { user_verification: 'required' } },
    apply: clearFlag(FLAGS.UV),
  },
  'user-verification-only': {
    ...both,
    expected: 'user_presence_missing',
    apply: flags((value) => (value & ~FLAGS.UP) | FLAGS.UV),
  },
  'backup-state-without-eligibility': {
    ...both,
    expected: 'backup_state_invalid',
    apply: flags((value) => (value & ~FLAGS.BE) | FLAGS.BS),
  },
  'backup-eligibility-changed': {
    ...authentication,
    expected: 'backup_eligibility_changed',
    apply: flags((value) => (value ^ FLAGS.BE) & ~FLAGS.BS),
  },
  'backup-state-changed': {
    ...authentication,
    expected: 'success',
    needs: { storage: 'cloud' },
    apply: clearFlag(FLAGS.BS),
  },
  'reserved-bit-1': { ...both, expected: 'flags_reserved_set', apply: setFlag(FLAGS.RFU1) },
  'reserved-bit-5': { ...both, expected: 'flags_reserved_set', apply: setFlag(FLAGS.RFU2) },

  'attested-flag-missing': { ...registration, expected: 'trailing_bytes', apply: clearFlag(FLAGS.AT) },
  'attested-data-missing': {
    ...registration,
    expected: 'attested_credential_data_truncated',
    apply: draft(withoutAttested),
  },
  'attested-data-and-flag-missing': {
    ...registration,
    expected: 'attested_credential_data_missing',
    apply: draft((data, context) => ({ ...withoutAttested(data, context), flags: data.flags & ~FLAGS.AT })),
  },
  'attested-flag-unexpected': {
    ...authentication,
    expected: 'attested_credential_data_unexpected',
    apply: setFlag(FLAGS.AT),
  },
  'extension-flag-without-data': {
    ...both,
    expected: 'extensions_missing',
    apply: draft(({ extensions: _, ...data }) => ({ ...data, flags: data.flags | FLAGS.ED })),
  },
  'extension-data-without-flag': {
    ...both,
    expected: 'trailing_bytes',
    apply: draft((data) => ({ ...data, flags: data.flags & ~FLAGS.ED, extensions: new Map([['credProtect', 1]]) })),
  },
  'extension-data-not-a-map': {
    ...both,
    expected: 'extensions_malformed',
    apply: draft((data) => ({ ...data, flags: data.flags | FLAGS.ED, extensions: Uint8Array.of(1) })),
  },
  'extension-data-cut-off': {
    ...both,
    expected: 'extensions_malformed',
    apply: draft((data) => ({ ...data, flags: data.flags | FLAGS.ED, extensions: Uint8Array.of(0xa1, 0x63) })),
  },
  'extension-not-asked-for': { ...both, expected: 'success', apply: extension('credBlob', () => true) },
  'credential-protection-weaker': {
    ...registration,
    expected: 'credential_protection_weaker',
    needs: { profile: { extensions: ['credProtect'] } },
    apply: extension('credProtect', (level) => level && 1),
  },
  'trailing-bytes': {
    ...both,
    expected: 'trailing_bytes',
    apply: { seams: { authenticatorDataBytes: (bytes) => concat(bytes, Uint8Array.of(0, 0)) } },
  },
  'authenticator-data-truncated': {
    ...both,
    expected: 'authenticator_data_too_short',
    apply: { seams: { authenticatorDataBytes: (bytes) => bytes.slice(0, 36) } },
  },
  'authenticator-data-empty': {
    ...both,
    expected: 'authenticator_data_too_short',
    apply: { seams: { authenticatorDataBytes: () => new Uint8Array(0) } },
  },

  'credential-id-empty': { ...registration, expected: 'credential_id_empty', apply: credentialId(0) },
  'credential-id-too-long': { ...registration, expected: 'credential_id_too_long', apply: credentialId(1024) },
  'credential-id-length-lies': {
    ...registration,
    expected: 'attested_credential_data_truncated',
    apply: attested((data) => ({ ...data, credentialIdLength: 0xffff })),
  },
  'credential-id-cut-off': {
    ...registration,
    expected: 'attested_credential_data_truncated',
    apply: { seams: { authenticatorDataBytes: (bytes) => bytes.slice(0, 60) } },
  },

  'counter-unchanged': { ...counted, expected: 'counter_regression', apply: counter((count) => count - 1) },
  'counter-falling': { ...counted, expected: 'counter_regression', apply: counter(() => 0) },
  'cloned-authenticator': { ...counted, expected: 'counter_regression', apply: counter(() => 1) },
  'counter-jumping': {
    ...authentication,
    expected: 'success',
    needs: { storage: 'chip' },
    apply: counter((count) => count + 1000),
  },
} as const satisfies FaultTable

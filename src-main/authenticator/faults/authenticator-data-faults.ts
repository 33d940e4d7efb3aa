import { createHash } from 'node:crypto'
import { concat, utf8 } from '../../protocol/bytes.ts'
import { type AuthenticatorDataDraft, FLAGS } from '../authenticator-data.ts'
import type { SeamContext } from '../seams.ts'
import type { FaultTable } from './fault.ts'

type Change = (draft: AuthenticatorDataDraft, context: SeamContext) => AuthenticatorDataDraft

const draft = (change: Change) => ({ seams: { authenticatorData: change } })

const flags = (change: (flags: number) => number) => draft((data) => ({ ...data, flags: change(data.flags) }))

const setFlag = (bits: number) => flags((value) => value | bits)

const clearFlag = (bits: number) => flags((value) => value & ~bits)

const sha256 = (text: string): Uint8Array => new Uint8Array(createHash('sha256').update(utf8(text)).digest())

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

const part = { seam: 'authenticator data' } as const
const both = { ...part, ceremony: 'both' } as const
const registration = { ...part, ceremony: 'registration' } as const
const authentication = { ...part, ceremony: 'authentication' } as const
const counted = { ...authentication, needs: { storage: 'chip', signedInBefore: true } } as const

/** Faults in what the authenticator says of itself (WebAuthn §6.1). */
export const authenticatorDataFaults = {
  'rp-id-hash-wrong': {
    ...both,
    title: 'The phone signs for another RP ID',
    expected: 'rp_id_hash_mismatch',
    apply: draft((data) => ({ ...data, rpIdHash: sha256('phishing.example') })),
  },
  'rp-id-hash-of-origin': {
    ...both,
    title: 'The phone hashes the origin instead of the RP ID',
    expected: 'rp_id_hash_mismatch',
    apply: draft((data, { credential }) => ({ ...data, rpIdHash: sha256(`https://${credential.rpId}`) })),
  },
  'rp-id-hash-zero': {
    ...both,
    title: 'The RP ID hash is all zeros',
    expected: 'rp_id_hash_mismatch',
    apply: draft((data) => ({ ...data, rpIdHash: new Uint8Array(32) })),
  },

  'user-presence-missing': {
    ...both,
    title: 'The user was not there',
    expected: 'user_presence_missing',
    apply: clearFlag(FLAGS.UP),
  },
  'user-verification-missing': {
    ...both,
    title: 'The user was not verified although that is required',
    expected: 'user_verification_missing',
    needs: { profile: { user_verification: 'required' } },
    apply: clearFlag(FLAGS.UV),
  },
  'user-verification-only': {
    ...both,
    title: 'The user was verified without being there',
    expected: 'user_presence_missing',
    apply: flags((value) => (value & ~FLAGS.UP) | FLAGS.UV),
  },
  'backup-state-without-eligibility': {
    ...both,
    title: 'A credential that cannot be backed up says that it is',
    expected: 'backup_state_invalid',
    apply: flags((value) => (value & ~FLAGS.BE) | FLAGS.BS),
  },
  'backup-eligibility-changed': {
    ...authentication,
    title: 'The credential has become eligible for backup, or has ceased to be',
    expected: 'backup_eligibility_changed',
    apply: flags((value) => (value ^ FLAGS.BE) & ~FLAGS.BS),
  },
  'backup-state-changed': {
    ...authentication,
    title: 'A synchronised credential is not backed up at the moment',
    expected: 'success',
    needs: { storage: 'cloud' },
    apply: clearFlag(FLAGS.BS),
  },
  'reserved-bit-1': {
    ...both,
    title: 'The first reserved flag is set',
    expected: 'flags_reserved_set',
    apply: setFlag(FLAGS.RFU1),
  },
  'reserved-bit-5': {
    ...both,
    title: 'The second reserved flag is set',
    expected: 'flags_reserved_set',
    apply: setFlag(FLAGS.RFU2),
  },

  'attested-flag-missing': {
    ...registration,
    title: 'The credential is there, but its flag is not set',
    expected: 'trailing_bytes',
    apply: clearFlag(FLAGS.AT),
  },
  'attested-data-missing': {
    ...registration,
    title: 'The flag for a credential is set, but there is none',
    expected: 'attested_credential_data_truncated',
    apply: draft(withoutAttested),
  },
  'attested-data-and-flag-missing': {
    ...registration,
    title: 'A registration without a credential',
    expected: 'attested_credential_data_missing',
    apply: draft((data, context) => ({ ...withoutAttested(data, context), flags: data.flags & ~FLAGS.AT })),
  },
  'attested-flag-unexpected': {
    ...authentication,
    title: 'A sign-in says that it brings a new credential',
    expected: 'attested_credential_data_unexpected',
    apply: setFlag(FLAGS.AT),
  },
  'extension-flag-without-data': {
    ...both,
    title: 'The flag for extensions is set, but there are none',
    expected: 'extensions_missing',
    apply: draft(({ extensions: _, ...data }) => ({ ...data, flags: data.flags | FLAGS.ED })),
  },
  'extension-data-without-flag': {
    ...both,
    title: 'There are extensions, but their flag is not set',
    expected: 'trailing_bytes',
    apply: draft((data) => ({ ...data, flags: data.flags & ~FLAGS.ED, extensions: new Map([['credProtect', 1]]) })),
  },
  'extension-data-not-a-map': {
    ...both,
    title: 'The extensions are a number',
    expected: 'extensions_malformed',
    apply: draft((data) => ({ ...data, flags: data.flags | FLAGS.ED, extensions: Uint8Array.of(1) })),
  },
  'extension-data-cut-off': {
    ...both,
    title: 'The extensions are cut off',
    expected: 'extensions_malformed',
    apply: draft((data) => ({ ...data, flags: data.flags | FLAGS.ED, extensions: Uint8Array.of(0xa1, 0x63) })),
  },
  'trailing-bytes': {
    ...both,
    title: 'Bytes follow the authenticator data',
    expected: 'trailing_bytes',
    apply: { seams: { authenticatorDataBytes: (bytes) => concat(bytes, Uint8Array.of(0, 0)) } },
  },
  'authenticator-data-truncated': {
    ...both,
    title: 'The authenticator data ends before its counter',
    expected: 'authenticator_data_too_short',
    apply: { seams: { authenticatorDataBytes: (bytes) => bytes.slice(0, 36) } },
  },
  'authenticator-data-empty': {
    ...both,
    title: 'The authenticator data is empty',
    expected: 'authenticator_data_too_short',
    apply: { seams: { authenticatorDataBytes: () => new Uint8Array(0) } },
  },

  'credential-id-empty': {
    ...registration,
    title: 'The credential has an empty ID',
    expected: 'credential_id_empty',
    apply: credentialId(0),
  },
  'credential-id-too-long': {
    ...registration,
    title: 'The credential has an ID of 1,024 bytes',
    expected: 'credential_id_too_long',
    apply: credentialId(1024),
  },
  'credential-id-length-lies': {
    ...registration,
    title: 'The ID is said to be longer than everything that follows',
    expected: 'attested_credential_data_truncated',
    apply: attested((data) => ({ ...data, credentialIdLength: 0xffff })),
  },
  'credential-id-cut-off': {
    ...registration,
    title: 'The authenticator data ends within the credential ID',
    expected: 'attested_credential_data_truncated',
    apply: { seams: { authenticatorDataBytes: (bytes) => bytes.slice(0, 60) } },
  },

  'counter-unchanged': {
    ...counted,
    title: 'The counter is the same as last time',
    expected: 'counter_regression',
    apply: counter((count) => count - 1),
  },
  'counter-falling': {
    ...counted,
    title: 'The counter goes back to zero',
    expected: 'counter_regression',
    apply: counter(() => 0),
  },
  'cloned-authenticator': {
    ...counted,
    title: 'A copy of the phone, made before its first sign-in, signs in',
    expected: 'counter_regression',
    apply: counter(() => 1),
  },
  'counter-jumping': {
    ...authentication,
    title: 'The counter jumps ahead by a thousand',
    expected: 'success',
    needs: { storage: 'chip' },
    apply: counter((count) => count + 1000),
  },
} as const satisfies FaultTable

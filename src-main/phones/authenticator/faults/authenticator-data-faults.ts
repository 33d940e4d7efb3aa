import { concat, utf8 } from '../../../core/protocol/bytes.ts'
import { sha256 } from '../algorithms.ts'
import { type AttestedCredentialDraft, type AuthenticatorDataDraft, FLAGS } from '../authenticator-data.ts'
import type { CborValue } from '../canonical-cbor.ts'
import type { SeamContext, Seams } from '../seams.ts'
import { changing, type FaultTable, faultsAt } from './fault.ts'

const whole = (change: (draft: AuthenticatorDataDraft) => AuthenticatorDataDraft) => ({ authenticatorData: change })

const encoded = (change: NonNullable<Seams['authenticatorDataBytes']>) => ({ authenticatorDataBytes: change })

/** Changes members of the data. */
const draft = changing('authenticatorData')

const flags = (change: (flags: number) => number) => draft((data) => ({ flags: change(data.flags) }))

const setFlag = (bits: number) => flags((value) => value | bits)

const clearFlag = (bits: number) => flags((value) => value & ~bits)

/** Changes members of the new credential's part, if there is one. */
export const attested = (
  change: (data: AttestedCredentialDraft, context: SeamContext) => Partial<AttestedCredentialDraft>,
) =>
  draft(({ attested: data }, context) =>
    data === undefined ? {} : { attested: { ...data, ...change(data, context) } },
  )

const withoutAttested = ({ attested: _, ...rest }: AuthenticatorDataDraft): AuthenticatorDataDraft => rest

const credentialId = (length: number) =>
  attested((data) => {
    const id = new Uint8Array(length)
    id.set(data.credentialId.subarray(0, length))
    return { credentialId: id, credentialIdLength: length }
  })

const counter = (change: (count: number) => number) => draft((data) => ({ signCount: change(data.signCount) }))

/** Writes these octets in place of the extensions. */
const extensionsAs = (...octets: readonly number[]) =>
  draft((data) => ({ flags: data.flags | FLAGS.ED, extensions: Uint8Array.from(octets) }))

/** Changes one output; undefined leaves it out. */
const extension = (name: string, change: (output: CborValue | undefined) => CborValue | undefined) =>
  draft((data) => {
    const outputs = new Map(data.extensions instanceof Map ? data.extensions : [])
    const output = change(outputs.get(name))
    if (output === undefined) return {}
    return { flags: data.flags | FLAGS.ED, extensions: outputs.set(name, output) }
  })

const both = faultsAt('both', 'authenticator data')
const registration = faultsAt('registration', 'authenticator data')
const authentication = faultsAt('authentication', 'authenticator data')
const counted = faultsAt('authentication', 'authenticator data', { storage: 'chip', signedInBefore: true })

/** Faults in the authenticator's claims about itself (WebAuthn §6.1). */
export const authenticatorDataFaults = {
  'rp-id-hash-wrong': both('rp_id_hash_mismatch')(draft(() => ({ rpIdHash: sha256(utf8('phishing.example')) }))),
  'rp-id-hash-of-origin': both('rp_id_hash_mismatch')(
    draft((_, { credential }) => ({ rpIdHash: sha256(utf8(`https://${credential.rpId}`)) })),
  ),
  'rp-id-hash-zero': both('rp_id_hash_mismatch')(draft(() => ({ rpIdHash: new Uint8Array(32) }))),

  'user-presence-missing': both('user_presence_missing')(clearFlag(FLAGS.UP | FLAGS.UV)),
  'user-verification-missing': both('user_verification_missing', { profile: { user_verification: 'required' } })(
    clearFlag(FLAGS.UV),
  ),
  'user-verification-only': both('user_presence_missing')(flags((value) => (value & ~FLAGS.UP) | FLAGS.UV)),
  'backup-state-without-eligibility': both('backup_state_invalid')(flags((value) => (value & ~FLAGS.BE) | FLAGS.BS)),
  'backup-eligibility-changed': authentication('backup_eligibility_changed')(
    flags((value) => (value ^ FLAGS.BE) & ~FLAGS.BS),
  ),
  'backup-state-changed': authentication('success', { storage: 'cloud' })(clearFlag(FLAGS.BS)),
  'reserved-bit-1': both('flags_reserved_set')(setFlag(FLAGS.RFU1)),
  'reserved-bit-5': both('flags_reserved_set')(setFlag(FLAGS.RFU2)),

  'attested-flag-missing': registration('trailing_bytes')(clearFlag(FLAGS.AT)),
  'attested-data-missing': registration('attested_credential_data_truncated')(whole(withoutAttested)),
  'attested-data-and-flag-missing': registration('attested_credential_data_missing')(
    whole((data) => ({ ...withoutAttested(data), flags: data.flags & ~FLAGS.AT })),
  ),
  'attested-flag-unexpected': authentication('attested_credential_data_unexpected')(setFlag(FLAGS.AT)),
  'extension-flag-without-data': both('extensions_missing')(
    whole(({ extensions: _, ...data }) => ({ ...data, flags: data.flags | FLAGS.ED })),
  ),
  'extension-data-without-flag': both('trailing_bytes')(
    draft((data) => ({ flags: data.flags & ~FLAGS.ED, extensions: new Map([['credProtect', 1]]) })),
  ),
  'extension-data-not-a-map': both('extensions_malformed')(extensionsAs(0x01)),
  'extension-data-cut-off': both('extensions_malformed')(extensionsAs(0xa1, 0x63)),
  'extension-not-asked-for': both('success')(extension('credBlob', () => true)),
  'credential-protection-weaker': registration('credential_protection_weaker', {
    profile: { extensions: ['credProtect'] },
  })(extension('credProtect', (level) => level && 1)),
  'trailing-bytes': both('trailing_bytes')(encoded((bytes) => concat(bytes, Uint8Array.of(0, 0)))),
  'authenticator-data-truncated': both('authenticator_data_too_short')(encoded((bytes) => bytes.slice(0, 36))),
  'authenticator-data-empty': both('authenticator_data_too_short')(encoded(() => new Uint8Array(0))),

  'credential-id-empty': registration('credential_id_empty')(credentialId(0)),
  'credential-id-too-long': registration('credential_id_too_long')(credentialId(1024)),
  'credential-id-length-lies': registration('attested_credential_data_truncated')(
    attested(() => ({ credentialIdLength: 0xffff })),
  ),
  'credential-id-cut-off': registration('attested_credential_data_truncated')(encoded((bytes) => bytes.slice(0, 60))),

  'counter-unchanged': counted('counter_regression')(counter((count) => count - 1)),
  'counter-falling': counted('counter_regression')(counter(() => 0)),
  'cloned-authenticator': counted('counter_regression')(counter(() => 1)),
  'counter-jumping': authentication('success', { storage: 'chip' })(counter((count) => count + 1000)),
} as const satisfies FaultTable

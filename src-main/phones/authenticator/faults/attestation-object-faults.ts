import { concat } from '../../../core/protocol/bytes.ts'
import type { AttestationObjectDraft } from '../authenticator-data.ts'
import { type CborValue, cborMap, encodeCanonicalCbor } from '../canonical-cbor.ts'
import type { AttestationKind } from '../models.ts'
import type { Seams } from '../seams.ts'
import { foreignKeyLike } from './another-key.ts'
import { type FaultTable, faultsAt, flipBit } from './fault.ts'

/** Changes members of the object. */
const object = (change: (draft: AttestationObjectDraft) => Readonly<Record<string, CborValue>>): Seams => ({
  attestationObject: (draft) => ({ ...draft, ...change(draft) }),
})

const bytes = (change: NonNullable<Seams['attestationObjectBytes']>) => ({ attestationObjectBytes: change })

const statementOf = ({ attStmt }: AttestationObjectDraft): ReadonlyMap<number | string, CborValue> =>
  attStmt instanceof Map ? attStmt : new Map()

/** Changes the format's name. A statement that is not a map, as compound's, becomes an empty map. */
const named = (name: (fmt: string) => string) =>
  object((draft) => ({ fmt: name(String(draft.fmt)), attStmt: statementOf(draft) }))

export const setMember = (name: string, value: CborValue) =>
  object((draft) => ({ attStmt: new Map([...statementOf(draft), [name, value]]) }))

const without = (name: string) =>
  object((draft) => ({ attStmt: new Map([...statementOf(draft)].filter(([key]) => key !== name)) }))

// The object's head is one octet, the name "fmt" four, and the format's own head says how long it is.
const formatLast = (before: Uint8Array): Uint8Array<ArrayBuffer> => {
  const end = 1 + 4 + 1 + ((before[5] ?? 0) & 0x1f)
  return concat(before.subarray(0, 1), before.subarray(end), before.subarray(1, end))
}

const AAGUID_OFFSET = 37

const aaguidFlipped = (authData: CborValue): CborValue =>
  authData instanceof Uint8Array ? flipBit(authData, AAGUID_OFFSET) : authData

const fault = faultsAt('registration', 'attestation')
const malformed = fault('malformed_attestation_object')
const at = (...attestation: readonly AttestationKind[]) => faultsAt('registration', 'attestation', { attestation })
const SIGNED = ['self', 'packed', 'fido-u2f', 'tpm', 'android-key'] as const
const signed = at(...SIGNED)
const ofEs256 = faultsAt('registration', 'attestation', { attestation: SIGNED, algorithms: ['ES256'] })
const stated = at(...SIGNED, 'apple', 'android-safetynet')
const withAlgorithm = at('self', 'packed', 'tpm', 'android-key')
const OVER_DATA = ['self', 'packed', 'android-key'] as const
const overData = at(...OVER_DATA)

/** Faults in the attestation object and in the members that all statements share (WebAuthn §6.5.4, §8). */
export const statementFaults = {
  'attestation-object-empty': malformed(bytes(() => new Uint8Array(0))),
  'attestation-object-truncated': malformed(bytes((before) => before.slice(0, -1))),
  'attestation-object-trailing-bytes': fault('trailing_bytes')(bytes((before) => concat(before, Uint8Array.of(0)))),
  'attestation-object-malformed': malformed(bytes((before) => concat(Uint8Array.of(0x1c), before.subarray(1)))),
  'attestation-object-list': malformed(bytes((before) => concat(Uint8Array.of(0x81), before))),
  'attestation-object-unordered': fault('cbor_keys_unordered')(bytes(formatLast)),
  'attestation-object-extra-member': fault('attestation_object_extra_member')(object(() => ({ epAtt: true }))),
  'attestation-data-missing': malformed(bytes(() => encodeCanonicalCbor(cborMap({ fmt: 'none', attStmt: new Map() })))),
  'attestation-data-mistyped': malformed(object(() => ({ authData: 'text' }))),

  'format-unknown': fault('attestation_format_unsupported')(named(() => 'handset-future')),
  'format-mistyped': malformed(object(() => ({ fmt: 1 }))),
  'format-in-upper-case': fault('attestation_format_unsupported')(named((fmt) => fmt.toUpperCase())),
  'format-not-of-statement': at('self', 'packed')('attestation_statement_member_missing')(
    object(() => ({ fmt: 'tpm' })),
  ),
  'format-none-with-statement': stated('attestation_statement_not_empty')(object(() => ({ fmt: 'none' }))),
  'statement-not-empty': at('none')('attestation_statement_not_empty')(setMember('alg', -7)),
  'statement-mistyped': malformed(object((draft) => ({ attStmt: Array.isArray(draft.attStmt) ? new Map() : [] }))),
  'statement-extra-member': stated('attestation_statement_extra_member')(setMember('ecdaaKeyId', Uint8Array.of(1))),

  'attestation-algorithm-missing': withAlgorithm('attestation_statement_member_missing')(without('alg')),
  'attestation-algorithm-mistyped': withAlgorithm('malformed_attestation_statement')(setMember('alg', 'ES256')),
  'attestation-algorithm-wrong': overData('attestation_algorithm_mismatch')(setMember('alg', -257)),
  'attestation-algorithm-unknown': at('packed', 'tpm', 'android-key')('attestation_algorithm_unsupported')(
    setMember('alg', -60000),
  ),

  'attestation-signature-missing': signed('attestation_statement_member_missing')(without('sig')),
  'attestation-signature-mistyped': signed('malformed_attestation_statement')(setMember('sig', 'text')),
  'attestation-signature-empty': ofEs256('attestation_signature_malformed')({
    attestationSignature: () => new Uint8Array(0),
  }),
  'attestation-signature-tampered': at(...SIGNED, 'android-safetynet')('attestation_signature_invalid')({
    attestationSignature: (signature) => flipBit(signature, -1),
  }),
  'attestation-signature-by-another-key': ofEs256('attestation_signature_invalid')({
    attestationSigning: (draft, context) => ({ ...draft, privateKey: foreignKeyLike(draft.privateKey, context) }),
  }),
  'attestation-signature-over-other-data': overData('attestation_signature_invalid')({
    attestationSigning: (draft) => ({ ...draft, data: draft.data.slice(0, -32) }),
  }),
  'attested-data-changed-after-signing': faultsAt('registration', 'authenticator data', { attestation: OVER_DATA })(
    'attestation_signature_invalid',
  )(object((draft) => ({ authData: aaguidFlipped(draft.authData) }))),
} as const satisfies FaultTable

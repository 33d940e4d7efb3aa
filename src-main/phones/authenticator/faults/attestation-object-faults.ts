import { concat } from '../../../core/protocol/bytes.ts'
import type { AttestationObjectDraft } from '../authenticator-data.ts'
import { type CborValue, encodeCanonicalCbor } from '../canonical-cbor.ts'
import type { AttestationKind } from '../models.ts'
import type { Seams } from '../seams.ts'
import { anotherKeyLike } from './another-key.ts'
import type { FaultTable } from './fault.ts'

const object = (change: NonNullable<Seams['attestationObject']>) => ({ seams: { attestationObject: change } })

const bytes = (change: NonNullable<Seams['attestationObjectBytes']>) => ({ seams: { attestationObjectBytes: change } })

const statementOf = ({ attStmt }: AttestationObjectDraft): ReadonlyMap<number | string, CborValue> =>
  attStmt instanceof Map ? attStmt : new Map()

/** Changes the format's name. A statement that is not a map, as compound's, becomes an empty map. */
const named = (name: (fmt: string) => string) =>
  object((draft) => ({ ...draft, fmt: name(String(draft.fmt)), attStmt: statementOf(draft) }))

const set = (name: string, value: CborValue) =>
  object((draft) => ({ ...draft, attStmt: new Map([...statementOf(draft), [name, value]]) }))

const without = (name: string) =>
  object((draft) => ({ ...draft, attStmt: new Map([...statementOf(draft)].filter(([key]) => key !== name)) }))

export const lastBitFlipped = (signature: Uint8Array): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(signature, (octet, i) => (i === signature.length - 1 ? octet ^ 1 : octet))

// The object's head is one octet, the name "fmt" four, and the format's own head says how long it is.
const formatLast = (before: Uint8Array): Uint8Array<ArrayBuffer> => {
  const end = 1 + 4 + 1 + ((before[5] ?? 0) & 0x1f)
  return concat(before.subarray(0, 1), before.subarray(end), before.subarray(1, end))
}

const AAGUID_OFFSET = 37

const aaguidFlipped = (authData: CborValue): CborValue =>
  authData instanceof Uint8Array ? authData.map((octet, i) => (i === AAGUID_OFFSET ? octet ^ 1 : octet)) : authData

const base = { ceremony: 'registration', seam: 'attestation' } as const
const kinds = <const K extends readonly AttestationKind[]>(...attestation: K) => ({ attestation })
const SIGNED = kinds('self', 'packed', 'fido-u2f', 'tpm', 'android-key')
const NAMED = kinds('self', 'packed', 'tpm', 'android-key')

/** Faults in the attestation object and in the members that all statements share (WebAuthn §6.5.4, §8). */
export const statementFaults = {
  'attestation-object-empty': {
    ...base,
    expected: 'malformed_attestation_object',
    apply: bytes(() => new Uint8Array(0)),
  },
  'attestation-object-truncated': {
    ...base,
    expected: 'malformed_attestation_object',
    apply: bytes((before) => before.slice(0, -1)),
  },
  'attestation-object-trailing-bytes': {
    ...base,
    expected: 'trailing_bytes',
    apply: bytes((before) => concat(before, Uint8Array.of(0))),
  },
  'attestation-object-malformed': {
    ...base,
    expected: 'malformed_attestation_object',
    apply: bytes((before) => concat(Uint8Array.of(0x1c), before.subarray(1))),
  },
  'attestation-object-list': {
    ...base,
    expected: 'malformed_attestation_object',
    apply: bytes((before) => concat(Uint8Array.of(0x81), before)),
  },
  'attestation-object-unordered': { ...base, expected: 'cbor_keys_unordered', apply: bytes(formatLast) },
  'attestation-object-extra-member': {
    ...base,
    expected: 'attestation_object_extra_member',
    apply: object((draft) => ({ ...draft, epAtt: true }) as AttestationObjectDraft),
  },
  'attestation-data-missing': {
    ...base,
    expected: 'malformed_attestation_object',
    apply: bytes(() =>
      encodeCanonicalCbor(
        new Map<string, CborValue>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
        ]),
      ),
    ),
  },
  'attestation-data-mistyped': {
    ...base,
    expected: 'malformed_attestation_object',
    apply: object((draft) => ({ ...draft, authData: 'text' })),
  },

  'format-unknown': { ...base, expected: 'attestation_format_unsupported', apply: named(() => 'handset-future') },
  'format-mistyped': {
    ...base,
    expected: 'malformed_attestation_object',
    apply: object((draft) => ({ ...draft, fmt: 1 })),
  },
  'format-in-upper-case': {
    ...base,
    expected: 'attestation_format_unsupported',
    apply: named((fmt) => fmt.toUpperCase()),
  },
  'format-not-of-statement': {
    ...base,
    expected: 'attestation_statement_member_missing',
    needs: kinds('self', 'packed'),
    apply: object((draft) => ({ ...draft, fmt: 'tpm' })),
  },
  'format-none-with-statement': {
    ...base,
    expected: 'attestation_statement_not_empty',
    needs: kinds('self', 'packed', 'fido-u2f', 'tpm', 'android-key', 'apple', 'android-safetynet'),
    apply: object((draft) => ({ ...draft, fmt: 'none' })),
  },
  'statement-not-empty': {
    ...base,
    expected: 'attestation_statement_not_empty',
    needs: kinds('none'),
    apply: set('alg', -7),
  },
  'statement-mistyped': {
    ...base,
    expected: 'malformed_attestation_object',
    apply: object((draft) => ({ ...draft, attStmt: Array.isArray(draft.attStmt) ? new Map() : [] })),
  },
  'statement-extra-member': {
    ...base,
    expected: 'attestation_statement_extra_member',
    needs: kinds('self', 'packed', 'fido-u2f', 'tpm', 'android-key', 'apple', 'android-safetynet'),
    apply: set('ecdaaKeyId', Uint8Array.of(1)),
  },

  'attestation-algorithm-missing': {
    ...base,
    expected: 'attestation_statement_member_missing',
    needs: NAMED,
    apply: without('alg'),
  },
  'attestation-algorithm-mistyped': {
    ...base,
    expected: 'malformed_attestation_statement',
    needs: NAMED,
    apply: set('alg', 'ES256'),
  },
  'attestation-algorithm-wrong': {
    ...base,
    expected: 'attestation_algorithm_mismatch',
    needs: kinds('self', 'packed', 'android-key'),
    apply: set('alg', -257),
  },
  'attestation-algorithm-unknown': {
    ...base,
    expected: 'attestation_algorithm_unsupported',
    needs: kinds('packed', 'tpm', 'android-key'),
    apply: set('alg', -60000),
  },

  'attestation-signature-missing': {
    ...base,
    expected: 'attestation_statement_member_missing',
    needs: SIGNED,
    apply: without('sig'),
  },
  'attestation-signature-mistyped': {
    ...base,
    expected: 'malformed_attestation_statement',
    needs: SIGNED,
    apply: set('sig', 'text'),
  },
  'attestation-signature-empty': {
    ...base,
    expected: 'attestation_signature_malformed',
    needs: { ...SIGNED, algorithms: ['ES256'] },
    apply: { seams: { attestationSignature: () => new Uint8Array(0) } },
  },
  'attestation-signature-tampered': {
    ...base,
    expected: 'attestation_signature_invalid',
    needs: { attestation: [...SIGNED.attestation, 'android-safetynet'] },
    apply: { seams: { attestationSignature: lastBitFlipped } },
  },
  'attestation-signature-by-another-key': {
    ...base,
    expected: 'attestation_signature_invalid',
    needs: { ...SIGNED, algorithms: ['ES256'] },
    apply: {
      seams: {
        attestationSigning: (draft, context) => ({ ...draft, privateKey: anotherKeyLike(draft.privateKey, context) }),
      },
    },
  },
  'attestation-signature-over-other-data': {
    ...base,
    expected: 'attestation_signature_invalid',
    needs: kinds('self', 'packed', 'android-key'),
    apply: { seams: { attestationSigning: (draft) => ({ ...draft, data: draft.data.slice(0, -32) }) } },
  },
  'attested-data-changed-after-signing': {
    ...base,
    seam: 'authenticator data',
    expected: 'attestation_signature_invalid',
    needs: kinds('self', 'packed', 'android-key'),
    apply: object((draft) => ({ ...draft, authData: aaguidFlipped(draft.authData) })),
  },
} as const satisfies FaultTable

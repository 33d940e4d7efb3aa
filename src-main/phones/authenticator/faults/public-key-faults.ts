import { concat } from '../../../core/protocol/bytes.ts'
import { ALGORITHMS } from '../algorithms.ts'
import type { CoseKey } from '../authenticator-data.ts'
import { type CborValue, encodeCanonicalCbor } from '../canonical-cbor.ts'
import { privateOctets } from '../private-key.ts'
import type { SeamContext } from '../seams.ts'
import { attested } from './authenticator-data-faults.ts'
import { type FaultTable, faultsAt, flipBit } from './fault.ts'

type Change = (key: CoseKey, context: SeamContext) => CoseKey | Uint8Array

const key = (change: Change) =>
  attested(({ publicKey }, context) =>
    publicKey instanceof Uint8Array ? {} : { publicKey: change(publicKey, context) },
  )

/** Changes the value under one label. */
const value = (label: number, change: (before: CborValue | undefined, context: SeamContext) => CborValue) =>
  key((before, context) => new Map([...before, [label, change(before.get(label), context)]]))

const set = (label: number, after: CborValue) => value(label, () => after)

const without = (label: number) => key((before) => new Map([...before].filter(([name]) => name !== label)))

const encoded = (change: (bytes: Uint8Array) => Uint8Array) => key((before) => change(encodeCanonicalCbor(before)))

const octets = (part: CborValue | undefined): Uint8Array => (part instanceof Uint8Array ? part : new Uint8Array(0))

/** Other algorithms, the most widely supported ones first. */
const OTHERS = ['ES384', 'RS256', 'ES512', 'RS384', 'RS512', 'PS256', 'Ed25519', 'RS1', 'ES256K', 'Ed448'] as const

const fault = faultsAt('registration', 'authenticator data')
const ofEc = faultsAt('registration', 'authenticator data', { algorithms: ['ES256', 'ES384', 'ES512', 'ES256K'] })
const ofEs256 = faultsAt('registration', 'authenticator data', { algorithms: ['ES256'] })

// A COSE key's map is small: its head is one octet, and its first entry is kty, two octets.
const HEAD = 1
const FIRST_ENTRY = 3

/** Faults in the new credential's public key (WebAuthn §6.5.1.1) and in how it is written (CTAP2 §8). */
export const publicKeyFaults = {
  'key-not-on-curve': ofEc('public_key_not_on_curve')(value(-3, (y) => flipBit(octets(y), 0))),
  'key-compressed': ofEc('public_key_point_compressed')(value(-3, (y) => ((octets(y).at(-1) ?? 0) & 1) === 1)),
  'key-coordinate-short': ofEc('public_key_length')(value(-2, (x) => octets(x).subarray(1))),
  'key-coordinate-missing': ofEc('malformed_public_key')(without(-3)),
  'key-curve-wrong': ofEs256('public_key_curve_mismatch')(set(-1, 2)),
  'key-type-wrong': ofEs256('public_key_type_mismatch')(set(1, 1)),
  'key-type-unknown': fault('public_key_type_unsupported')(set(1, 99)),
  'key-algorithm-missing': fault('malformed_public_key')(without(3)),
  'key-algorithm-mistyped': fault('malformed_public_key')(set(3, 'ES256')),
  'key-algorithm-unknown': fault('unsupported_algorithm')(set(3, -60000)),
  'key-algorithm-of-other-kind': ofEc('public_key_type_mismatch')(set(3, -257)),
  'algorithm-not-requested': fault('algorithm_not_requested', {
    algorithms: ['ES256'],
    attestation: ['none', 'self', 'packed'],
    profile: { algorithms: ['ES256'] },
  })({
    algorithm: (chosen, { pubKeyCredParams }) =>
      OTHERS.find((name) => pubKeyCredParams.every(({ alg }) => alg !== ALGORITHMS[name].cose)) ?? chosen,
  }),
  'key-with-private-part': ofEc('public_key_private_part')(
    value(-4, (_, { credential }) => privateOctets(credential.privateKey)),
  ),
  'key-extra-member': fault('public_key_extra_member')(set(2, Uint8Array.of(1))),
  'key-not-a-map': fault('malformed_public_key')(key(() => Uint8Array.of(0x80))),
  'key-cut-off': fault('malformed_public_key')(encoded((bytes) => bytes.subarray(0, -3))),

  'cbor-not-minimal': fault('cbor_not_minimal')(
    encoded((bytes) => concat(Uint8Array.of(0xb8, (bytes[0] ?? 0) & 0x1f), bytes.subarray(HEAD))),
  ),
  'cbor-keys-unordered': fault('cbor_keys_unordered')(
    encoded((bytes) => concat(bytes.subarray(0, HEAD), bytes.subarray(FIRST_ENTRY), bytes.subarray(HEAD, FIRST_ENTRY))),
  ),
  'cbor-duplicate-key': fault('cbor_duplicate_key')(
    encoded((bytes) =>
      concat(Uint8Array.of((bytes[0] ?? 0) + 1), bytes.subarray(HEAD, FIRST_ENTRY), bytes.subarray(HEAD)),
    ),
  ),
  'cbor-indefinite-length': fault('cbor_indefinite_length')(
    encoded((bytes) => concat(Uint8Array.of(0xbf), bytes.subarray(HEAD), Uint8Array.of(0xff))),
  ),
  'cbor-tagged': fault('cbor_tag_present')(
    encoded((bytes) => concat(bytes.subarray(0, 2), Uint8Array.of(0xc1), bytes.subarray(2))),
  ),
} as const satisfies FaultTable

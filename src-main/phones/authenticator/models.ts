import type { AlgorithmName } from './algorithms.ts'

/** Each has separate makers. */
export const CERTIFIED_FORMATS = ['packed', 'fido-u2f', 'tpm', 'android-key', 'apple', 'android-safetynet'] as const

export type CertifiedFormat = (typeof CERTIFIED_FORMATS)[number]

/** Includes compound attestation, which combines statements of other formats. */
export const VOUCHED = [...CERTIFIED_FORMATS, 'compound'] as const

export type Vouched = (typeof VOUCHED)[number]

export type AttestationKind = Vouched | 'none' | 'self'

export const isVouched = (kind: AttestationKind): kind is Vouched => kind !== 'none' && kind !== 'self'

export type Storage = 'chip' | 'cloud'

/** growing: +1 per assertion; zero: no counter; stuck: starts at one and never moves, as broken firmware does. */
export type CounterPolicy = 'growing' | 'zero' | 'stuck'

/** Differences between devices of one attestation format; an absent member means the usual form. */
export type AttestationVariant = {
  /** tpm: the attestation key, ES256 when absent. Windows has RSA keys and signs with SHA-1. */
  readonly attestationKey?: 'ES256' | 'RS256' | 'RS1'
  /** apple: names the algorithm, as the devices of 2020 and 2021 did. */
  readonly namesAlgorithm?: boolean
  /** android-key: where the key lives; in the trusted environment when absent. */
  readonly keyLevel?: 'software' | 'strongbox'
  /** packed: the certificate does not name the model. */
  readonly withoutAaguid?: boolean
  readonly rootInChain?: boolean
}

export type AuthenticatorModel = {
  readonly name: string
  readonly title: string
  /** A UUID; all zero where the format has none. */
  readonly aaguid: string
  /** Supported algorithms; the first one is taken when the service leaves the choice open. */
  readonly algorithms: readonly [AlgorithmName, ...AlgorithmName[]]
  readonly attestation: AttestationKind
  readonly variant?: AttestationVariant
  readonly storage: Storage
  /** Counter of credentials in the chip; synchronised credentials have none. */
  readonly counter: CounterPolicy
  /** Octets, 16 to 1,023 (WebAuthn §4, Credential ID). */
  readonly credentialIdLength: number
  readonly discoverable: boolean
  readonly largeBlob: boolean
  readonly hmacSecret: boolean
  readonly minPinLength: number
  readonly transports: readonly string[]
}

const usual = {
  algorithms: ['ES256'],
  attestation: 'packed',
  storage: 'chip',
  counter: 'growing',
  credentialIdLength: 32,
  discoverable: true,
  largeBlob: true,
  hmacSecret: true,
  minPinLength: 4,
  transports: ['internal', 'hybrid'],
} as const

/** The models that a user can choose. They are invented: none has a real maker's AAGUID. */
export const MODELS = {
  'cloud-pebble': {
    ...usual,
    name: 'cloud-pebble',
    title: 'Cloud Pebble: synchronised credentials, no attestation',
    aaguid: '7b6a1f0e-52c4-4d0b-9a86-0d9f3c1e2a01',
    algorithms: ['ES256', 'Ed25519', 'RS256'],
    attestation: 'none',
    storage: 'cloud',
    counter: 'zero',
  },
  'granite-one': {
    ...usual,
    name: 'granite-one',
    title: 'Granite One: secure chip, packed attestation with a batch certificate',
    aaguid: '7b6a1f0e-52c4-4d0b-9a86-0d9f3c1e2a02',
  },
  'granite-self': {
    ...usual,
    name: 'granite-self',
    title: 'Granite Self: secure chip, packed self attestation',
    aaguid: '7b6a1f0e-52c4-4d0b-9a86-0d9f3c1e2a03',
    attestation: 'self',
  },
  'granite-plain': {
    ...usual,
    name: 'granite-plain',
    title: 'Granite Plain: packed attestation without the model in its certificate, and with the root in its chain',
    aaguid: '7b6a1f0e-52c4-4d0b-9a86-0d9f3c1e2a0d',
    variant: { withoutAaguid: true, rootInChain: true },
  },
  'granite-both': {
    ...usual,
    name: 'granite-both',
    title: 'Granite Both: compound attestation, of its batch and of its keystore',
    aaguid: '7b6a1f0e-52c4-4d0b-9a86-0d9f3c1e2a11',
    attestation: 'compound',
  },
  'edwards-two': {
    ...usual,
    name: 'edwards-two',
    title: 'Edwards Two: Ed25519 in a secure chip, packed attestation',
    aaguid: '7b6a1f0e-52c4-4d0b-9a86-0d9f3c1e2a04',
    algorithms: ['Ed25519', 'Ed448'],
  },
  'orchard-key': {
    ...usual,
    name: 'orchard-key',
    title: 'Orchard Key: anonymous certificate per credential, as Apple does it',
    aaguid: '7b6a1f0e-52c4-4d0b-9a86-0d9f3c1e2a05',
    attestation: 'apple',
  },
  'orchard-2020': {
    ...usual,
    name: 'orchard-2020',
    title: 'Orchard 2020: its statement has alg, as Apple’s had in 2020 and 2021; needs judge_relaxes apple-alg',
    aaguid: '00000000-0000-0000-0000-000000000000',
    attestation: 'apple',
    variant: { namesAlgorithm: true },
  },
  'droid-keystore': {
    ...usual,
    name: 'droid-keystore',
    title: 'Droid Keystore: hardware key attestation, as Android does it',
    aaguid: '7b6a1f0e-52c4-4d0b-9a86-0d9f3c1e2a06',
    attestation: 'android-key',
  },
  'droid-strongbox': {
    ...usual,
    name: 'droid-strongbox',
    title: 'Droid StrongBox: keys in a chip of their own, with KeyMint',
    aaguid: '7b6a1f0e-52c4-4d0b-9a86-0d9f3c1e2a0e',
    attestation: 'android-key',
    variant: { keyLevel: 'strongbox' },
  },
  'droid-software': {
    ...usual,
    name: 'droid-software',
    title: 'Droid Software: Android keys that no hardware protects',
    aaguid: '7b6a1f0e-52c4-4d0b-9a86-0d9f3c1e2a0f',
    attestation: 'android-key',
    variant: { keyLevel: 'software' },
  },
  'droid-classic': {
    ...usual,
    name: 'droid-classic',
    title: 'Droid Classic: SafetyNet attestation, as old Androids did it',
    aaguid: '7b6a1f0e-52c4-4d0b-9a86-0d9f3c1e2a07',
    attestation: 'android-safetynet',
  },
  'slate-tpm': {
    ...usual,
    name: 'slate-tpm',
    title: 'Slate TPM: RSA keys in a trusted platform module, as Windows has them',
    aaguid: '7b6a1f0e-52c4-4d0b-9a86-0d9f3c1e2a08',
    algorithms: ['RS256', 'ES256'],
    attestation: 'tpm',
    variant: { attestationKey: 'RS1' },
  },
  'slate-ecc': {
    ...usual,
    name: 'slate-ecc',
    title: 'Slate ECC: elliptic curves in a trusted platform module, certified with SHA-256',
    aaguid: '7b6a1f0e-52c4-4d0b-9a86-0d9f3c1e2a10',
    algorithms: ['ES256', 'ES384'],
    attestation: 'tpm',
  },
  'token-u2f': {
    ...usual,
    name: 'token-u2f',
    title: 'Token U2F: an old security key behind a phone; no discoverable credentials',
    aaguid: '00000000-0000-0000-0000-000000000000',
    attestation: 'fido-u2f',
    credentialIdLength: 64,
    discoverable: false,
    largeBlob: false,
    hmacSecret: false,
    transports: ['usb', 'nfc'],
  },
  'stuck-counter': {
    ...usual,
    name: 'stuck-counter',
    title: 'Stuck Counter: broken firmware whose counter never moves',
    aaguid: '7b6a1f0e-52c4-4d0b-9a86-0d9f3c1e2a09',
    counter: 'stuck',
  },
  'long-id': {
    ...usual,
    name: 'long-id',
    title: 'Long ID: credential IDs of 1,023 bytes, the longest there may be',
    aaguid: '7b6a1f0e-52c4-4d0b-9a86-0d9f3c1e2a0a',
    credentialIdLength: 1023,
  },
  'lattice-three': {
    ...usual,
    name: 'lattice-three',
    title: 'Lattice Three: post-quantum ML-DSA keys, packed attestation',
    aaguid: '7b6a1f0e-52c4-4d0b-9a86-0d9f3c1e2a0b',
    algorithms: ['ML-DSA-65', 'ML-DSA-44', 'ML-DSA-87'],
  },
  'every-algorithm': {
    ...usual,
    name: 'every-algorithm',
    title: 'Every Algorithm: takes the service’s preferred algorithm',
    aaguid: '7b6a1f0e-52c4-4d0b-9a86-0d9f3c1e2a0c',
    algorithms: [
      'ES256',
      'ES384',
      'ES512',
      'ES256K',
      'Ed25519',
      'Ed448',
      'RS256',
      'RS384',
      'RS512',
      'PS256',
      'PS384',
      'PS512',
      'RS1',
      'ML-DSA-44',
      'ML-DSA-65',
      'ML-DSA-87',
    ],
  },
} as const satisfies Record<string, AuthenticatorModel>

export type ModelName = keyof typeof MODELS

/** For servers that know no maker: self-signed, with the algorithms that their libraries have. */
export const UNKNOWN_MODEL: AuthenticatorModel = {
  ...MODELS['granite-self'],
  algorithms: ['ES256', 'Ed25519', 'RS256', 'ES384', 'ES512'],
}

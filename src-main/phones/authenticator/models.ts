import { mapValues } from '../../core/protocol/json.ts'
import { ALGORITHM_NAMES, type AlgorithmName } from './algorithms.ts'

/** Formats with certificates; each format has its own makers. */
export const CERTIFIED_FORMATS = ['packed', 'fido-u2f', 'tpm', 'android-key', 'apple', 'android-safetynet'] as const

export type CertifiedFormat = (typeof CERTIFIED_FORMATS)[number]

/** Includes compound attestation, which combines statements of other formats. */
export const ATTESTED_FORMATS = [...CERTIFIED_FORMATS, 'compound'] as const

export type AttestedFormat = (typeof ATTESTED_FORMATS)[number]

export type AttestationKind = AttestedFormat | 'none' | 'self'

export const isAttestedFormat = (kind: AttestationKind): kind is AttestedFormat => kind !== 'none' && kind !== 'self'

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

/** The number is the end of the AAGUID, and empty where the format has none. */
const model = (number: string, title: string, own: Partial<AuthenticatorModel> = {}) => {
  const aaguid = number === '' ? '00000000-0000-0000-0000-000000000000' : `7b6a1f0e-52c4-4d0b-9a86-0d9f3c1e2a${number}`
  return (name: string): AuthenticatorModel => ({ ...usual, name, title, aaguid, ...own })
}

const BY_NAME = {
  'cloud-pebble': model('01', 'Cloud Pebble: synchronised credentials, no attestation', {
    algorithms: ['ES256', 'Ed25519', 'RS256'],
    attestation: 'none',
    storage: 'cloud',
    counter: 'zero',
  }),
  'granite-one': model('02', 'Granite One: secure chip, packed attestation with a batch certificate'),
  'granite-self': model('03', 'Granite Self: secure chip, packed self attestation', { attestation: 'self' }),
  'granite-plain': model(
    '0d',
    'Granite Plain: packed attestation without the model in its certificate, and with the root in its chain',
    { variant: { withoutAaguid: true, rootInChain: true } },
  ),
  'granite-both': model('11', 'Granite Both: compound attestation, of its batch and of its keystore', {
    attestation: 'compound',
  }),
  'edwards-two': model('04', 'Edwards Two: Ed25519 in a secure chip, packed attestation', {
    algorithms: ['Ed25519', 'Ed448'],
  }),
  'orchard-key': model('05', 'Orchard Key: anonymous certificate per credential, as Apple does it', {
    attestation: 'apple',
  }),
  'orchard-2020': model(
    '',
    'Orchard 2020: its statement has alg, as Apple’s had in 2020 and 2021; needs judge_relaxes apple-alg',
    { attestation: 'apple', variant: { namesAlgorithm: true } },
  ),
  'droid-keystore': model('06', 'Droid Keystore: hardware key attestation, as Android does it', {
    attestation: 'android-key',
  }),
  'droid-strongbox': model('0e', 'Droid StrongBox: keys in a chip of their own, with KeyMint', {
    attestation: 'android-key',
    variant: { keyLevel: 'strongbox' },
  }),
  'droid-software': model('0f', 'Droid Software: Android keys that no hardware protects', {
    attestation: 'android-key',
    variant: { keyLevel: 'software' },
  }),
  'droid-classic': model('07', 'Droid Classic: SafetyNet attestation, as old Androids did it', {
    attestation: 'android-safetynet',
  }),
  'slate-tpm': model('08', 'Slate TPM: RSA keys in a trusted platform module, as Windows has them', {
    algorithms: ['RS256', 'ES256'],
    attestation: 'tpm',
    variant: { attestationKey: 'RS1' },
  }),
  'slate-ecc': model('10', 'Slate ECC: elliptic curves in a trusted platform module, certified with SHA-256', {
    algorithms: ['ES256', 'ES384'],
    attestation: 'tpm',
  }),
  'token-u2f': model('', 'Token U2F: an old security key behind a phone; no discoverable credentials', {
    attestation: 'fido-u2f',
    credentialIdLength: 64,
    discoverable: false,
    largeBlob: false,
    hmacSecret: false,
    transports: ['usb', 'nfc'],
  }),
  'stuck-counter': model('09', 'Stuck Counter: broken firmware whose counter never moves', { counter: 'stuck' }),
  'long-id': model('0a', 'Long ID: credential IDs of 1,023 bytes, the longest there may be', {
    credentialIdLength: 1023,
  }),
  'lattice-three': model('0b', 'Lattice Three: post-quantum ML-DSA keys, packed attestation', {
    algorithms: ['ML-DSA-65', 'ML-DSA-44', 'ML-DSA-87'],
  }),
  'every-algorithm': model('0c', 'Every Algorithm: takes the service’s preferred algorithm', {
    algorithms: ALGORITHM_NAMES,
  }),
}

export type ModelName = keyof typeof BY_NAME

/** The models that a user can choose. They are invented: none has a real maker's AAGUID. */
export const MODELS: Readonly<Record<ModelName, AuthenticatorModel>> = mapValues(BY_NAME, (named, name) => named(name))

/** For servers that know no maker: self-signed, with the algorithms that their libraries have. */
export const UNKNOWN_MODEL: AuthenticatorModel = {
  ...MODELS['granite-self'],
  algorithms: ['ES256', 'Ed25519', 'RS256', 'ES384', 'ES512'],
}

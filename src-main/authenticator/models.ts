import type { AlgorithmName } from './algorithms.ts'
import type { AttestationKind } from './attestation/attestation-formats.ts'

export type Storage = 'chip' | 'cloud'

/** growing: +1 per assertion; zero: no counter; stuck: starts at one and never moves, as broken firmware does. */
export type CounterPolicy = 'growing' | 'zero' | 'stuck'

export type AuthenticatorModel = {
  readonly name: string
  readonly title: string
  /** A UUID; all zero where the format has none. */
  readonly aaguid: string
  /** What it can do; the first one is taken when the service leaves the choice open. */
  readonly algorithms: readonly [AlgorithmName, ...AlgorithmName[]]
  readonly attestation: AttestationKind
  readonly storage: Storage
  /** For credentials in the chip; those in the cloud have none. */
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
  attestation: 'self',
  storage: 'chip',
  counter: 'growing',
  credentialIdLength: 32,
  discoverable: true,
  largeBlob: true,
  hmacSecret: true,
  minPinLength: 4,
  transports: ['internal', 'hybrid'],
} as const

/** The phones one can choose from. Invented: no real maker's AAGUID is among them. */
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
  'edwards-two': {
    ...usual,
    name: 'edwards-two',
    title: 'Edwards Two: Ed25519 in a secure chip, packed attestation',
    aaguid: '7b6a1f0e-52c4-4d0b-9a86-0d9f3c1e2a04',
    algorithms: ['Ed25519', 'Ed448'],
  },
} as const satisfies Record<string, AuthenticatorModel>

export type ModelName = keyof typeof MODELS

import { createHash } from 'node:crypto'
import type { RegistrationCase } from '../../../src-main/core/judge/ceremony-case.ts'
import { type Bytes, concat, toBase64url, utf8 } from '../../../src-main/core/protocol/bytes.ts'
import type { CreationOptionsJson, RegistrationResponseJson } from '../../../src-main/core/protocol/webauthn-json.ts'
import { type Cbor, type CborPairs, cbor, map } from './cbor.ts'
import { type TestKey, testAlgorithms, testKey } from './keys.ts'

export const RP_ID = 'localhost'
export const ORIGIN = 'http://localhost:7420'
export const NOW = Date.UTC(2030, 5, 1)
export const AAGUID = Uint8Array.from({ length: 16 }, (_, i) => 0xa0 + i)
export const CREDENTIAL_ID = Uint8Array.from({ length: 32 }, (_, i) => i + 1)
export const CHALLENGE = toBase64url(Uint8Array.from({ length: 32 }, (_, i) => 255 - i))
export const USER_HANDLE = toBase64url(utf8('user-1'))

export const FLAG = { UP: 0x01, RFU1: 0x02, UV: 0x04, BE: 0x08, BS: 0x10, RFU2: 0x20, AT: 0x40, ED: 0x80 } as const

export const sha256 = (...parts: readonly Uint8Array[]): Bytes =>
  Uint8Array.from(
    createHash('sha256')
      .update(concat(...parts))
      .digest(),
  )

/** Everything a ceremony is made of. A test changes one thing before the authenticator signs. */
export type RegistrationParts = {
  readonly key: TestKey
  readonly cose: CborPairs
  readonly clientData: Readonly<Record<string, unknown>>
  /** Replaces the JSON of clientData. */
  readonly clientDataText?: Uint8Array
  readonly rpIdHash: Uint8Array
  readonly flags: number
  readonly signCount: number
  readonly aaguid: Uint8Array
  readonly credentialId: Uint8Array
  /** CBOR, written when ED is set. */
  readonly extensions?: Uint8Array
  readonly afterAuthenticatorData?: Uint8Array
  readonly format: string
  readonly statement: (signed: SignedParts) => Cbor
  readonly attestationObject?: (built: { format: string; statement: Cbor; authenticatorData: Bytes }) => Bytes
  readonly response?: (built: RegistrationResponseJson) => unknown
  readonly case?: Partial<RegistrationCase>
  readonly options?: Partial<CreationOptionsJson>
}

export type SignedParts = {
  readonly key: TestKey
  readonly authenticatorData: Bytes
  readonly clientDataHash: Bytes
  readonly parts: RegistrationParts
}

export const selfStatement = ({ key, authenticatorData, clientDataHash }: SignedParts): Cbor =>
  map(['alg', key.algorithm], ['sig', key.sign(concat(authenticatorData, clientDataHash))])

export const goodParts = (key: TestKey = testKey(-7)): RegistrationParts => ({
  key,
  cose: key.cose,
  clientData: { type: 'webauthn.create', challenge: CHALLENGE, origin: ORIGIN, crossOrigin: false },
  rpIdHash: sha256(utf8(RP_ID)),
  flags: FLAG.UP | FLAG.UV | FLAG.AT,
  signCount: 0,
  aaguid: AAGUID,
  credentialId: CREDENTIAL_ID,
  format: 'packed',
  statement: selfStatement,
})

/** A registration with the parts of a good one, but for what the test changes. */
export const registration = (changes: Partial<RegistrationParts> = {}): RegistrationCase => {
  const base = goodParts(changes.key)
  const parts = { ...base, ...changes }
  const authenticatorData = authenticatorDataOf(parts)
  const clientDataJSON = parts.clientDataText ?? utf8(JSON.stringify(parts.clientData))
  const signed = { key: parts.key, authenticatorData, clientDataHash: sha256(clientDataJSON), parts }
  const statement = parts.statement(signed)
  const build = parts.attestationObject ?? attestationObjectOf
  const response: RegistrationResponseJson = {
    id: toBase64url(parts.credentialId),
    rawId: toBase64url(parts.credentialId),
    type: 'public-key',
    clientExtensionResults: {},
    response: {
      clientDataJSON: toBase64url(clientDataJSON),
      attestationObject: toBase64url(build({ format: parts.format, statement, authenticatorData })),
      authenticatorData: toBase64url(authenticatorData),
      transports: ['internal'],
      publicKeyAlgorithm: parts.key.algorithm,
      publicKey: toBase64url(parts.key.spki),
    },
  }
  return {
    response: parts.response ? parts.response(response) : response,
    options: { ...creationOptions(), ...parts.options },
    origins: [ORIGIN],
    rpId: RP_ID,
    attestation: 'accept-any',
    roots: [],
    now: NOW,
    credentialKnown: () => false,
    ...parts.case,
  }
}

export const creationOptions = (): CreationOptionsJson => ({
  rp: { id: RP_ID, name: 'Demo RP' },
  user: { id: USER_HANDLE, name: 'li', displayName: 'Li' },
  challenge: CHALLENGE,
  pubKeyCredParams: testAlgorithms.map((alg) => ({ type: 'public-key', alg })),
  attestation: 'direct',
})

export const attestationObjectOf = (built: { format: string; statement: Cbor; authenticatorData: Bytes }): Bytes =>
  cbor(map(['fmt', built.format], ['attStmt', built.statement], ['authData', built.authenticatorData]))

export const authenticatorDataOf = (parts: RegistrationParts): Bytes =>
  concat(
    parts.rpIdHash,
    Uint8Array.of(parts.flags),
    uint32(parts.signCount),
    ...((parts.flags & FLAG.AT) === 0
      ? []
      : [parts.aaguid, uint16(parts.credentialId.length), parts.credentialId, cbor(parts.cose)]),
    parts.extensions ?? new Uint8Array(),
    parts.afterAuthenticatorData ?? new Uint8Array(),
  )

export const uint16 = (value: number): Bytes => Uint8Array.of(value >> 8, value & 255)
export const uint32 = (value: number): Bytes => concat(uint16(value >>> 16), uint16(value & 0xffff))

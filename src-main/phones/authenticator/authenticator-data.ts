import { type Bytes, concat, uint16, uint32 } from '../../core/protocol/bytes.ts'
import type { Algorithm } from './algorithms.ts'
import { type CborValue, cborMap, encodeCanonicalCbor } from './canonical-cbor.ts'
import { octets, type PrivateKey } from './private-key.ts'

/** WebAuthn §6.1, bit values of the flags octet. */
export const FLAGS = { UP: 0x01, RFU1: 0x02, UV: 0x04, BE: 0x08, BS: 0x10, RFU2: 0x20, AT: 0x40, ED: 0x80 } as const

export type AttestedCredentialDraft = {
  readonly aaguid: Uint8Array
  readonly credentialId: Uint8Array
  /** The value of the length field; a fault may make it wrong. */
  readonly credentialIdLength: number
  readonly publicKey: CoseKey | Uint8Array
}

/** Authenticator data before encoding. Flags and parts are independent here, so a fault can make them disagree. */
export type AuthenticatorDataDraft = {
  readonly rpIdHash: Uint8Array
  readonly flags: number
  readonly signCount: number
  readonly attested?: AttestedCredentialDraft
  readonly extensions?: ReadonlyMap<string, CborValue> | Uint8Array
}

const cborBytes = (value: ReadonlyMap<number | string, CborValue> | Uint8Array): Uint8Array =>
  value instanceof Uint8Array ? value : encodeCanonicalCbor(value)

const encodeAttested = (draft: AttestedCredentialDraft): Bytes =>
  concat(draft.aaguid, uint16(draft.credentialIdLength), draft.credentialId, cborBytes(draft.publicKey))

export const encodeAuthenticatorData = (draft: AuthenticatorDataDraft): Bytes =>
  concat(
    draft.rpIdHash,
    Uint8Array.of(draft.flags),
    uint32(draft.signCount),
    draft.attested === undefined ? new Uint8Array(0) : encodeAttested(draft.attested),
    draft.extensions === undefined ? new Uint8Array(0) : cborBytes(draft.extensions),
  )

export type CoseKey = ReadonlyMap<number, CborValue>

// RFC 9053 §7.1 and RFC 8230 §4; AKP: RFC 9964.
const KEY_TYPE = { OKP: 1, EC: 2, RSA: 3, AKP: 7 } as const
const CURVE = { 'P-256': 1, 'P-384': 2, 'P-521': 3, Ed25519: 6, Ed448: 7, secp256k1: 8 } as const

/** The values of the labels -1, -2, -3. */
const parameters = (key: PrivateKey): readonly CborValue[] => {
  if (key.kty === 'RSA') return [octets(key.n), octets(key.e)]
  if (key.kty === 'AKP') return [octets(key.pub)]
  return [CURVE[key.crv], octets(key.x), ...(key.kty === 'EC' ? [octets(key.y)] : [])]
}

/** The public half as a COSE_Key, with `alg`, as WebAuthn §6.5.1.1 requires. */
export const coseKeyOf = (algorithm: Algorithm, key: PrivateKey): CoseKey =>
  new Map<number, CborValue>([
    [1, KEY_TYPE[key.kty]],
    [3, algorithm.cose],
    ...parameters(key).map((value, i) => [-1 - i, value] as const),
  ])

export type AttestationStatement = ReadonlyMap<string, CborValue> | readonly CborValue[]

export type AttestationObjectDraft = {
  readonly fmt: CborValue
  readonly attStmt: CborValue
  readonly authData: CborValue
}

/** WebAuthn §6.5.4. */
export const encodeAttestationObject = (draft: AttestationObjectDraft): Bytes => encodeCanonicalCbor(cborMap(draft))

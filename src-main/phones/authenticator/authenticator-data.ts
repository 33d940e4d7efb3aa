import { type Bytes, concat } from '../../core/protocol/bytes.ts'
import { type CborValue, encodeCanonicalCbor } from './canonical-cbor.ts'
import type { CoseKey } from './cose-key.ts'

/** WebAuthn §6.1, bit values of the flags octet. */
export const FLAGS = { UP: 0x01, RFU1: 0x02, UV: 0x04, BE: 0x08, BS: 0x10, RFU2: 0x20, AT: 0x40, ED: 0x80 } as const

export type AttestedCredentialDraft = {
  readonly aaguid: Uint8Array
  readonly credentialId: Uint8Array
  /** The value of the length field; a fault may make it wrong. */
  readonly credentialIdLength: number
  readonly publicKey: CoseKey | Uint8Array
}

/** Authenticator data before it becomes bytes. Flags and parts are independent here, so that a fault can part them. */
export type AuthenticatorDataDraft = {
  readonly rpIdHash: Uint8Array
  readonly flags: number
  readonly signCount: number
  readonly attested?: AttestedCredentialDraft
  readonly extensions?: ReadonlyMap<string, CborValue> | Uint8Array
}

const uint16 = (value: number): Bytes => Uint8Array.of((value >> 8) & 0xff, value & 0xff)

const uint32 = (value: number): Bytes => Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value)

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

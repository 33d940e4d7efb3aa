import { createHash } from 'node:crypto'
import { type Bytes, concat, fromBase64url } from '../../protocol/bytes.ts'
import type { PrivateKey } from '../private-key.ts'

const uint16 = (value: number): Bytes => Uint8Array.of(value >>> 8, value)
const uint32 = (value: number): Bytes => Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value)
const sized = (bytes: Uint8Array): Bytes => concat(uint16(bytes.length), bytes)

// TPM 2.0 Part 2, §6.3 and §6.4.
const TPM_ALG = { RSA: 0x0001, SHA256: 0x000b, NULL: 0x0010, ECC: 0x0023 } as const
const TPM_CURVE = { 'P-256': 3, 'P-384': 4, 'P-521': 5 } as const
// fixedTPM, fixedParent, sensitiveDataOrigin, userWithAuth, noDA, sign (§8.3).
const SIGNING_KEY = 0x00040472

/** TPMT_PUBLIC (§12.2.4). */
export type TpmPublicAreaDraft = {
  readonly type: number
  readonly nameAlg: number
  readonly objectAttributes: number
  readonly authPolicy: Uint8Array
  readonly parameters: Uint8Array
  readonly unique: Uint8Array
}

const octets = (text: string): Bytes => {
  const bytes = fromBase64url(text)
  if (!bytes.ok) throw new Error(`key member: ${bytes.error}`)
  return bytes.value
}

export const draftPublicArea = (key: PrivateKey): TpmPublicAreaDraft => {
  const common = { nameAlg: TPM_ALG.SHA256, objectAttributes: SIGNING_KEY, authPolicy: new Uint8Array(0) }
  // No symmetric algorithm and no fixed scheme: both TPM_ALG_NULL.
  const open = concat(uint16(TPM_ALG.NULL), uint16(TPM_ALG.NULL))
  if (key.kty === 'RSA') {
    const modulus = octets(key.n)
    // Exponent zero stands for 65537.
    const parameters = concat(open, uint16(modulus.length * 8), uint32(0))
    return { ...common, type: TPM_ALG.RSA, parameters, unique: sized(modulus) }
  }
  if (key.kty === 'EC' && key.crv !== 'secp256k1') {
    const parameters = concat(open, uint16(TPM_CURVE[key.crv]), uint16(TPM_ALG.NULL))
    return { ...common, type: TPM_ALG.ECC, parameters, unique: concat(sized(octets(key.x)), sized(octets(key.y))) }
  }
  throw new Error(`a TPM has no ${key.kty} keys of this kind`)
}

export const encodePublicArea = (draft: TpmPublicAreaDraft): Bytes =>
  concat(
    uint16(draft.type),
    uint16(draft.nameAlg),
    uint32(draft.objectAttributes),
    sized(draft.authPolicy),
    draft.parameters,
    draft.unique,
  )

/** The Name of an object (TPM 2.0 Part 1, §16): the hash algorithm and the hash of the public area. */
export const nameOf = (publicArea: Uint8Array): Bytes =>
  concat(uint16(TPM_ALG.SHA256), createHash('sha256').update(publicArea).digest())

/** TPMS_ATTEST with TPMS_CERTIFY_INFO (§10.12.8). */
export type TpmCertInfoDraft = {
  readonly magic: number
  readonly type: number
  readonly qualifiedSigner: Uint8Array
  readonly extraData: Uint8Array
  /** Clock, counts of resets and restarts, and whether they are safe: 17 octets. */
  readonly clockInfo: Uint8Array
  readonly firmwareVersion: Uint8Array
  readonly name: Uint8Array
  readonly qualifiedName: Uint8Array
}

export const TPM_GENERATED_VALUE = 0xff544347
export const TPM_ST_ATTEST_CERTIFY = 0x8017

export const encodeCertInfo = (draft: TpmCertInfoDraft): Bytes =>
  concat(
    uint32(draft.magic),
    uint16(draft.type),
    sized(draft.qualifiedSigner),
    sized(draft.extraData),
    draft.clockInfo,
    draft.firmwareVersion,
    sized(draft.name),
    sized(draft.qualifiedName),
  )

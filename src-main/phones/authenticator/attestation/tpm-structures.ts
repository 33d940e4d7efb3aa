import { type Bytes, concat, uint16, uint32 } from '../../../core/protocol/bytes.ts'
import { sha256 } from '../algorithms.ts'
import { structure } from '../der.ts'
import { octets, type PrivateKey } from '../private-key.ts'

const sized = (bytes: Uint8Array): Bytes => concat(uint16(bytes.length), bytes)

// TPM 2.0 Part 2, §6.3 and §6.4.
const TPM_ALG = {
  RSA: 0x0001,
  SHA1: 0x0004,
  AES: 0x0006,
  SHA256: 0x000b,
  NULL: 0x0010,
  RSASSA: 0x0014,
  ECDSA: 0x0018,
  ECC: 0x0023,
  CFB: 0x0043,
} as const
const TPM_CURVE = { 'P-256': 3, 'P-384': 4, 'P-521': 5 } as const
const TPM_RH_OWNER = 0x40000001

// Set for every key: fixedTPM, fixedParent, sensitiveDataOrigin and userWithAuth (§8.3).
const RESIDENT = 0x00000072
const NO_DA = 0x00000400
const RESTRICTED = 0x00010000
const DECRYPT = 0x00020000
const SIGN = 0x00040000

/** Permitted uses of a user's key on Windows: RSA keys may decrypt as well. */
const CREDENTIAL_ATTRIBUTES = { RSA: RESIDENT | NO_DA | DECRYPT | SIGN, EC: RESIDENT | SIGN } as const
const ATTESTATION_ATTRIBUTES = RESIDENT | NO_DA | RESTRICTED | SIGN
const STORAGE_ATTRIBUTES = RESIDENT | NO_DA | RESTRICTED | DECRYPT

/** The policy that Windows sets for its users' keys. */
const WINDOWS_POLICY = Uint8Array.from(
  Buffer.from('9dffcbf36c383ae699fb9868dc6dcb89d7153884be2803922c124158bfad22ae', 'hex'),
)

const asEncoded = (bytes: Uint8Array): Bytes => concat(bytes)

/** TPMT_PUBLIC (§12.2.4). */
export const encodePublicArea = structure(concat, {
  type: uint16,
  nameAlg: uint16,
  objectAttributes: uint32,
  authPolicy: sized,
  parameters: asEncoded,
  unique: asEncoded,
})

export type TpmPublicAreaDraft = Parameters<typeof encodePublicArea>[0]

const NONE = uint16(TPM_ALG.NULL)

type KeyUse = Pick<TpmPublicAreaDraft, 'objectAttributes'> & {
  readonly authPolicy?: Uint8Array
  /** TPMT_SYM_DEF_OBJECT and the key's scheme, as encoded. */
  readonly symmetric?: Uint8Array
  readonly scheme?: Uint8Array
}

const draftArea = (key: PrivateKey, use: KeyUse): TpmPublicAreaDraft => {
  const { objectAttributes, authPolicy = new Uint8Array(0), symmetric = NONE, scheme = NONE } = use
  const common = { nameAlg: TPM_ALG.SHA256, objectAttributes, authPolicy }
  const open = concat(symmetric, scheme)
  if (key.kty === 'RSA') {
    const modulus = octets(key.n)
    // Exponent zero means 65537.
    const parameters = concat(open, uint16(modulus.length * 8), uint32(0))
    return { ...common, type: TPM_ALG.RSA, parameters, unique: sized(modulus) }
  }
  if (key.kty === 'EC' && key.crv !== 'secp256k1') {
    const parameters = concat(open, uint16(TPM_CURVE[key.crv]), NONE)
    return { ...common, type: TPM_ALG.ECC, parameters, unique: concat(sized(octets(key.x)), sized(octets(key.y))) }
  }
  throw new Error(`a TPM has no ${key.kty} keys of this kind`)
}

export const draftPublicArea = (key: PrivateKey): TpmPublicAreaDraft =>
  draftArea(key, {
    objectAttributes: CREDENTIAL_ATTRIBUTES[key.kty === 'RSA' ? 'RSA' : 'EC'],
    authPolicy: WINDOWS_POLICY,
  })

/** An attestation key: restricted to structures made by the TPM itself, with its scheme fixed. */
export const draftAttestationKeyArea = (key: PrivateKey, hash: 'sha1' | 'sha256'): TpmPublicAreaDraft =>
  draftArea(key, {
    objectAttributes: ATTESTATION_ATTRIBUTES,
    scheme: concat(
      uint16(key.kty === 'RSA' ? TPM_ALG.RSASSA : TPM_ALG.ECDSA),
      uint16(hash === 'sha1' ? TPM_ALG.SHA1 : TPM_ALG.SHA256),
    ),
  })

export const draftStorageKeyArea = (key: PrivateKey): TpmPublicAreaDraft =>
  draftArea(key, {
    objectAttributes: STORAGE_ATTRIBUTES,
    symmetric: concat(uint16(TPM_ALG.AES), uint16(128), uint16(TPM_ALG.CFB)),
  })

const named = (...parts: readonly Uint8Array[]): Bytes => concat(uint16(TPM_ALG.SHA256), sha256(...parts))

/** The Name of an object (TPM 2.0 Part 1, §16): the hash algorithm and the hash of the public area. */
export const tpmName = (publicArea: Uint8Array): Bytes => named(publicArea)

/** The Qualified Name of an object (Part 1, §26.5): the Names on the way to it, beginning with the owner's hierarchy. */
export const tpmQualifiedName = (...names: readonly Uint8Array[]): Bytes =>
  names.reduce((above: Bytes, name) => named(above, name), uint32(TPM_RH_OWNER))

export const TPM_GENERATED_VALUE = 0xff544347
export const TPM_ST_ATTEST_CERTIFY = 0x8017

/** TPMS_ATTEST with TPMS_CERTIFY_INFO (§10.12.8). */
export const encodeCertInfo = structure(concat, {
  magic: uint32,
  type: uint16,
  qualifiedSigner: sized,
  extraData: sized,
  /** Clock, counts of resets and restarts, and whether they are safe: 17 octets. */
  clockInfo: asEncoded,
  firmwareVersion: asEncoded,
  name: sized,
  qualifiedName: sized,
})

export type TpmCertInfoDraft = Parameters<typeof encodeCertInfo>[0]

import type { Evidence } from '../contract/judge/evidence.ts'
import { type Bytes, concat } from '../protocol/bytes.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import { coordinateSize, type EcCurve, type HashName, type PublicKey } from './algorithms.ts'

const ALG_RSA = 0x0001
const ALG_NULL = 0x0010
const ALG_ECC = 0x0023

/** TPM 2.0 Part 2 §6.3 and §6.4, the values that WebAuthn uses. */
const HASHES: Readonly<Record<number, HashName>> = { 4: 'SHA-1', 11: 'SHA-256', 12: 'SHA-384', 13: 'SHA-512' }
const CURVES: Readonly<Record<number, EcCurve>> = { 3: 'P-256', 4: 'P-384', 5: 'P-521' }

/** TPMT_PUBLIC (Part 2 §12.2.4). */
export type TpmPublicArea = {
  readonly bytes: Bytes
  readonly nameAlgorithm: number
  readonly nameHash: HashName | undefined
  readonly key: PublicKey
}

export const decodeTpmPublicArea = (bytes: Bytes): Result<TpmPublicArea, Evidence> => {
  const reader = createByteReader(bytes)
  const type = reader.uint16()
  const nameAlgorithm = reader.uint16()
  // objectAttributes and authPolicy, which WebAuthn §8.3 ignores.
  reader.take(4)
  reader.sized()
  if (reader.rest < 0) return err({ code: 'tpm_too_short' })
  if (type !== ALG_RSA && type !== ALG_ECC) return err({ code: 'tpm_type', params: { type: `0x${type.toString(16)}` } })
  // TPMT_SYM_DEF_OBJECT with its key size and mode.
  skipAlgorithm(reader, 4)
  skipAlgorithm(reader, SCHEME_BYTES)
  const key = type === ALG_RSA ? readRsa(reader) : readEcc(reader)
  if (!key.ok) return key
  if (reader.rest > 0) return err({ code: 'bytes_left_over', params: { count: reader.rest } })
  return ok({ bytes, nameAlgorithm, nameHash: HASHES[nameAlgorithm], key: key.value })
}

/** The hash of TPMT_RSA_SCHEME and TPMT_ECC_SCHEME. */
const SCHEME_BYTES = 2

/** An algorithm, with its details unless it is TPM_ALG_NULL. */
const skipAlgorithm = (reader: ByteReader, details: number): void => {
  if (reader.uint16() !== ALG_NULL) reader.take(details)
}

const DEFAULT_EXPONENT = 65537

const readRsa = (reader: ByteReader): Result<PublicKey, Evidence> => {
  const keyBits = reader.uint16()
  const exponent = reader.uint32()
  const n = reader.sized()
  if (reader.rest < 0) return err({ code: 'tpm_too_short' })
  if (n.length * 8 !== keyBits) return err({ code: 'tpm_modulus', params: { bits: keyBits, count: n.length } })
  // Part 2 §12.2.3.5: zero means the default exponent.
  return ok({ kty: 'RSA', n, e: shortest(exponent || DEFAULT_EXPONENT) })
}

const shortest = (value: number): Bytes => {
  const octets = [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]
  return Uint8Array.from(octets.slice(octets.findIndex((octet) => octet !== 0)))
}

const readEcc = (reader: ByteReader): Result<PublicKey, Evidence> => {
  const curve = reader.uint16()
  skipAlgorithm(reader, SCHEME_BYTES)
  const x = reader.sized()
  const y = reader.sized()
  if (reader.rest < 0) return err({ code: 'tpm_too_short' })
  const crv = CURVES[curve]
  if (crv === undefined) return err({ code: 'tpm_curve', params: { curve: `0x${curve.toString(16)}` } })
  const size = coordinateSize(crv)
  if (x.length > size || y.length > size) return err({ code: 'tpm_coordinates' })
  return ok({ kty: 'EC2', crv, x: padded(x, size), y: padded(y, size) })
}

const padded = (value: Bytes, size: number): Bytes => concat(new Uint8Array(size - value.length), value)

export const TPM_GENERATED_VALUE = 0xff544347
export const TPM_ST_ATTEST_CERTIFY = 0x8017

/** TPMS_ATTEST with a TPMS_CERTIFY_INFO in it (Part 2 §10.12.8, §10.12.3). */
export type TpmCertifyInfo = {
  readonly magic: number
  readonly type: number
  readonly extraData: Bytes
  readonly name: Bytes
}

/** Reads the head of any TPMS_ATTEST, and the name if it contains a TPMS_CERTIFY_INFO. */
export const decodeTpmCertifyInfo = (bytes: Bytes): Result<TpmCertifyInfo, Evidence> => {
  const reader = createByteReader(bytes)
  const magic = reader.uint32()
  const type = reader.uint16()
  // Also qualifiedSigner, clockInfo, firmwareVersion and qualifiedName, which WebAuthn §8.3 ignores.
  reader.sized()
  const extraData = reader.sized()
  reader.take(17 + 8)
  if (reader.rest < 0) return err({ code: 'tpm_too_short' })
  if (type !== TPM_ST_ATTEST_CERTIFY) return ok({ magic, type, extraData, name: new Uint8Array() })
  const name = reader.sized()
  reader.sized()
  if (reader.rest < 0) return err({ code: 'tpm_too_short' })
  if (reader.rest > 0) return err({ code: 'bytes_left_over', params: { count: reader.rest } })
  return ok({ magic, type, extraData, name })
}

type ByteReader = ReturnType<typeof createByteReader>

/** Reads big-endian fields one after the other. Past the end, everything is empty, and `rest` negative. */
export const createByteReader = (bytes: Bytes) => {
  let offset = 0
  const take = (length: number): Bytes => {
    offset += length
    return offset > bytes.length ? new Uint8Array() : bytes.subarray(offset - length, offset)
  }
  const number = (size: number): number => take(size).reduce((value, byte) => value * 256 + byte, 0)
  return {
    uint16: () => number(2),
    uint32: () => number(4),
    take,
    /** Octets after a 16-bit length, as TPM's sized buffers are written. */
    sized: () => take(number(2)),
    get rest() {
      return bytes.length - offset
    },
  }
}

import { constants, createHash, type KeyObject, privateDecrypt } from 'node:crypto'
import { type Bytes, concat } from '../../core/protocol/bytes.ts'
import type { RandomSource } from '../../core/protocol/random.ts'

const digest = (hash: string, ...parts: readonly Uint8Array[]): Bytes =>
  new Uint8Array(
    createHash(hash)
      .update(concat(...parts))
      .digest(),
  )

// RFC 8017 B.2.1.
const mgf1 = (hash: string, seed: Uint8Array, length: number): Bytes => {
  let mask: Bytes = new Uint8Array(0)
  for (let counter = 0; mask.length < length; counter++) {
    const block = new Uint8Array(4)
    new DataView(block.buffer).setUint32(0, counter)
    mask = concat(mask, digest(hash, seed, block))
  }
  return mask.slice(0, length)
}

/** RSASSA-PSS (RFC 8017 §9.1.1) with the salt from the source, which node:crypto does not let one choose. */
export const signPss = (options: {
  readonly key: KeyObject
  readonly hash: string
  readonly data: Uint8Array
  readonly random: RandomSource
}): Bytes => {
  const { key, hash } = options
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
  const length = Math.ceil((bits - 1) / 8)
  const hashed = digest(hash, options.data)
  // RFC 8230 §2: the salt is as long as the hash.
  const salt = options.random.bytes(hashed.length)
  const h = digest(hash, new Uint8Array(8), hashed, salt)
  const block = concat(new Uint8Array(length - hashed.length * 2 - 2), Uint8Array.of(1), salt)
  const mask = mgf1(hash, h, block.length)
  const masked = block.map((byte, i) => byte ^ (mask[i] ?? 0))
  masked[0] = (masked[0] ?? 0) & (0xff >> (length * 8 - (bits - 1)))
  const message = concat(masked, h, Uint8Array.of(0xbc))
  // RSASP1 without padding is the private operation, although Node calls it decryption.
  return new Uint8Array(privateDecrypt({ key, padding: constants.RSA_NO_PADDING }, message))
}

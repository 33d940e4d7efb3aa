import type { Bytes } from '../protocol/bytes.ts'

/** Reads big-endian fields one after the other; past the end everything is undefined. */
export type ByteReader = {
  uint16(): number | undefined
  uint32(): number | undefined
  take(length: number): Bytes | undefined
  /** Octets after a 16-bit length, as TPM's sized buffers are written. */
  sized(): Bytes | undefined
  readonly rest: number
}

export const createByteReader = (bytes: Bytes): ByteReader => {
  let offset = 0
  const take = (length: number): Bytes | undefined => {
    if (offset + length > bytes.length) return undefined
    offset += length
    return bytes.subarray(offset - length, offset)
  }
  const number = (size: number): number | undefined => take(size)?.reduce((value, byte) => value * 256 + byte, 0)
  return {
    uint16: () => number(2),
    uint32: () => number(4),
    take,
    sized() {
      const length = number(2)
      return length === undefined ? undefined : take(length)
    },
    get rest() {
      return bytes.length - offset
    },
  }
}

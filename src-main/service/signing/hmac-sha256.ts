import { Buffer } from 'node:buffer'
import { hash } from 'node:crypto'

/** RFC 2104 under one key, of a message with one character for each octet, in hex. */
export type HmacSha256 = (octets: string) => string

const BLOCK = 64

/**
 * Out of two one-shot hashes over a key that was prepared once: an Hmac object of node:crypto costs more to make than
 * to use, and each request needs one.
 */
export const hmacSha256 = (key: Uint8Array): HmacSha256 => {
  const short = key.length > BLOCK ? hash('sha256', key, 'buffer') : key
  const inner = padded(short, 0x36)
  const outer = Buffer.concat([padded(short, 0x5c), Buffer.alloc(32)])
  return (octets) => {
    const keyed = Buffer.allocUnsafe(BLOCK + octets.length)
    keyed.set(inner)
    keyed.write(octets, BLOCK, 'binary')
    outer.write(hash('sha256', keyed, 'binary'), BLOCK, 'binary')
    return hash('sha256', outer, 'hex')
  }
}

export const sha256Hex = (bytes: Uint8Array): string => (bytes.length === 0 ? OF_NOTHING : hash('sha256', bytes, 'hex'))

const OF_NOTHING = hash('sha256', '', 'hex')

const padded = (key: Uint8Array, pad: number): Buffer => {
  const block = Buffer.alloc(BLOCK)
  block.set(key)
  return block.map((byte) => byte ^ pad) as Buffer
}

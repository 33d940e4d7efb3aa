import { createHash } from 'node:crypto'
import type { Bytes } from '../../core/protocol/bytes.ts'

/** Of the parts one after the other. */
export const sha256 = (...parts: readonly Uint8Array[]): Bytes => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return new Uint8Array(hash.digest())
}

import { createHash } from 'node:crypto'
import { type Bytes, concat, utf8 } from '../../../../src-main/core/protocol/bytes.ts'
import type { RandomSource } from '../../../../src-main/core/protocol/random.ts'

/** SHA-256 in counter mode over a seed: repeatable, and independent of the bench's own streams. */
export const seededRandom = (
  seed: string,
  options: { readonly repeatable: boolean } = { repeatable: true },
): RandomSource => {
  let counter = 0
  let pool: Bytes = new Uint8Array(0)
  return {
    repeatable: options.repeatable,
    bytes: (count) => {
      while (pool.length < count) {
        const block = createHash('sha256')
          .update(utf8(`${seed}/${counter++}`))
          .digest()
        pool = concat(pool, block)
      }
      const out = pool.slice(0, count)
      pool = pool.slice(count)
      return out
    },
  }
}

/** Gives the listed values in order, whole; asking for another length is a mistake of the test. */
export const scriptedRandom = (values: readonly Uint8Array[]): RandomSource => {
  const left = [...values]
  return {
    repeatable: true,
    bytes: (count) => {
      const next = left.shift()
      if (next?.length !== count) throw new Error(`asked for ${count} octets, the script has ${next?.length}`)
      return new Uint8Array(next)
    },
  }
}

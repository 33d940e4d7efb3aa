import { createHmac } from 'node:crypto'
import { type Bytes, concat, fromBase64url, utf8 } from '../../../core/protocol/bytes.ts'
import type { RandomSource } from '../../../core/protocol/random.ts'
import { unwrap } from '../../../core/protocol/result.ts'
import type { Base64url } from '../../../core/protocol/webauthn-json.ts'

/** A stream that depends only on a secret and a label, so that a maker repeats the same values. */
export const labelledRandom = (secret: Base64url, label: string): RandomSource => {
  const key = unwrap(fromBase64url(secret), 'secret')
  let counter = 0
  let pool: Bytes = new Uint8Array(0)
  return {
    repeatable: true,
    bytes: (count) => {
      while (pool.length < count) {
        const block = createHmac('sha256', key).update(utf8(`${label}/${counter++}`))
        pool = concat(pool, block.digest())
      }
      const out = pool.slice(0, count)
      pool = pool.slice(count)
      return out
    },
  }
}

import { type Refusal, refuse } from '../contract/errors.ts'
import { toBase64url } from '../protocol/bytes.ts'
import type { RandomSource } from '../protocol/random.ts'
import { err, ok, type Result } from '../protocol/result.ts'

/** One-time codes: a page's address may be seen by others, so what stands in it opens one session and then nothing. */
export type Sessions = {
  invite(): string
  /** The control token. */
  redeem(code: string): Result<string, Refusal>
}

const MOST_OPEN = 100

export const createSessions = (options: { readonly token: string; readonly source: RandomSource }): Sessions => {
  const codes = new Set<string>()
  return {
    invite: () => {
      const code = toBase64url(options.source.bytes(16))
      codes.add(code)
      for (const oldest of codes) if (codes.size > MOST_OPEN) codes.delete(oldest)
      return code
    },
    redeem: (code) => {
      // A code stays good until it is used: it may have been printed hours before somebody opens the page.
      return codes.delete(code) ? ok(options.token) : err(refuse('control_token', { code: 'code_used' }))
    },
  }
}

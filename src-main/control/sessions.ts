import { type Refusal, refuse } from '../contract/errors.ts'
import { toBase64url } from '../protocol/bytes.ts'
import type { RandomSource } from '../protocol/random.ts'
import { err, ok, type Result } from '../protocol/result.ts'

/** One-time codes: a page's address may be seen by others, so what stands in it opens one session and then nothing. */
export type Sessions = {
  /** The session has the rights of the inviting token, or of the bench's own token. */
  invite(token?: string): string

  redeem(code: string): Result<string, Refusal>
}

const MOST_OPEN = 100

export const createSessions = (options: { readonly token: string; readonly source: RandomSource }): Sessions => {
  const codes = new Map<string, string>()
  return {
    invite: (token = options.token) => {
      const code = toBase64url(options.source.bytes(16))
      codes.set(code, token)
      for (const oldest of codes.keys()) if (codes.size > MOST_OPEN) codes.delete(oldest)
      return code
    },
    redeem: (code) => {
      // A code stays valid until it is used: it may have been printed hours before the page is opened.
      const token = codes.get(code)
      return codes.delete(code) && token !== undefined ? ok(token) : err(refuse('control_token', { code: 'code_used' }))
    },
  }
}

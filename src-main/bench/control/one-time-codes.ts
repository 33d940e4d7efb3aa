import { type Refusal, refuse } from '../../core/contract/errors.ts'
import { toBase64url } from '../../core/protocol/bytes.ts'
import type { RandomSource } from '../../core/protocol/random.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import type { Caller } from './tokens.ts'

/** One-time codes: others may see a page's address, so the code in it opens only one session. */
export type OneTimeCodes = {
  /** The session has the rights of the inviting token, or of the bench's own token. */
  invite(caller?: Inviting): string

  redeem(code: string): Result<string, Refusal>
}

type Inviting = Pick<Caller, 'secret' | 'revoked'>

/** Limit of unused codes per token; the oldest are dropped. */
const MOST_OPEN = 100

export const createSessions = (options: { readonly token: string; readonly source: RandomSource }): OneTimeCodes => {
  const codes = new Map<string, Inviting>()
  return {
    invite: (caller = { secret: options.token }) => {
      const code = toBase64url(options.source.bytes(16))
      codes.set(code, caller)
      const own = [...codes].filter(([, { secret }]) => secret === caller.secret)
      for (const [oldest] of own.slice(0, -MOST_OPEN)) codes.delete(oldest)
      return code
    },
    redeem: (code) => {
      // A code stays valid until it is used: it may have been printed hours before the page is opened.
      const inviting = codes.get(code)
      codes.delete(code)
      return inviting === undefined || inviting.revoked?.aborted === true
        ? err(refuse('control_token', { code: 'code_used' }))
        : ok(inviting.secret)
    },
  }
}

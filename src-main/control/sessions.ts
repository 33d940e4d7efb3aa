import { toBase64url } from '../protocol/bytes.ts'
import type { Clock, Millis } from '../protocol/clock.ts'
import { type Refusal, refuse } from '../protocol/errors.ts'
import type { RandomSource } from '../protocol/random.ts'
import { err, ok, type Result } from '../protocol/result.ts'

/** One-time codes: a page's address may be seen by others, so what stands in it opens one session and then nothing. */
export type Sessions = {
  invite(): string
  /** The control token. */
  redeem(code: string): Result<string, Refusal>
}

const VALID_MS = 10 * 60_000
const MOST_OPEN = 100

export const createSessions = (options: {
  readonly token: string
  readonly source: RandomSource
  readonly real: Clock
}): Sessions => {
  const codes = new Map<string, Millis>()
  return {
    invite: () => {
      const code = toBase64url(options.source.bytes(16))
      codes.set(code, options.real.now() + VALID_MS)
      for (const oldest of codes.keys()) if (codes.size > MOST_OPEN) codes.delete(oldest)
      return code
    },
    redeem: (code) => {
      const until = codes.get(code)
      codes.delete(code)
      return until !== undefined && until > options.real.now()
        ? ok(options.token)
        : err(refuse('control_token', 'This code was used before, is too old, or never was one.'))
    },
  }
}

import { err, ok, type Result } from '../core/protocol/result.ts'

const LEAST = 24
const MOST = 256
/** Of `aaaa…` too there are 24. */
const LEAST_DIFFERENT = 8

/** RFC 6750 section 2.1, as it stands behind "Bearer". */
const B64TOKEN = /^[A-Za-z0-9._~+/-]+=*$/

/** What --token of a bench says. The token is not repeated: it is a secret, also when it is refused. */
export const parseControlToken = (text: string, name: string): Result<string, string> => {
  const strong = text.length >= LEAST && new Set(text).size >= LEAST_DIFFERENT
  if (strong && text.length <= MOST && B64TOKEN.test(text)) return ok(text)
  const got = !B64TOKEN.test(text)
    ? 'one with other characters'
    : strong
      ? `${text.length} characters`
      : `${text.length} characters, ${new Set(text).size} of them different`
  return err(
    `${name} must be ${LEAST} to ${MOST} letters, digits, "-", ".", "_", "~", "+" and "/" that nobody can guess, such as "openssl rand -hex 16" prints; got ${got}.`,
  )
}

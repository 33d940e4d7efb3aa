// The state of the site. All of it is in memory.
import { randomBytes } from 'node:crypto'
const LONGEST_SESSION = 12 * 3600_000
/** Session id → `{ email, attempt, since }`. A session without an e-mail address is not signed in. */
const sessions = new Map()
/** E-mail address → ids of the passkeys. An account exists when it is here. */
export const accounts = new Map()
export const sessionOf = (event) => sessions.get(event.cookies.get('sid'))
export const randomId = () => randomBytes(24).toString('base64url')

/** Puts a session with a new id in the place of the old one: an id that somebody else planted never gets signed in. */
export function renewSession(event, email, attempt) {
  endSession(event)
  for (const [id, { since }] of sessions) if (Date.now() - since > LONGEST_SESSION) sessions.delete(id)
  const sid = randomId()
  sessions.set(sid, { email, attempt, since: Date.now() })
  event.cookies.set('sid', sid, { path: '/', httpOnly: true, sameSite: 'lax', secure: event.url.protocol === 'https:' })
  return sessions.get(sid)
}

export function endSession(event) {
  sessionOf(event)?.attempt?.cancel()
  sessions.delete(event.cookies.get('sid'))
  event.cookies.delete('sid', { path: '/', secure: event.url.protocol === 'https:' })
}

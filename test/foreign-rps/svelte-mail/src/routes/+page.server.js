import { fail } from '@sveltejs/kit'
import { Attempt } from '$lib/server/attempts.js'
import { accountId, beginMessage, listCredentials } from '$lib/server/service.js'
import { accounts, endSession, renewSession, sessionOf } from '$lib/server/sessions.js'

const UNUSABLE = 'The sign-in service gives no usable answer. Please try again later.'
const REFUSALS = {
  40403: 'The sign-in service knows no passkey for this address.',
  40901: 'This account has as many passkeys as are allowed.',
  40907: 'The sign-in service is full at the moment. Please try again later.',
}

export function load(event) {
  event.setHeaders({ 'cache-control': 'private, no-store' })
  const session = sessionOf(event)
  return { email: session?.email, attempt: session?.attempt?.view }
}

async function readEmail(request) {
  const form = await request.formData().catch(() => undefined)
  const email = String(form?.get('email') ?? '').trim().toLowerCase()
  // The service takes names of 1 to 128 characters without control characters.
  return email.length <= 128 && /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(email) ? email : undefined
}

async function begin(event, kind, method, email) {
  const signedIn = sessionOf(event)?.email
  // One attempt at a time for a browser: the earlier one ends before this one begins.
  sessionOf(event)?.attempt?.cancel()
  const userId = accountId(email)
  const before = kind === 'attestation' ? await listCredentials(userId) : undefined
  if (before === null) return fail(424, { email, message: UNUSABLE })
  const message = await beginMessage(kind, { user_id: userId, username: email, method })
  if (!message.msgId) return fail(424, { email, message: REFUSALS[message.refused] ?? UNUSABLE })
  // The visitor may have signed out while the service was asked.
  if (sessionOf(event)?.email !== signedIn) return fail(409, { email, message: 'You are signed out. Please sign in again.' })
  const attempt = new Attempt({ kind, method, email, message, before })
  attempt.follow(renewSession(event, signedIn, attempt))
  return { email, attempt: attempt.id }
}

async function enter(event, kind, method) {
  const email = await readEmail(event.request)
  if (!email) return fail(400, { message: 'Please enter an e-mail address.' })
  if (sessionOf(event)?.email) return fail(409, { email, message: 'You are signed in. Sign out first.' })
  if (accounts.has(email) === (kind === 'assertion')) return begin(event, kind, method, email)
  const message = kind === 'assertion' ? 'There is no account with this address.' : 'This address has an account. Sign in to add a passkey.'
  return fail(409, { email, message })
}

export const actions = {
  code: (event) => enter(event, 'assertion', 'qrcode'),
  push: (event) => enter(event, 'assertion', 'push'),
  register: (event) => enter(event, 'attestation'),
  add: (event) => {
    const email = sessionOf(event)?.email
    return email ? begin(event, 'attestation', undefined, email) : fail(403, { message: 'Please sign in first.' })
  },
  cancel: (event) => sessionOf(event)?.attempt?.cancel(),
  signout: (event) => endSession(event),
}

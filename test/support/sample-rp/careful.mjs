// @ts-nocheck An RP as somebody else would write it: plain JavaScript.
import { randomUUID } from 'node:crypto'
import { callService } from './careful-call.mjs'
import { runAsProgram, startWeb } from './web.mjs'

/** How long it polls at most and at least, whatever expires_at says. */
const LEAST_MS = 60_000
const MOST_MS = 900_000
const LATER = 'The sign-in service does not answer properly. Try again later.'

/**
 * An RP that believes nothing that it has not checked. It polls when its visitor asks; with `paceMs` by itself, at this
 * pace. `mistakes`: in what it is not careful.
 *
 * @param {{ mistakes?: readonly string[], [option: string]: any }} options
 */
export const startCareful = ({ baseUrl, accessKeyId, secretKey, port = 0, timeoutMs = 3000, paceMs, hears, mistakes = [] }) => {
  const errs = (mistake) => mistakes.includes(mistake)
  const follows = errs('follows-signed') ? 'signed' : ['unsigned', 'unread'].find((how) => errs(`follows-${how}`))
  const call = callService({ baseUrl, accessKeyId, secretKey, timeoutMs, hears, follows })
  const attempts = new Map()
  const taken = new Set()
  /** Its own record of who has a passkey: what the service says of it is for show. */
  const withPasskey = new Set()
  const addressForm = new RegExp(`^${RegExp.escape?.(baseUrl) ?? baseUrl.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}/m#[ar]([\\w-]{16,64})$`)

  /** The user's credential IDs; undefined when the list cannot be believed. */
  const credentials = async (user_id) => {
    const { data } = await call('GET', `/rp/credentials?user_id=${encodeURIComponent(user_id)}`)
    if (data === undefined || !Array.isArray(data.list) || data.total !== data.list.length) return undefined
    if (!data.list.every((each) => typeof each?.credential_id === 'string' && each.credential_id !== '')) return undefined
    return [...new Set(data.list.filter((each) => each.user_id === user_id).map((each) => each.credential_id))]
  }

  const begin = async (kind, session, asked) => {
    const input = errs('user-id-cut') ? { ...asked, user_id: asked.user_id.slice(0, 24) } : asked
    const same = errs('message-shared') && attempts.values().find((each) => each.user_id === asked.user_id && each.state === 'pending')
    if (same) return { attempt: same.id, url: same.url }
    const { data } = await call('POST', `/rp/${kind}/options`, input)
    const msg_id = typeof data?.url === 'string' ? addressForm.exec(data.url)?.[1] : undefined
    if (msg_id === undefined) return { status: 503, error: LATER }
    const now = Date.now()
    const told = Number.isSafeInteger(data.expires_at) ? data.expires_at * 1000 : now + LEAST_MS
    const ends = told > now && told < now + MOST_MS ? told : now + LEAST_MS
    const before = kind === 'attestation' ? await credentials(input.user_id) : []
    if (before === undefined) return { status: 503, error: LATER }
    if (errs('account-at-once')) taken.add(input.user_id)
    const attempt = { id: randomUUID(), kind, session, user_id: input.user_id, msg_id, ends, before, state: 'pending', next: 0, url: data.url }
    attempts.set(attempt.id, attempt)
    if (paceMs !== undefined) setTimeout(() => pollOn(attempt), paceMs)
    if (errs('polls-hot')) pollOn(attempt)
    const shown = input.method === 'push' && !errs('code-for-push') ? undefined : data.url
    return {
      attempt: attempt.id,
      url: errs('code-without-token') ? shown?.split('#')[0] : shown,
      ...(errs('secret-in-answer') ? { secretKey } : {}),
    }
  }

  const isSuccess = ({ kind, user_id }, data) =>
    data.status === 'success' &&
    data.error === '' &&
    typeof data.svc_user === 'string' &&
    data.svc_user !== '' &&
    (kind === 'attestation' || data.user_id === user_id)

  const settle = async (attempt) => {
    if (attempt.confirming) {
      const after = await credentials(attempt.user_id)
      if (after === undefined) return 'pending'
      if (!after.some((id) => !attempt.before.includes(id))) return 'failed'
      withPasskey.add(attempt.user_id)
      return 'done'
    }
    const { data, refused, retryAfterMs } = await call('GET', `/rp/${attempt.kind}/result?msg_id=${attempt.msg_id}`)
    // Asked too often, or not able just now: anything else is final.
    if (refused !== undefined) return refused === 42901 || refused >= 50000 ? 'pending' : 'failed'
    attempt.next = Date.now() + Math.min(retryAfterMs ?? 0, 1000)
    if (errs('scan-signs-in') && data?.status === 'bind') attempt.session.user = attempt.user_id
    if (data?.status === 'bind') attempt.by ??= data.svc_user
    if (data === undefined || data.status === 'init' || data.status === 'bind') return 'pending'
    if (!isSuccess(attempt, data)) return 'failed'
    if (attempt.kind === 'assertion') {
      attempt.session.user = attempt.user_id
      return 'done'
    }
    attempt.confirming = true
    return settle(attempt)
  }

  const look = async (attempt) => {
    if (attempt.state !== 'pending') return
    if (Date.now() > attempt.ends && !errs('polls-past-expiry')) attempt.state = 'failed'
    else if (Date.now() >= attempt.next && !attempt.polling) {
      attempt.polling = true
      attempt.state = await settle(attempt).finally(() => (attempt.polling = false))
    }
  }

  const pollOn = async (attempt) => {
    await look(attempt)
    const goesOn = errs('polls-on') || (errs('reads-again') && attempt.state === 'done' && !attempt.again)
    if (attempt.state !== 'pending' && goesOn) {
      attempt.again = true
      await call('GET', `/rp/${attempt.kind}/result?msg_id=${attempt.msg_id}`)
    }
    if (attempt.state === 'pending' || goesOn) setTimeout(() => pollOn(attempt), errs('polls-hot') ? 0 : paceMs)
  }

  const poll = async (session, { id }) => {
    const attempt = attempts.get(id)
    if (errs('attempt-of-onlookers') && attempt?.state === 'pending') session.sees = id
    const isOpen = errs('attempt-of-anybody') || errs('attempt-of-the-first') || session.sees === id
    if (attempt === undefined || (attempt.session !== session && !isOpen)) return { status: 404, error: 'There is no such request.' }
    if (paceMs === undefined) await look(attempt)
    if (isOpen && attempt.state === 'done') session.user = attempt.user_id
    if (errs('attempt-of-the-first') && attempt.state !== 'pending') attempts.delete(id)
    const page = errs('first-name-as-markup') ? { by: attempt.by, type: 'text/html' } : {}
    return { state: errs('waits-for-ever') && attempt.state === 'failed' ? 'pending' : attempt.state, ...page }
  }

  return startWeb(
    {
      'POST /api/register': async (session, { user_id, username }) => {
        if (taken.has(user_id)) return { status: 409, error: 'There is such an account.' }
        if (withPasskey.has(user_id) && session.user !== user_id && !errs('stranger-registers')) return { status: 403, error: 'Sign in first.' }
        return begin('attestation', session, { user_id, username })
      },
      'POST /api/sign-in': (session, { user_id, username, method = 'qrcode' }) =>
        begin('assertion', session, { user_id, username, method: errs('push-by-code') ? 'qrcode' : method }),
      'GET /api/attempt': poll,
      'GET /api/me': (session) => ({ user_id: session.user ?? null }),
      'GET /api/passkeys': async (session) => {
        const ids = session.user === undefined ? [] : await credentials(session.user)
        return ids === undefined ? { status: 503, error: LATER } : { passkeys: ids.map((id) => ({ id })) }
      },
      'POST /api/passkeys/remove': async (session, { ids }) => {
        if (session.user === undefined) return { status: 403, error: 'Sign in first.' }
        await call('DELETE', '/rp/credentials', { user_id: session.user, credential_ids: ids })
        const left = await credentials(session.user)
        if (left === undefined) return { status: 503, error: LATER }
        return { removed: ids.filter((id) => !left.includes(id)).length }
      },
    },
    port,
  )
}

await runAsProgram(import.meta.filename, startCareful)

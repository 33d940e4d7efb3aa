// @ts-nocheck An RP as somebody else would write it: plain JavaScript.
import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { signedHeaders } from './sign.mjs'
import { runAsProgram, startWeb } from './web.mjs'

/**
 * An RP that works well with a service that works well, and believes whatever it hears. A brittle one answers HTTP 500
 * where another would end the request.
 */
export const startCareless = ({ baseUrl, accessKeyId, secretKey, port = 0, isBrittle = false }) => {
  const base = new URL(baseUrl)
  const attempts = new Map()
  const cache = new Map()

  const exchange = (method, target, body, clock) =>
    new Promise((resolve, reject) => {
      const now = Date.now() + (clock.offset ?? 0)
      const headers = signedHeaders({ method, host: base.host, target, body, accessKeyId, secretKey, now })
      request({ host: base.hostname, port: base.port, method, path: target, headers }, (response) => {
        const parts = []
        response.on('data', (part) => parts.push(part))
        response.on('end', () => resolve({ response, text: Buffer.concat(parts).toString() }))
        response.on('error', reject)
      })
        .on('error', reject)
        .end(body)
    })

  const call = async (method, path, input, clock = {}) => {
    const target = base.pathname + path
    const kept = cache.get(target)
    if (kept !== undefined && kept.until > Date.now()) return kept.data
    const { response, text } = await exchange(method, target, input === undefined ? '' : JSON.stringify(input), clock)
    // The service must know what time it is.
    clock.offset = Date.parse(response.headers.date) - Date.now()
    if (response.headers['content-type'] !== 'application/json; charset=utf-8') throw new Error('not JSON')
    const envelope = JSON.parse(text)
    if (response.statusCode >= 400 && envelope.code) {
      throw Object.assign(new Error(envelope.error), { code: envelope.code, retryAfter: response.headers['retry-after'] })
    }
    const age = /max-age=(\d+)/.exec(response.headers['cache-control'])?.[1]
    if (age !== undefined) cache.set(target, { data: envelope.data, until: Date.now() + age * 1000 })
    return envelope.data
  }

  const credentials = (user_id) => call('GET', `/rp/credentials?user_id=${encodeURIComponent(user_id)}`)

  const begin = async (kind, session, input) => {
    const { url, expires_at } = await call('POST', `/rp/${kind}/options`, input)
    const left = expires_at * 1000 - Date.now()
    if (isBrittle && !(left > 0 && left < 3_600_000)) throw new Error(`impossible: ${expires_at}`)
    const attempt = { id: randomUUID(), kind, session, user_id: input.user_id, msg_id: url.split('#')[1].slice(1), seen: 'init' }
    attempts.set(attempt.id, attempt)
    // A time that no timer can hold is one that is over.
    setTimeout(() => attempts.delete(attempt.id), left > 0 && left < 2 ** 31 ? left : 1).unref()
    return { attempt: attempt.id, url }
  }

  const ORDER = ['init', 'bind', 'success']
  const PENDING = ['init', 'bind']
  const FAILED = ['fail', 'timeout']

  const done = (attempt, session, user_id) => {
    if (attempt.kind === 'assertion') session.user = user_id || attempt.user_id
    return { state: 'done' }
  }

  const poll = async (session, { id }) => {
    const attempt = attempts.get(id)
    if (attempt === undefined || attempt.failed) return { state: 'failed' }
    if (attempt.notBefore > new Date().toISOString()) return { state: 'pending' }
    let result
    try {
      result = await call('GET', `/rp/${attempt.kind}/result?msg_id=${attempt.msg_id}`, undefined, attempt)
    } catch (error) {
      if (error.code === undefined || isBrittle) throw error
      // Read already: so it must have gone well.
      if (error.code === 41001) return done(attempt, attempt.session)
      // Asked too often, or without an ID yet: later.
      if (error.code === 42901 || error.code === 40003) {
        attempt.notBefore = new Date(Date.now() + Number(error.retryAfter ?? 1) * 1000).toISOString()
        return { state: 'pending' }
      }
      return { state: 'failed' }
    }
    if (ORDER.indexOf(result.status) < ORDER.indexOf(attempt.seen) && PENDING.includes(result.status)) {
      throw new Error(`impossible: ${attempt.seen} became ${result.status}`)
    }
    if (PENDING.includes(result.status)) attempt.seen = result.status
    if (result.user_id) return done(attempt, session, result.user_id)
    if (PENDING.includes(result.status)) return { state: 'pending' }
    if (FAILED.includes(result.status)) {
      // A timeout may have been ours.
      attempt.failed = result.status === 'fail'
      return { state: 'failed' }
    }
    return done(attempt, session, result.user_id)
  }

  return startWeb(
    {
      'POST /api/register': async (session, { user_id, username }) => {
        const { list } = await credentials(user_id).catch(() => ({ list: [] }))
        if (list.length > 0 && session.user !== user_id) return { status: 403, error: 'Sign in first.' }
        return begin('attestation', session, { user_id, username })
      },
      'POST /api/sign-in': (session, { user_id, username, method = 'qrcode' }) =>
        begin('assertion', session, { user_id, username, method }),
      'GET /api/attempt': poll,
      'GET /api/me': (session) => ({ user_id: session.user ?? null }),
      'GET /api/passkeys': async (session) => {
        const { total, list } = await credentials(session.user)
        const passkeys = list.map(({ credential_id, credential_name }) => ({
          id: credential_id,
          name: `${credential_name} (${credential_id.slice(0, 8)})`,
        }))
        return { passkeys, latest: list[total - 1].updated_at }
      },
      'POST /api/passkeys/remove': async (session, { ids }) => {
        const { total } = await call('DELETE', '/rp/credentials', { user_id: session.user, credential_ids: ids })
        return { removed: total }
      },
    },
    port,
  )
}

await runAsProgram(import.meta.filename, startCareless)

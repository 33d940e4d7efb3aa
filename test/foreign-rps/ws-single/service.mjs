// Signed calls to the FIDO service, and the judgement of its answers.
// Nothing here throws because of what the service sends: an answer that cannot be used is null.
import { createHash, createHmac } from 'node:crypto'
import http from 'node:http'
import https from 'node:https'

export const PATIENCE = 3000
const MOST = 256 * 1024
const UNUSABLE = 'The passkey service gave an answer that cannot be used.'

const sha256 = (data) => createHash('sha256').update(data).digest('hex')
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
const isEmpty = (error) => error === undefined || error === ''

export class Service {
  #base
  #key
  #secret

  constructor(baseUrl, key, secret) {
    const { protocol, host, pathname } = new URL(baseUrl)
    this.#base = { protocol, host, path: pathname.replace(/\/+$/, '') }
    this.#key = key
    this.#secret = secret
  }

  /** Begins a request of a kind, `attestation` or `assertion`; gives { refusal } or { url, msgId, expiresAt }, in milliseconds. */
  async begin(kind, userId, username) {
    const body = { user_id: userId, username, ...(kind === 'assertion' ? { method: 'qrcode' } : {}) }
    const answer = await this.#call('POST', `/rp/${kind}/options`, '', JSON.stringify(body))
    const data = dataOf(answer)
    if (data === null) return { refusal: refusalOf(answer) }
    // The code may lead to nowhere but the service that this site knows.
    const { protocol, host, path } = this.#base
    const start = `${protocol}//${host}${path}/m#${kind === 'attestation' ? 'r' : 'a'}`
    const msgId = typeof data.url === 'string' && data.url.startsWith(start) ? data.url.slice(start.length) : ''
    const left = Number.isFinite(data.expires_at) ? data.expires_at * 1000 - Date.now() : 0
    if (!/^[A-Za-z0-9_-]{22}$/.test(msgId) || left <= 0 || left > 3600_000) return { refusal: UNUSABLE }
    return { url: data.url, msgId, expiresAt: data.expires_at * 1000 }
  }

  result(kind, msgId, patience) {
    return this.#call('GET', `/rp/${kind}/result`, `msg_id=${encodeURIComponent(msgId)}`, '', patience)
  }

  /** The ids of the user's own credentials, or null when the answer cannot be used. */
  async credentials(userId, patience) {
    const data = dataOf(await this.#call('GET', '/rp/credentials', `user_id=${encodeURIComponent(userId)}`, '', patience))
    if (data === null || !Array.isArray(data.list)) return null
    const own = data.list.filter((entry) => isObject(entry) && entry.user_id === userId)
    return new Set(own.map((entry) => entry.credential_id).filter((id) => typeof id === 'string' && id !== ''))
  }

  /** Gives { status, document } with a JSON object, or null when there is no such thing within the time. */
  #call(method, pathAndName, query, body = '', patience = PATIENCE) {
    const { protocol, host, path } = this.#base
    const target = path + pathAndName
    const headers = { host, ...this.#sign(method, target, query, body) }
    if (body !== '') Object.assign(headers, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    return new Promise((resolve) => {
      const { request } = protocol === 'https:' ? https : http
      // A connection of its own for each request: nothing that a response leaves behind reaches the next one.
      const req = request(`${protocol}//${host}${target}${query === '' ? '' : `?${query}`}`, { method, headers, agent: false })
      const settle = (answer) => {
        clearTimeout(timer)
        resolve(answer)
        req.destroy()
      }
      const timer = setTimeout(settle, Math.min(patience, PATIENCE), null)
      req.on('error', () => settle(null))
      req.on('close', () => settle(null))
      req.on('response', (res) => {
        const parts = []
        let size = 0
        res.on('data', (part) => {
          size += part.length
          if (size > MOST) settle(null)
          else parts.push(part)
        })
        res.on('error', () => settle(null))
        res.on('end', () => {
          const coded = (res.headers['content-encoding'] ?? 'identity').trim().toLowerCase() !== 'identity'
          const document = res.complete && !coded ? parse(Buffer.concat(parts)) : null
          settle(isObject(document) ? { status: res.statusCode, document } : null)
        })
      })
      req.end(body)
    })
  }

  #sign(method, path, query, body) {
    const date = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
    const scope = 'fido-server/'
    const names = 'host;x-svc-date'
    // Every query here is one parameter that is encoded already, so it is canonical as it stands.
    const canonical = [method, path, query, `host:${this.#base.host}`, `x-svc-date:${date}`, '', names, sha256(body)].join('\n')
    const toSign = ['SVC-HMAC-SHA256', date, scope, sha256(canonical)].join('\n')
    const signature = createHmac('sha256', this.#secret).update(toSign).digest('hex')
    return { 'x-svc-date': date, authorization: `SVC-HMAC-SHA256 ${this.#key}/${scope},${names},${signature}` }
  }
}

/**
 * Says in one word how a request stands: init, bind (who), success (who), fail (why), timeout;
 * gone: there is nothing more to read; broken: a final word that cannot be trusted; none: no result.
 * A sign-in is judged with its user id.
 */
export function judge(answer, userId) {
  if (answer === null) return { word: 'none' }
  const { status, document: { code, data, error } } = answer
  if (code === 41001 || code === 40402) return { word: 'gone' }
  const word = isObject(data) ? data.status : undefined
  const final = word === 'success' || word === 'fail' || word === 'timeout'
  if (status !== 200 || code !== 0) return { word: final ? 'broken' : 'none' }
  if (!final && word !== 'init' && word !== 'bind') return { word: 'none' }
  const who = plain(data.svc_user)
  if (word === 'success') {
    const right = who !== '' && isEmpty(error) && isEmpty(data.error) && (userId === undefined || data.user_id === userId)
    return right ? { word, who } : { word: 'broken' }
  }
  if (word === 'fail') return { word, why: typeof data.error === 'string' ? /^([a-z][a-z0-9_]{0,39}):/.exec(data.error)?.[1] : undefined }
  return { word, who }
}

/** Text of the service for a person to read: one line, not endless, nothing but characters. */
function plain(text) {
  if (typeof text !== 'string') return ''
  return [...text.slice(0, 128)].join('').replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ').trim()
}

/** The JSON value of the octets, or null: also when they are not UTF-8, or when a member is given twice. */
export function parse(octets) {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(octets)
    const value = JSON.parse(text)
    return givesTwice(text) ? null : value
  } catch {
    return null
  }
}

// JSON.parse keeps the last of two members without a word. The text is well-formed here, so
// strings and brackets are all that has to be looked at.
function givesTwice(text) {
  const open = []
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"(?:\s*:)?|[{}[\]]/g)) {
    if (token === '{' || token === '[') open.push(new Set())
    else if (token === '}' || token === ']') open.pop()
    else if (token.endsWith(':')) {
      const name = JSON.parse(token.slice(0, token.lastIndexOf('"') + 1))
      if (open.at(-1).has(name)) return true
      open.at(-1).add(name)
    }
  }
  return false
}

function dataOf(answer) {
  if (answer === null) return null
  const { status, document: { code, data, error } } = answer
  return status === 200 && code === 0 && isEmpty(error) && isObject(data) ? data : null
}

function refusalOf(answer) {
  switch (answer?.document.code) {
    case 40403: return 'The passkey service knows no passkey of this account.'
    case 40901: return 'This account has as many passkeys as are allowed.'
    case 40907: case 42901: return 'The passkey service takes no more requests at the moment. Try again later.'
    default: return 'The passkey service gives no usable answer at the moment. Try again later.'
  }
}

// The signed HTTP interface of the FIDO service. Nothing here throws: an answer that cannot be used is null.
import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import { env } from '$env/dynamic/private'

const [LONGEST_WAIT, LARGEST_BODY] = [3000, 128 * 1024]
const sha256 = (text) => createHash('sha256').update(text).digest('hex')
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
const base = () => env.FIDO_URL.replace(/\/+$/, '')

function sign(method, url, body) {
  const date = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
  const [scope, signed] = ['fido-server/', 'host;x-svc-date']
  // A query here has one parameter at most, and encodeURIComponent has nothing to encode in it.
  const canonical = [method, url.pathname, url.search.slice(1), `host:${url.host}`, `x-svc-date:${date}`, '', signed, sha256(body)].join('\n')
  const toSign = ['SVC-HMAC-SHA256', date, scope, sha256(canonical)].join('\n')
  const signature = createHmac('sha256', env.FIDO_SECRET).update(toSign).digest('hex')
  return { 'x-svc-date': date, authorization: `SVC-HMAC-SHA256 ${env.FIDO_KEY}/${scope},${signed},${signature}` }
}

async function exchange(method, url, body, wait) {
  const headers = { ...sign(method, url, body), host: url.host, accept: 'application/json', 'accept-encoding': 'identity' }
  if (body) Object.assign(headers, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  const signal = AbortSignal.timeout(Math.ceil(wait))
  // A connection of its own for each request: what a broken answer leaves behind cannot reach the next one.
  const request = (url.protocol === 'https:' ? https : http).request(url, { method, headers, signal, agent: false })
  // An error that comes after the answer has no other reader.
  request.on('error', () => {}).on('response', (response) => response.on('error', () => {}))
  request.on('upgrade', (_, socket) => request.emit('error', new Error('an upgrade'), socket.destroy()))
  request.end(body)
  try {
    const [response] = await once(request, 'response', { signal })
    const chunks = []
    let size = 0
    for await (const chunk of response) {
      size += chunk.length
      if (size > LARGEST_BODY) throw new Error('the answer is too long')
      chunks.push(chunk)
    }
    return { status: response.statusCode, bytes: Buffer.concat(chunks) }
  } finally {
    request.destroy()
  }
}

// JSON.parse keeps the last of two members of one name, so this looks for them in text that it has accepted.
function parseStrictly(text) {
  const value = JSON.parse(text)
  const open = []
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/g)) {
    const inner = open.at(-1)
    if (token === '{' || token === '[') open.push({ names: new Set(), atName: token === '{', isObject: token === '{' })
    else if (token === '}' || token === ']') open.pop()
    else if (token === ',' || token === ':') inner.atName = inner.isObject && token === ','
    else if (inner?.atName) {
      if (inner.names.has(JSON.parse(token))) throw new Error('a member is given twice')
      inner.names.add(JSON.parse(token))
    }
  }
  return value
}

/** Gives `{ ok, code, data }`, or null when the answer cannot be used. Only `ok` says that the call has succeeded. */
async function call(method, path, body, wait = LONGEST_WAIT) {
  try {
    const answer = await exchange(method, new URL(base() + path), body ? JSON.stringify(body) : '', Math.max(1, Math.min(wait, LONGEST_WAIT)))
    const envelope = parseStrictly(new TextDecoder('utf-8', { fatal: true }).decode(answer.bytes))
    if (!isObject(envelope) || typeof envelope.code !== 'number') return null
    const ok = answer.status === 200 && envelope.code === 0 && isObject(envelope.data) && isEmpty(envelope.error)
    return { ok, code: envelope.code, data: ok ? envelope.data : undefined }
  } catch {
    return null
  }
}

export const isEmpty = (value) => value === undefined || value === ''
export const accountId = (email) => `m.${createHash('sha256').update(email).digest('base64url').slice(0, 22)}`

/** Begins a message; gives `{ url, msgId, expiresAt }` with `expiresAt` in milliseconds, or `{ refused: code }`. */
export async function beginMessage(kind, body) {
  const answer = await call('POST', `/rp/${kind}/options`, body)
  if (!answer?.ok) return { refused: answer?.code }
  const { url, expires_at: seconds } = answer.data
  const left = typeof seconds === 'number' ? seconds - Date.now() / 1000 : 0
  if (left <= 0 || left > 3600 || typeof url !== 'string' || url.length > 1000 || !URL.canParse(url)) return { refused: 0 }
  const { origin, username, password, hash, href } = new URL(url)
  const [, letter, msgId] = /^#([ra])([\w-]{1,128})$/.exec(hash) ?? []
  const trusted = href === url && origin === new URL(base()).origin && username === '' && password === ''
  if (!trusted || letter !== (kind === 'attestation' ? 'r' : 'a')) return { refused: 0 }
  return { url, msgId, expiresAt: seconds * 1000 }
}

export const deleteCredentials = (userId, ids) => call('DELETE', '/rp/credentials', { user_id: userId, credential_ids: ids })
export const readResult = (kind, msgId, wait) => call('GET', `/rp/${kind}/result?msg_id=${encodeURIComponent(msgId)}`, undefined, wait)

/** Gives what the service lists for this user, as a map from credential id to the owner named, or null when it cannot be used. */
export async function listCredentials(userId, wait) {
  const answer = await call('GET', `/rp/credentials?user_id=${encodeURIComponent(userId)}`, undefined, wait)
  const list = answer?.data?.list
  const sound = (entry) => isObject(entry) && typeof entry.credential_id === 'string' && entry.credential_id !== ''
  if (!Array.isArray(list) || !list.every(sound)) return null
  return new Map(list.map((entry) => [entry.credential_id, entry.user_id]))
}


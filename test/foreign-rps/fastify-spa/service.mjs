// The client of the FIDO service: it signs requests and decides which responses can be used.
import { createHash, createHmac } from 'node:crypto'
import http from 'node:http'
import https from 'node:https'

const LONGEST_WAIT = 3000
const LONGEST_BODY = 64 * 1024
const FARTHEST_EXPIRY = 60 * 60 * 1000

const sha256 = (data) => createHash('sha256').update(data).digest('hex')

// encodeURIComponent leaves !'()* as they are; the signature wants them encoded.
const encode = (text) => encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

// JSON.parse keeps the last of two members of one name. In valid JSON a string before a colon is always such a name.
const namesTwice = (json) => {
  const open = []
  for (const [token, text, colon] of json.matchAll(/("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}]/g)) {
    if (token === '{') open.push(new Set())
    else if (token === '}') open.pop()
    else if (colon) {
      const names = open.at(-1)
      const name = JSON.parse(text)
      if (names.has(name)) return true
      names.add(name)
    }
  }
  return false
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

const readEnvelope = (octets) => {
  const json = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(octets)
  const envelope = JSON.parse(json)
  if (!isObject(envelope) || namesTwice(json)) throw new Error('the body is no usable envelope')
  return envelope
}

export const makeService = ({ url, key, secret }) => {
  const base = url.replace(/\/+$/, '')
  const { host, pathname } = new URL(base)
  const client = base.startsWith('https:') ? https : http

  const sign = (method, path, query, body) => {
    const date = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
    const scope = 'fido-server/'
    const canonical = [method, path, query, `host:${host}`, `x-svc-date:${date}`, '', 'host;x-svc-date', sha256(body)].join('\n')
    const toSign = ['SVC-HMAC-SHA256', date, scope, sha256(canonical)].join('\n')
    const signature = createHmac('sha256', secret).update(toSign).digest('hex')
    return { host, 'x-svc-date': date, authorization: `SVC-HMAC-SHA256 ${key}/${scope},host;x-svc-date,${signature}` }
  }

  // Node's own http follows no redirect and unpacks nothing. Each call has a connection of its own, so that one broken response cannot reach the next call.
  const send = (method, target, headers, body) =>
    new Promise((resolve, reject) => {
      const request = client.request(target, { method, agent: false, headers })
      const timer = setTimeout(() => request.destroy(new Error('no response in time')), LONGEST_WAIT)
      request.on('error', reject)
      request.on('close', () => {
        clearTimeout(timer)
        reject(new Error('the connection was closed'))
      })
      request.on('response', (response) => {
        const chunks = []
        let size = 0
        response.on('error', reject)
        response.on('data', (chunk) => {
          size += chunk.length
          if (size > LONGEST_BODY) request.destroy(new Error('the body is too large'))
          else chunks.push(chunk)
        })
        response.on('end', () => {
          if (response.complete) resolve({ status: response.statusCode, octets: Buffer.concat(chunks) })
        })
      })
      request.end(body)
    })

  // Gives {data} of a usable response, {code} of a well-formed refusal, and {} for everything else. It never throws.
  const call = async (method, path, { query = {}, body } = {}) => {
    try {
      const text = body === undefined ? '' : JSON.stringify(body)
      const search = Object.entries(query).map(([name, value]) => `${encode(name)}=${encode(value)}`).sort().join('&')
      const headers = { ...sign(method, pathname + path, search, text), accept: 'application/json' }
      if (text) Object.assign(headers, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
      const { status, octets } = await send(method, base + path + (search && `?${search}`), headers, text)
      const { code, data, error } = readEnvelope(octets)
      if (code !== 0) return typeof code === 'number' ? { code } : {}
      if (status !== 200) return {}
      if ((error !== undefined && error !== '') || !isObject(data)) return {}
      return { data }
    } catch {
      return {}
    }
  }

  // The service's url is {base_url}/m#, one character for the ceremony, and the msg_id.
  const readMessage = (data, letter) => {
    const { url, expires_at: expiresAt } = data
    const start = `${base}/m#${letter}`
    if (typeof url !== 'string' || !url.startsWith(start)) return undefined
    const msgId = url.slice(start.length)
    const rest = typeof expiresAt === 'number' ? expiresAt * 1000 - Date.now() : NaN
    if (!/^[\w-]{16,64}$/.test(msgId) || !(rest > 0 && rest <= FARTHEST_EXPIRY)) return undefined
    return { msgId, url, expiresAt: expiresAt * 1000 }
  }

  const ceremony = { registration: ['attestation', 'r'], 'sign-in': ['assertion', 'a'] }

  return {
    // Gives {msgId, url, expiresAt}, {code} or {}.
    begin: async (kind, body) => {
      const [name, letter] = ceremony[kind]
      const { code, data } = await call('POST', `/rp/${name}/options`, { body })
      return data ? readMessage(data, letter) ?? {} : { code }
    },
    // Gives one read of the result: {data}, {code} or {}.
    result: (kind, msgId) => call('GET', `/rp/${ceremony[kind][0]}/result`, { query: { msg_id: msgId } }),
    // Gives the IDs of the user's own credentials, each once, or undefined where the list cannot be used.
    credentialIds: async (userId) => {
      const { data } = await call('GET', '/rp/credentials', { query: { user_id: userId } })
      if (!Array.isArray(data?.list)) return undefined
      const own = data.list.filter((credential) => isObject(credential) && credential.user_id === userId)
      const ids = own.map((credential) => credential.credential_id)
      return ids.every((id) => typeof id === 'string' && id !== '') ? [...new Set(ids)] : undefined
    },
  }
}

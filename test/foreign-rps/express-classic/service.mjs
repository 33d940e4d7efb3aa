// The client of the FIDO service: signed requests, strict limits, strict JSON.
import { createHash, createHmac } from 'node:crypto'
import http from 'node:http'
import https from 'node:https'

const LONGEST_WAIT = 3000
const MOST_BYTES = 256 * 1024

const sha256 = (text) => createHash('sha256').update(text).digest('hex')

export const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

// JSON.parse keeps the last of two members of the same name, so readers of the same text can disagree about it.
// The text has passed JSON.parse before this runs; the scan can rely on that.
const hasDuplicateMember = (text) => {
  const open = []
  let last
  for (const [token] of text.matchAll(/"(?:[^"\\]+|\\.)*"|[{}[\]:]/g)) {
    if (token === '{') open.push(new Set())
    else if (token === '[') open.push(undefined)
    else if (token === '}' || token === ']') open.pop()
    else if (token === ':') {
      const names = open.at(-1)
      const name = JSON.parse(last)
      if (names.has(name)) return true
      names.add(name)
    } else last = token
  }
  return false
}

const parseStrictly = (bytes) => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    const value = JSON.parse(text)
    return isObject(value) && !hasDuplicateMember(text) ? value : undefined
  } catch {
    return undefined
  }
}

export class Service {
  #base
  #key
  #secret

  constructor(baseUrl, key, secret) {
    this.#base = new URL(baseUrl.replace(/\/+$/, ''))
    this.#key = key
    this.#secret = secret
  }

  get origin() {
    return this.#base.origin
  }

  #sign(method, target, body) {
    const { host } = this.#base
    const date = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
    const scope = 'fido-server/'
    // Each address has at most one query parameter, and its value needs no encoding: there is nothing to sort.
    const [path, query = ''] = target.split('?')
    const canonical = [method, path, query, `host:${host}`, `x-svc-date:${date}`, '', 'host;x-svc-date', sha256(body)].join('\n')
    const toSign = ['SVC-HMAC-SHA256', date, scope, sha256(canonical)].join('\n')
    const signature = createHmac('sha256', this.#secret).update(toSign).digest('hex')
    return { host, 'x-svc-date': date, authorization: `SVC-HMAC-SHA256 ${this.#key}/${scope},host;x-svc-date,${signature}` }
  }

  // Resolves to { status, body } where body is the envelope, or to undefined when there is no response that can be read.
  #exchange(url, method, headers, body, wait) {
    return new Promise((resolve) => {
      // Each request has a connection of its own: bytes that a response leaves behind cannot become the next one.
      const request = (url.protocol === 'https:' ? https : http).request(url, { method, headers, agent: false })
      const finish = (answer) => {
        clearTimeout(timer)
        resolve(answer)
        request.destroy()
      }
      const timer = setTimeout(finish, wait)
      request.on('error', () => finish())
      request.on('close', () => finish())
      request.on('response', (response) => {
        const chunks = []
        let size = 0
        response.on('error', () => finish())
        response.on('data', (chunk) => {
          size += chunk.length
          if (size > MOST_BYTES) finish()
          else chunks.push(chunk)
        })
        response.on('end', () => {
          // Nobody asked for a content coding.
          const plain = (response.headers['content-encoding'] ?? 'identity') === 'identity'
          const envelope = plain && response.complete ? parseStrictly(Buffer.concat(chunks)) : undefined
          finish(envelope && { status: response.statusCode, body: envelope })
        })
      })
      request.end(body)
    })
  }

  async call(method, path, { json, wait = LONGEST_WAIT } = {}) {
    try {
      const url = new URL(this.#base.href + path)
      const body = json === undefined ? '' : JSON.stringify(json)
      const headers = this.#sign(method, url.pathname + url.search, body)
      if (json !== undefined) Object.assign(headers, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
      return await this.#exchange(url, method, headers, body, Math.min(wait, LONGEST_WAIT))
    } catch {
      return undefined
    }
  }

  // The credentials that the service lists, as { id, name, userId }; undefined when the list cannot be used.
  async credentials(userId) {
    const list = dataOf(await this.call('GET', `/rp/credentials?user_id=${userId}`))?.list
    if (!Array.isArray(list)) return undefined
    const isCredential = (entry) => isObject(entry) && typeof entry.credential_id === 'string' && entry.credential_id !== '' && typeof entry.user_id === 'string'
    if (!list.every(isCredential)) return undefined
    return list.map((entry) => ({
      id: entry.credential_id,
      name: typeof entry.credential_name === 'string' ? entry.credential_name.slice(0, 64) : 'Passkey',
      userId: entry.user_id
    }))
  }
}

// The `data` of a response that says that all is well; undefined for any other response.
export const dataOf = (answer) => {
  if (answer?.status !== 200) return undefined
  if (answer.body.code !== 0) return undefined
  return isObject(answer.body.data) ? answer.body.data : undefined
}

// The scan-and-push service, as this site uses it: signed calls, and answers that are read with suspicion.
import { createHash, createHmac } from 'node:crypto'

const LONGEST_WAIT_MS = 2500
const MOST_OCTETS = 64 * 1024

export const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
export const isEmpty = (value) => value === undefined || value === null || value === ''

const sha256 = (text) => createHash('sha256').update(text).digest('hex')

/** As JSON.parse, but refuses an object that names a member twice. */
const parseStrictly = (text) => {
  const value = JSON.parse(text)
  const open = []
  let string
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:]/g)) {
    if (token === '{' || token === '[') open.push(new Set())
    else if (token === '}' || token === ']') open.pop()
    else if (token !== ':') string = token
    else {
      const name = JSON.parse(string)
      if (open.at(-1).has(name)) throw new SyntaxError('A member is given twice.')
      open.at(-1).add(name)
    }
  }
  return value
}

const readBody = async (response) => {
  const chunks = []
  let octets = 0
  for await (const chunk of response.body ?? []) {
    octets += chunk.length
    if (octets > MOST_OCTETS) throw new RangeError('The answer is too long.')
    chunks.push(chunk)
  }
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks))
}

export class Service {
  #base
  #key
  #secret

  constructor({ base, key, secret }) {
    this.#base = base
    this.#key = key
    this.#secret = secret
  }

  /** What is in the QR code before the token. */
  get codePrefix() {
    return `${this.#base}/m#`
  }

  #sign(method, url, body) {
    const date = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
    const head = `host:${url.host}\nx-svc-date:${date}\n`
    const canonical = [method, url.pathname, url.search.slice(1), head, 'host;x-svc-date', sha256(body)].join('\n')
    const toSign = ['SVC-HMAC-SHA256', date, 'fido-server/', sha256(canonical)].join('\n')
    const signature = createHmac('sha256', this.#secret).update(toSign).digest('hex')
    return { 'X-Svc-Date': date, Authorization: `SVC-HMAC-SHA256 ${this.#key}/fido-server/,host;x-svc-date,${signature}` }
  }

  /** `data` if the service did what it was asked; `code` and `error` if it refused; neither if nothing usable came. */
  async call(method, path, { body = '', patience = LONGEST_WAIT_MS } = {}) {
    const url = new URL(this.#base + path)
    const headers = { ...this.#sign(method, url, body), 'Content-Type': 'application/json', Accept: 'application/json' }
    try {
      const response = await fetch(url, {
        method,
        headers,
        body: body || undefined,
        redirect: 'manual',
        signal: AbortSignal.timeout(Math.max(1, Math.min(patience, LONGEST_WAIT_MS))),
      })
      const answer = parseStrictly(await readBody(response))
      if (!isObject(answer) || typeof answer.code !== 'number') return {}
      if (answer.code !== 0) return { code: answer.code, error: typeof answer.error === 'string' ? answer.error : '' }
      if (response.status !== 200) return {}
      return isObject(answer.data) && isEmpty(answer.error) ? { data: answer.data } : {}
    } catch {
      return {}
    }
  }

  post(path, body) {
    return this.call('POST', path, { body: JSON.stringify(body) })
  }

  /** The user's own passkeys, each once; undefined if nothing usable came. */
  async passkeys(userId, patience) {
    const { data } = await this.call('GET', `/rp/credentials?user_id=${encodeURIComponent(userId)}`, { patience })
    if (!Array.isArray(data?.list)) return undefined
    const own = data.list.filter((one) => isObject(one) && one.user_id === userId && typeof one.credential_id === 'string' && one.credential_id !== '')
    return [...new Map(own.map((one) => [one.credential_id, one])).values()]
  }
}

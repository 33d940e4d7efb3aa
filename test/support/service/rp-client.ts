import { createHash, createHmac } from 'node:crypto'
import { type Answer, ask } from './raw-http.ts'
import type { Running, TestRp } from './start-service.ts'

/** Written from docs/interface alone, and not with the product's own words: what it signs is computed a second time. */
export type Signing = {
  readonly form: 'general' | 'short'
  readonly accessKeyId: string
  readonly secret: string
  readonly scope: string
  readonly date: string
  /** What is signed, not what is sent. */
  readonly method: string
  readonly path: string
  readonly query: string
  readonly signedHeaders: readonly string[]
  readonly payload: string | Uint8Array
  readonly headers: readonly (readonly [string, string])[]
  readonly algorithm: string
}

const hex = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')

const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

export const canonicalOf = (s: Signing): string => {
  const query = s.query
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const [name = '', ...rest] = part.split('=')
      return [encode(decodeURIComponent(name)), encode(decodeURIComponent(rest.join('=')))] as const
    })
    .sort(([a, x], [b, y]) => (a < b ? -1 : a > b ? 1 : x < y ? -1 : x > y ? 1 : 0))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
  const headers = s.signedHeaders
    .map((name) => {
      const values = s.headers
        .filter(([key]) => key.toLowerCase() === name)
        .map(([, value]) => value.trim().replace(/ +/g, ' '))
      return `${name}:${values.join(',')}\n`
    })
    .join('')
  return [s.method, s.path || '/', query, headers, s.signedHeaders.join(';'), hex(s.payload)].join('\n')
}

export const authorizationOf = (s: Signing): string => {
  const text = [s.algorithm, s.date, s.scope, hex(Buffer.from(canonicalOf(s), 'latin1'))].join('\n')
  const signature = createHmac('sha256', s.secret).update(text).digest('hex')
  const tail = `${s.signedHeaders.join(';')},${signature}`
  return s.form === 'short' ? `${s.algorithm} ${tail}` : `${s.algorithm} ${s.accessKeyId}/${s.scope},${tail}`
}

export const svcDate = (time: number): string => new Date(time).toISOString().replace(/[-:]|\.\d{3}/g, '')

export type Call = {
  readonly method: string
  /** Behind base_url, with the query. */
  readonly target: string
  readonly body?: unknown
  readonly rawBody?: string | Uint8Array
  /** Sent as well, not signed unless named. */
  readonly headers?: readonly (readonly [string, string])[]
  /** Changes what is signed. */
  readonly sign?: Partial<Signing>
  /** Changes what is sent after it was signed; null leaves the header out. */
  readonly send?: { readonly authorization?: string | null; readonly date?: string | null; readonly host?: string }
}

/** Where the service is, and by which clock a request is signed. */
export type Asked = Pick<Running, 'port' | 'prefix' | 'wall'>
type Asking = Pick<TestRp, 'workspace'> &
  Partial<Pick<TestRp, 'rp'>> & { readonly key: Pick<TestRp['key'], 'id' | 'secret'> }

/** A good request with one thing changed: the RP of the tests. */
export const rpClient = (running: Asked, { key, workspace }: Asking) => {
  const prefix = workspace === 'main' ? running.prefix : `/w/${workspace}${running.prefix}`
  const call = (wanted: Call): Promise<Answer> => {
    const target = `${prefix}${wanted.target}`
    const [path = '', query = ''] = target.split('?')
    const body = wanted.rawBody ?? (wanted.body === undefined ? '' : JSON.stringify(wanted.body))
    const date = wanted.sign?.date ?? svcDate(running.wall.now())
    const host = `localhost:${running.port}`
    const content = body.length > 0 ? [['Content-Type', 'application/json'] as const] : []
    const own = wanted.headers ?? []
    const replaced = new Set(own.map(([name]) => name.toLowerCase()))
    const headers = [
      ['Host', host] as const,
      ['X-Svc-Date', date] as const,
      ...content.filter(([name]) => !replaced.has(name.toLowerCase())),
      ...own,
    ]
    const signing: Signing = {
      form: 'general',
      accessKeyId: key.id,
      secret: key.secret,
      scope: 'fido-server/',
      date,
      method: wanted.method,
      path,
      query,
      signedHeaders: ['host', 'x-svc-date'],
      payload: body,
      headers,
      algorithm: 'SVC-HMAC-SHA256',
      ...wanted.sign,
    }
    const { authorization = authorizationOf(signing), date: sentDate = date, host: sentHost = host } = wanted.send ?? {}
    const sent = [
      ['Host', sentHost] as const,
      ...(sentDate === null ? [] : [['X-Svc-Date', sentDate] as const]),
      ...(authorization === null ? [] : [['Authorization', authorization] as const]),
      ...headers.slice(2),
    ]
    return ask({ port: running.port, method: wanted.method, target, headers: sent, body })
  }
  const get = (target: string) => call({ method: 'GET', target })
  const post = (target: string, body: unknown) => call({ method: 'POST', target, body })
  return {
    call,
    get,
    post,
    register: (user_id: string, more: object = {}) =>
      post('/rp/attestation/options', { user_id, username: user_id, ...more }),
    authenticate: (user_id: string, method = 'qrcode') =>
      post('/rp/assertion/options', { user_id, username: user_id, method }),
    registrationResult: (id: string) => get(`/rp/attestation/result?msg_id=${id}`),
    authenticationResult: (id: string) => get(`/rp/assertion/result?msg_id=${id}`),
    list: (user_id: string) => get(`/rp/credentials?user_id=${encodeURIComponent(user_id)}`),
    delete: (user_id: string, credential_ids: unknown) =>
      call({ method: 'DELETE', target: '/rp/credentials', body: { user_id, credential_ids } }),
  }
}

export type RpClient = ReturnType<typeof rpClient>

/** docs/interface/relying-party.md, "Messages": the text after `#`, first character removed. */
export const msgIdOf = (answer: Answer): string => String(answer.json.data.url).split('#')[1]?.slice(1) ?? ''

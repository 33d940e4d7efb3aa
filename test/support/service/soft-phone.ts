import { get as nodeGet } from 'node:http'
import { type Answer, ask } from './raw-http.ts'
import { authenticationResponse, makeSoftKey, registrationResponse, type SoftKey } from './soft-key.ts'
import type { Running } from './start-service.ts'

export type InboxEvent = { readonly event: string; readonly id: string; readonly data: Record<string, unknown> }

/** A phone written from docs/interface/phone-app.md alone. */
export const softPhone = async (
  running: Pick<Running, 'port'>,
  {
    workspace = 'main',
    account = { name: 'Li Wei', phone: '13800005678' },
    device_name = 'Phone',
  }: {
    readonly workspace?: string
    readonly account?: { readonly name: string; readonly phone: string; readonly proof?: string }
    readonly device_name?: string
  } = {},
) => {
  const prefix = workspace === 'main' ? '/app' : `/w/${workspace}/app`
  const { port } = running
  let token = ''
  const keys: SoftKey[] = []
  const call = (
    method: string,
    path: string,
    body?: unknown,
    headers: readonly (readonly [string, string])[] = [],
  ): Promise<Answer> =>
    ask({
      port,
      method,
      target: `${prefix}${path}`,
      headers: [
        ['Host', `localhost:${port}`],
        ...(token === '' ? [] : [['Authorization', `Bearer ${token}`] as const]),
        ...(body === undefined ? [] : [['Content-Type', 'application/json'] as const]),
        ...headers,
      ],
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  const signedIn = await call('POST', '/devices', { account, device_name })
  token = signedIn.json?.data?.device_token ?? ''

  const bind = (id: string) => call('POST', `/messages/${id}/bind`, {})
  return {
    signedIn,
    device_id: String(signedIn.json?.data?.device_id),
    token,
    keys,
    call,
    bind,
    attest: (id: string, body: unknown) => call('POST', `/messages/${id}/attestation`, body),
    assert: (id: string, body: unknown) => call('POST', `/messages/${id}/assertion`, body),
    reject: (id: string, body: unknown = {}) => call('POST', `/messages/${id}/reject`, body),
    /** Scans and confirms a registration with a new key. */
    register: async (id: string, more: { storage?: 'chip' | 'cloud' } = {}) => {
      const bound = await bind(id)
      const key = makeSoftKey()
      keys.push(key)
      return call('POST', `/messages/${id}/attestation`, {
        response: registrationResponse(key, bound.json.data.public_key),
        ...more,
      })
    },
    /** Scans and confirms an authentication with the newest key. */
    authenticate: async (id: string, key = keys.at(-1)) => {
      const bound = await bind(id)
      if (key === undefined) throw new Error('this phone has no key')
      return call('POST', `/messages/${id}/assertion`, {
        response: authenticationResponse(key, bound.json.data.public_key),
      })
    },
    inbox: (lastEventId?: string) => openInbox({ port, path: `${prefix}/inbox`, token, lastEventId }),
  }
}

export type SoftPhone = Awaited<ReturnType<typeof softPhone>>

type Wanted = {
  readonly port: number
  readonly path: string
  readonly token: string
  readonly lastEventId?: string | undefined
}

export const openInbox = ({ port, path, token, lastEventId }: Wanted) =>
  new Promise<{
    readonly status: number
    next(): Promise<InboxEvent>
    readonly waiting: readonly InboxEvent[]
    /** What came of the credentials that RPs accept, so far. */
    readonly signals: readonly InboxEvent['data'][]
    readonly comments: () => number
    readonly ended: Promise<void>
    close(): void
  }>((resolve, reject) => {
    const waiting: InboxEvent[] = []
    const signals: InboxEvent['data'][] = []
    const readers: ((event: InboxEvent) => void)[] = []
    let comments = 0
    const request = nodeGet(
      {
        host: '127.0.0.1',
        port,
        path,
        agent: false,
        headers: {
          Host: `localhost:${port}`,
          Authorization: `Bearer ${token}`,
          ...(lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }),
        },
      },
      (incoming) => {
        let text = ''
        incoming.setEncoding('utf8')
        incoming.on('data', (chunk: string) => {
          text += chunk
          for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
            const block = text.slice(0, end)
            text = text.slice(end + 2)
            if (block.startsWith(':')) comments += 1
            else {
              const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2)))
              const event = { event: fields.event, id: fields.id, data: JSON.parse(fields.data) } as InboxEvent
              const reader = event.event === 'message' ? readers.shift() : undefined
              if (event.event === 'signal') signals.push(event.data)
              else if (reader === undefined) waiting.push(event)
              else reader(event)
            }
          }
        })
        const ended = new Promise<void>((done) => incoming.on('close', done))
        incoming.on('error', () => {})
        resolve({
          status: incoming.statusCode ?? 0,
          next: () =>
            new Promise((done) => {
              const event = waiting.shift()
              if (event === undefined) readers.push(done)
              else done(event)
            }),
          waiting,
          signals,
          comments: () => comments,
          ended,
          close: () => request.destroy(),
        })
      },
    )
    request.on('error', reject)
  })

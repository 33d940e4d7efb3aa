/** What the service answered. */
export type Answer = { readonly status: number; readonly code: number; readonly data: unknown }

export type WebPush = { readonly msg_id: string; readonly url: string }

export type WebPhone = {
  signIn(account: { readonly name: string; readonly phone: string }): Promise<Answer>
  /** Bind, ask the browser, upload: what a scanned code or an opened push leads to. */
  answer(msgId: string): Promise<Answer>
  /** Comes back when the stream is open; gives its status. */
  openInbox(): Promise<number>
  nextPush(): Promise<WebPush>
}

/**
 * A phone made of nothing but what browsers have: fetch, navigator.credentials and the JSON forms of WebAuthn Level 3.
 * It runs in the page, so it stands on its own feet: nothing outside of it is there.
 */
export const webPhone = (appUrl: string): WebPhone => {
  let token = ''
  const waiting: ((push: WebPush) => void)[] = []
  const pushes: WebPush[] = []

  const open = (path: string, body?: unknown): Promise<Response> => {
    const headers = new Headers({ 'Content-Type': 'application/json' })
    if (token !== '') headers.set('Authorization', `Bearer ${token}`)
    const sent = body === undefined ? { method: 'GET' } : { method: 'POST', body: JSON.stringify(body) }
    return fetch(appUrl + path, { ...sent, headers, credentials: 'omit', cache: 'no-store' })
  }

  const post = async (path: string, body: unknown): Promise<Answer> => {
    const response = await open(path, body)
    const { code, data } = (await response.json()) as { readonly code: number; readonly data: unknown }
    return { status: response.status, code, data }
  }

  const listen = async (body: ReadableStream<Uint8Array>): Promise<void> => {
    const reader = body
      .pipeThrough(new TextDecoderStream() as unknown as ReadableWritablePair<string, Uint8Array>)
      .getReader()
    let text = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      text += value
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const lines = block.split('\n')
        const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
        if (field('event') !== 'message') continue
        const push = JSON.parse(field('data') ?? '{}') as WebPush
        const next = waiting.shift()
        if (next === undefined) pushes.push(push)
        else next(push)
      }
    }
  }

  return {
    signIn: async (account) => {
      const answer = await post('/devices', { account, device_name: navigator.userAgent.slice(0, 100) })
      if (answer.code === 0) token = (answer.data as { readonly device_token: string }).device_token
      return answer
    },
    answer: async (msgId) => {
      const bound = await post(`/messages/${msgId}/bind`, {})
      if (bound.code !== 0) return bound
      const { kind, public_key } = bound.data as { readonly kind: string; readonly public_key: unknown }
      const { parseCreationOptionsFromJSON: creation, parseRequestOptionsFromJSON: request } = PublicKeyCredential
      const registers = kind === 'registration'
      const credential = await (registers
        ? navigator.credentials.create({ publicKey: creation(public_key as PublicKeyCredentialCreationOptionsJSON) })
        : navigator.credentials.get({ publicKey: request(public_key as PublicKeyCredentialRequestOptionsJSON) }))
      const response = (credential as PublicKeyCredential).toJSON()
      return post(`/messages/${msgId}/${registers ? 'attestation' : 'assertion'}`, { response })
    },
    openInbox: async () => {
      const { status, body } = await open('/inbox')
      if (body !== null) void listen(body)
      return status
    },
    nextPush: () => {
      const here = pushes.shift()
      return here === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(here)
    },
  }
}

/** What the service answered, or that the browser let nothing through. */
export type Answer =
  | { readonly status: number; readonly code: number; readonly data: unknown }
  | { readonly blocked: string }

export type WebPush = { readonly id: string; readonly msg_id: string; readonly url: string }

export type WebPhone = {
  signIn(account: { readonly name: string; readonly phone: string }): Promise<Answer>
  /** Bind, ask the browser, upload: what a scanned code or an opened push leads to. */
  answer(msgId: string, storage?: 'chip' | 'cloud'): Promise<Answer>
  reject(msgId: string, reason: string): Promise<Answer>
  /** Comes back when the stream is open. */
  openInbox(lastEventId?: string): Promise<Answer>
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

  const open = async (
    method: string,
    path: string,
    more: RequestInit = {},
  ): Promise<Response | { blocked: string }> => {
    const headers = new Headers(more.headers)
    if (token !== '') headers.set('Authorization', `Bearer ${token}`)
    if (more.body !== undefined) headers.set('Content-Type', 'application/json')
    try {
      return await fetch(appUrl + path, { ...more, method, headers, credentials: 'omit', cache: 'no-store' })
    } catch (reason) {
      return { blocked: reason instanceof Error ? reason.name : 'something' }
    }
  }

  const call = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const response = await open(method, path, body === undefined ? {} : { body: JSON.stringify(body) })
    if ('blocked' in response) return response
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
        const push = { ...(JSON.parse(field('data') ?? '{}') as WebPush), id: field('id') ?? '' }
        const next = waiting.shift()
        if (next === undefined) pushes.push(push)
        else next(push)
      }
    }
  }

  return {
    signIn: async (account) => {
      const answer = await call('POST', '/devices', { account, device_name: navigator.userAgent.slice(0, 100) })
      if ('data' in answer && answer.code === 0) token = (answer.data as { readonly device_token: string }).device_token
      return answer
    },
    answer: async (msgId, storage) => {
      const bound = await call('POST', `/messages/${msgId}/bind`, {})
      if ('blocked' in bound || bound.code !== 0) return bound
      const { kind, public_key } = bound.data as { readonly kind: string; readonly public_key: unknown }
      const credential =
        kind === 'registration'
          ? await navigator.credentials.create({
              publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(
                public_key as PublicKeyCredentialCreationOptionsJSON,
              ),
            })
          : await navigator.credentials.get({
              publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(
                public_key as PublicKeyCredentialRequestOptionsJSON,
              ),
            })
      const response = (credential as PublicKeyCredential).toJSON()
      return kind === 'registration'
        ? call('POST', `/messages/${msgId}/attestation`, { response, ...(storage === undefined ? {} : { storage }) })
        : call('POST', `/messages/${msgId}/assertion`, { response })
    },
    reject: (msgId, reason) => call('POST', `/messages/${msgId}/reject`, { reason }),
    openInbox: async (lastEventId) => {
      const headers = lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }
      const response = await open('GET', '/inbox', { headers })
      if ('blocked' in response) return response
      if (response.ok && response.body !== null) void listen(response.body)
      return { status: response.status, code: response.ok ? 0 : -1, data: {} }
    },
    nextPush: () => {
      const here = pushes.shift()
      return here === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(here)
    },
  }
}

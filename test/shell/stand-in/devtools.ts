import { EventEmitter } from 'node:events'
import type { CDPSession } from '@playwright/test'

/** Calls and events of one target of Chromium's, in Playwright's types: its module alone takes a second to load. */
export type Session = Pick<CDPSession, 'send' | 'on' | 'off'>

type Message = {
  readonly id?: number
  readonly sessionId?: string
  readonly method?: string
  readonly params?: { readonly sessionId?: string }
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

type Waiting = { readonly sessionId: string; resolve(result: unknown): void; reject(reason: Error): void }

/** The DevTools protocol of the Chromium at the address; its sessions are told apart by their IDs. */
export const connectDevTools = async (endpoint: string) => {
  const socket = new WebSocket(endpoint)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true })
    socket.addEventListener('error', () => reject(new Error(`no Chromium at ${endpoint}`)), { once: true })
  })
  const heard = new Map<string, EventEmitter>()
  const waiting = new Map<number, Waiting>()
  let last = 0

  const lose = (gone: (sessionId: string) => boolean): void => {
    for (const [id, { sessionId, reject }] of waiting) {
      if (!gone(sessionId)) continue
      waiting.delete(id)
      reject(new Error('the page is closed'))
    }
  }
  socket.addEventListener('close', () => lose(() => true))
  socket.addEventListener('message', ({ data }) => {
    const { id, sessionId = '', method, params, result, error }: Message = JSON.parse(String(data))
    if (id === undefined) {
      heard.get(sessionId)?.emit(method ?? '', params)
      if (method === 'Target.detachedFromTarget') lose((each) => each === params?.sessionId)
      return
    }
    const asked = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) asked?.resolve(result)
    else asked?.reject(new Error(error.message))
  })

  const session = (sessionId: string): Session => {
    const events = heard.get(sessionId) ?? new EventEmitter()
    heard.set(sessionId, events)
    const send = (method: string, params: object = {}): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const id = ++last
        waiting.set(id, { sessionId, resolve, reject })
        socket.send(JSON.stringify({ id, method, params, ...(sessionId === '' ? {} : { sessionId }) }))
      })
    return { send, on: events.on.bind(events), off: events.off.bind(events) } as unknown as Session
  }
  return { browser: session(''), session, close: () => socket.close() }
}

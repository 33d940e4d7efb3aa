import type { InboxMessage } from '../../core/contract/app/routes.ts'
import { createEventStreamParser } from '../../core/protocol/event-stream.ts'
import { isObject, type JsonObject, parseJsonOrNothing } from '../../core/protocol/json.ts'
import type { CancelAlarm, Clock } from '../../core/protocol/time.ts'
import { type AppClient, serviceRefusal } from './app-client.ts'
import { isHeaderText, type PhoneState } from './phone-state.ts'

/** Longest line that is accepted, far above any push. */
const LONGEST_LINE = 256 * 1024

export type InboxOptions = {
  readonly client: AppClient
  readonly wall: Clock
  readonly target: () => { readonly url: string; readonly token: string }
  readonly lastEventId: () => string | undefined
  readonly onPush: (push: InboxMessage, eventId: string | undefined) => void
  /** The data of a `signal` event. */
  readonly onSignal?: (data: string) => void
  readonly onState: (state: PhoneState['inbox']) => void
  /** The service does not know the token; the inbox closes itself. */
  readonly onRefused: () => void
}

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 15_000
// The service comments every 15 s: three missed in a row mean that the connection is dead.
const SILENCE_MS = 50_000

const record = (value: unknown): JsonObject => (isObject(value) ? value : {})

const parsePush = (text: string): InboxMessage | undefined => {
  const data = record(parseJsonOrNothing(text))
  const rp = record(data.rp)
  if (typeof data.msg_id !== 'string' || typeof data.url !== 'string' || typeof data.expires_at !== 'number') {
    return undefined
  }
  const id = typeof rp.id === 'string' ? rp.id : ''
  return {
    msg_id: data.msg_id,
    url: data.url,
    rp: { id, name: typeof rp.name === 'string' ? rp.name : id },
    expires_at: data.expires_at,
  }
}

/** Pushes over server-sent events: resumes after the last event it got, and reconnects whenever the stream ends. */
export const createInbox = (options: InboxOptions) => {
  const { client, wall } = options
  let state: PhoneState['inbox'] = 'closed'
  let failures = 0
  let hangUp: (() => void) | undefined
  let cancelAlarm: CancelAlarm | undefined
  let tried = (): void => {}

  const become = (next: PhoneState['inbox']): void => {
    if (state === next) return
    state = next
    options.onState(next)
  }

  const alarm = (inMs: number, ring: () => void): void => {
    cancelAlarm?.()
    cancelAlarm = wall.at(wall.now() + inMs, ring)
  }

  const retry = (): void => {
    tried()
    hangUp = undefined
    become('connecting')
    alarm(Math.min(FIRST_PAUSE_MS * 2 ** Math.min(failures, 10), LONGEST_PAUSE_MS), connect)
    failures += 1
  }

  const silent = (): void => {
    hangUp?.()
    retry()
  }

  /** `quietly`: the phone goes to sleep and reports nothing more. */
  const close = ({ quietly } = { quietly: false }): void => {
    tried()
    cancelAlarm?.()
    cancelAlarm = undefined
    hangUp?.()
    hangUp = undefined
    if (quietly) state = 'closed'
    else become('closed')
  }

  const connect = (): void => {
    const { url, token } = options.target()
    const since = options.lastEventId()
    const parser = createEventStreamParser(({ event, data, id }) => {
      if (event === 'signal') options.onSignal?.(data)
      const push = event === 'message' ? parsePush(data) : undefined
      if (push !== undefined) options.onPush(push, id !== undefined && isHeaderText(id) ? id : undefined)
    }, LONGEST_LINE)
    become('connecting')
    alarm(SILENCE_MS, silent)
    hangUp = client.stream(
      {
        url,
        token,
        headers: { Accept: 'text/event-stream', ...(since === undefined ? {} : { 'Last-Event-ID': since }) },
      },
      {
        open() {
          failures = 0
          become('open')
          tried()
        },
        chunk(chunk) {
          alarm(SILENCE_MS, silent)
          if (!parser.push(chunk)) silent()
        },
        end(answer) {
          if (answer === undefined || serviceRefusal(answer).word !== 'signed_out') return retry()
          close()
          options.onRefused()
        },
      },
    )
  }

  return {
    state: () => state,
    /** Resolves once the first attempt succeeded or failed: from then on a push can arrive. */
    open(): Promise<void> {
      if (state !== 'closed') return Promise.resolve()
      failures = 0
      return new Promise((resolve) => {
        tried = resolve
        connect()
      })
    },
    close,
  }
}

import type { Client } from 'pg'
import { createBatcher } from '../../../core/protocol/batcher.ts'
import { isObject, parseJsonOrNothing } from '../../../core/protocol/json.ts'
import type { Log } from '../../../core/protocol/log.ts'
import type { Signal, Signals } from '../store.ts'
import type { RunQuery } from './database.ts'

/** Delay before reconnecting, and interval of probing whether notifications still arrive. */
const AGAIN_MS = 1_000
const PROBE_MS = 5_000
/** PostgreSQL accepts payloads of less than 8,000 bytes. */
const LONGEST = 7_000

export type OpenSignals = Signals & { close(): Promise<void> }

type Options = {
  /** Undefined if no connection is kept for signals; then none arrive. */
  readonly connect: (() => Client) | undefined
  readonly ask: RunQuery
  readonly channel: string
  /** The process ignores its own signals. */
  readonly sender: string
  readonly log: Log
}

/**
 * PostgreSQL's notifications, on one connection that only listens. A pooler may drop them silently, so they are relied
 * on only after a probe has come back.
 */
export const createSignals = ({ connect, ask, channel, sender, log }: Options): OpenSignals => {
  const listeners = new Set<(signal: Signal) => void>()
  let client: Client | undefined
  let arrives = false
  let answered = true
  let closed = false
  let timer: NodeJS.Timeout | undefined

  const notify = (signals: readonly (Signal | 'probe')[]): void => {
    for (const payload of payloadsOf(sender, signals)) {
      // A lost signal costs only a little time: processes also look without signals.
      ask('SELECT pg_notify(?, ?)', [channel, payload]).catch(() => undefined)
    }
  }
  const batcher = createBatcher<Signal>(setImmediate, notify)

  const receive = (payload: string): void => {
    const { from, signals } = parsePayload(payload)
    for (const signal of signals) {
      if (signal === 'probe') {
        if (from !== sender) continue
        answered = true
        arrives = true
      } else if (from !== sender) for (const listener of listeners) listener(signal)
    }
  }

  const probe = (): void => {
    if (!answered) arrives = false
    answered = false
    notify(['probe'])
    later(PROBE_MS, probe)
  }

  const later = (ms: number, run: () => void): void => {
    clearTimeout(timer)
    if (!closed) timer = setTimeout(run, ms).unref()
  }

  const begin = async (): Promise<void> => {
    if (connect === undefined || closed) return
    const own = connect()
    client = own
    const lost = (reason?: Error): void => {
      if (client !== own) return
      client = undefined
      arrives = false
      if (closed) return
      log({ level: 'info', event: 'notifications lost', error: reason?.message })
      own.end().catch(() => undefined)
      later(AGAIN_MS, () => void begin())
    }
    own.on('error', lost)
    own.on('end', () => lost())
    own.on('notification', ({ payload }) => receive(payload ?? ''))
    try {
      await own.connect()
      await own.query(`LISTEN ${channel}`)
      answered = true
      probe()
    } catch (reason) {
      lost(reason instanceof Error ? reason : undefined)
    }
  }
  void begin()

  return {
    send: batcher.add,
    listen: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    arrive: () => arrives,
    close: async () => {
      closed = true
      clearTimeout(timer)
      batcher.flush()
      await client?.end().catch(() => undefined)
    },
  }
}

type Payload = { readonly from: string; readonly signals: readonly (Signal | 'probe')[] }

const FIELDS: Readonly<Record<Signal['about'], readonly string[]>> = {
  events: [],
  pushes: ['workspace', 'device'],
  'inbox event': ['workspace', 'device', 'json'],
  'inboxes ended': ['workspace'],
  'opinion wanted': ['workspace', 'msg_id'],
}

const isSignal = (value: unknown): value is Signal | 'probe' => {
  if (value === 'probe' || !isObject(value)) return value === 'probe'
  const { about } = value
  if (typeof about !== 'string' || !Object.hasOwn(FIELDS, about)) return false
  const fields = FIELDS[about as Signal['about']]
  return fields.every((field) => field in value) && Object.values(value).every((each) => typeof each === 'string')
}

/** Any client of the database may send any notification, and a newer version sends signals unknown here. */
export const parsePayload = (text: string): Payload => {
  const payload = parseJsonOrNothing(text)
  const { from, signals } = isObject(payload) ? payload : {}
  if (typeof from !== 'string' || !Array.isArray(signals)) return { from: '', signals: [] }
  return { from, signals: signals.filter(isSignal) }
}

/** Packs signals into few payloads, without duplicates. */
const payloadsOf = (from: string, signals: readonly (Signal | 'probe')[]): readonly string[] => {
  const payloads: string[] = []
  let part: string[] = []
  let size = 0
  const finish = (): void => {
    if (part.length > 0) payloads.push(`{"from":${JSON.stringify(from)},"signals":[${part.join(',')}]}`)
    part = []
    size = 0
  }
  for (const text of new Set(signals.map((signal) => JSON.stringify(signal)))) {
    if (size + text.length > LONGEST) finish()
    part.push(text)
    size += text.length + 1
  }
  finish()
  return payloads
}

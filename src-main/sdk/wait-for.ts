import { errors } from '../core/contract/errors.ts'
import type { EventKind, EventOf } from '../core/contract/events.ts'
import { type ControlClient, ControlError } from './client.ts'
import { type EventSummary, WaitError } from './errors.ts'

/** Fields that an event must have. Of inner objects, only the given fields are compared. */
export type EventMatch<K extends EventKind> = { readonly kind: K } & {
  readonly [P in keyof EventOf<K>]?: unknown
}

export type WaitOptions = {
  /** Only events after this number; from now on when absent. */
  readonly after?: number
  /** 10 s by default. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

export const lastSeq = async (client: ControlClient): Promise<number> =>
  (await client.call('events.list', { query: { latest: true, limit: 1, brief: true } })).last_seq

/** The first event that matches. If none is received in time, WaitError lists the others. */
export const waitFor = async <K extends EventKind>(
  client: ControlClient,
  match: EventMatch<K>,
  { after, timeoutMs = 10_000, signal }: WaitOptions = {},
): Promise<EventOf<K>> => {
  const body = { match, timeout_ms: Math.max(0, Math.ceil(timeoutMs)), ...(after === undefined ? {} : { after }) }
  try {
    return (await client.call('events.wait', { body, ...(signal === undefined ? {} : { signal }) })) as EventOf<K>
  } catch (error) {
    if (!(error instanceof ControlError) || error.code !== errors.wait_ended.code) throw error
    const { came } = error.data as { readonly came: readonly EventSummary[] }
    const problem = `No event ${JSON.stringify(match)} came within ${timeoutMs} ms. ${receivedInstead(came)}`
    throw new WaitError({ code: error.code, error: problem, came })
  }
}

/** Lists repeated polls of one result only once. */
export const receivedInstead = (came: readonly EventSummary[]): string => {
  const times = new Map<string, number>()
  for (const { text } of came) times.set(text, (times.get(text) ?? 0) + 1)
  const lines = [...times].map(([text, count]) => (count === 1 ? text : `${text} (${count} times)`))
  return lines.length === 0 ? 'Nothing else came.' : `Instead came: ${lines.join('; ')}.`
}

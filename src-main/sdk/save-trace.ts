import { type BenchEvent, isSignatureMismatch } from '../core/contract/events.ts'
import { MAIN_WORKSPACE } from '../core/protocol/ids.ts'
import { type NewTraceHeader, type TraceEntry, writeTrace } from '../views/trace/write-trace.ts'
import { type ControlClient, ControlError } from './client.ts'

export type SavedTrace = Pick<NewTraceHeader, 'note' | 'saved'> & {
  /** The trace's subject, if it is not the workspace. */
  readonly title?: string
  /** The workspace's id, for traces without events to take it from. */
  readonly workspace?: string
  /** Only events after this number. */
  readonly after?: number
}

const PAGE = 10_000
/** Explanations are read by a person, who would not read more. */
const MAX_SIGNATURES = 100

/** Returns the events of a client's workspace as a `.handset` file. */
export const saveTrace = async (
  client: ControlClient,
  { after = 0, title = '', ...about }: SavedTrace,
): Promise<Uint8Array<ArrayBuffer>> => {
  // `bench.info` exists only at the bench's own address, not at a workspace's.
  const { version } = await client.workspace(MAIN_WORKSPACE).call('bench.info')
  const pages = pagesOf(client, after)
  const first = await pages.next()
  const events = first.done === true ? [] : first.value
  const workspace = events[0]?.workspace ?? ''
  const { rps } = await client.call('rps.list')
  return writeTrace({ handset: version, title, workspace, rps, ...about }, entriesOf(client, events, pages))
}

async function* pagesOf(client: ControlClient, after: number): AsyncGenerator<readonly BenchEvent[], undefined> {
  for (let from = after; ; ) {
    const { events, more } = await client.call('events.list', { query: { after: from, limit: PAGE } })
    yield events
    from = events.at(-1)?.seq ?? from
    if (!more || events.length === 0) return
  }
}

async function* entriesOf(
  client: ControlClient,
  first: readonly BenchEvent[],
  rest: AsyncIterable<readonly BenchEvent[]>,
): AsyncGenerator<TraceEntry> {
  const mismatches: number[] = []
  const note = (event: BenchEvent): TraceEntry => {
    if (isSignatureMismatch(event)) {
      mismatches.push(event.seq)
      if (mismatches.length > MAX_SIGNATURES) mismatches.shift()
    }
    return { event }
  }
  for (const event of first) yield note(event)
  for await (const page of rest) for (const event of page) yield note(event)
  for (const seq of mismatches) {
    const explanation = await unlessGone(client.call('events.signature', { params: { seq: String(seq) } }))
    if (explanation !== undefined) yield { signature: { seq, explanation } }
  }
}

/** A key or an event may have been deleted by now. */
const unlessGone = async <T>(call: Promise<T>): Promise<T | undefined> => {
  try {
    return await call
  } catch (error) {
    if (error instanceof ControlError) return undefined
    throw error
  }
}

import { isSignatureMismatch } from '../core/contract/events.ts'
import { MAIN_WORKSPACE } from '../core/protocol/ids.ts'
import { type NewTraceHeader, type TraceEntry, writeTrace } from '../views/trace/write-trace.ts'
import { type ControlClient, ControlError } from './client.ts'

/** `title`: the trace's subject, if it is not the workspace. */
type SavedTrace = Pick<NewTraceHeader, 'saved' | 'workspace'> & { readonly title?: string }

const PAGE = 10_000
/** Explanations are read by a person, who would not read more. */
const MAX_SIGNATURES = 100

/** Returns the events of a client's workspace as a `.handset` file. */
export const saveTrace = async (
  client: ControlClient,
  { title = '', workspace, ...about }: SavedTrace,
): Promise<Uint8Array<ArrayBuffer>> => {
  // `bench.info` exists only at the bench's own address, not at a workspace's.
  const { version } = await client.workspace(MAIN_WORKSPACE).call('bench.info')
  const { rps } = await client.call('rps.list')
  return writeTrace({ handset: version, title, workspace, rps, ...about }, entriesOf(client))
}

async function* entriesOf(client: ControlClient): AsyncGenerator<TraceEntry> {
  const mismatches: number[] = []
  for (let [from, more] = [0, true]; more; ) {
    const page = await client.call('events.list', { query: { after: from, limit: PAGE } })
    for (const event of page.events) {
      if (isSignatureMismatch(event)) {
        mismatches.push(event.seq)
        if (mismatches.length > MAX_SIGNATURES) mismatches.shift()
      }
      yield { event }
    }
    from = page.events.at(-1)?.seq ?? from
    more = page.more && page.events.length > 0
  }
  for (const seq of mismatches) {
    const explanation = await unlessGone(client.call('events.signature', { params: { seq: String(seq) } }))
    if (explanation !== undefined) yield { signature: { seq, explanation } }
  }
}

/** A key or an event may have been deleted by now. */
const unlessGone = <T>(call: Promise<T>): Promise<T | undefined> =>
  call.catch((error: unknown) => {
    if (error instanceof ControlError) return undefined
    throw error
  })

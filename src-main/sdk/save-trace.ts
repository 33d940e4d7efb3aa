import { errors } from '../contract/errors.ts'
import type { BenchEvent } from '../contract/events.ts'
import type { TracedSignature } from '../contract/trace.ts'
import { MAIN_WORKSPACE } from '../protocol/ids.ts'
import { type NewTrace, writeTrace } from '../trace/write-trace.ts'
import { type ControlClient, ControlError } from './client.ts'

export type SavedTrace = Pick<NewTrace['header'], 'title' | 'note' | 'saved'> & {
  /** Only events after this number. */
  readonly after?: number
}

const PAGE = 10_000
/** Each is looked into by hand; nobody looks into more. */
const MOST_SIGNATURES = 100

/** What happened in the workspace of a client, as a `.handset` file. Secrets are not in it: the bench records none. */
export const saveTrace = async (
  client: ControlClient,
  { after = 0, ...about }: SavedTrace,
): Promise<Uint8Array<ArrayBuffer>> => {
  // It answers at the bench's own address alone.
  const { version } = await client.workspace(MAIN_WORKSPACE).call('bench.info')
  const events: BenchEvent[] = []
  for (let from = after; ; ) {
    const page = await client.call('events.list', { query: { after: from, limit: PAGE } })
    events.push(...page.events)
    from = page.events.at(-1)?.seq ?? from
    if (!page.more || page.events.length === 0) break
  }
  const mismatches = events.flatMap((event) =>
    event.kind === 'exchange' && event.response.code === errors.signature_mismatch.code ? [event.seq] : [],
  )
  const signatures: TracedSignature[] = []
  for (const seq of mismatches.slice(-MOST_SIGNATURES)) {
    const explanation = await unlessGone(client.call('events.signature', { params: { seq: String(seq) } }))
    if (explanation !== undefined) signatures.push({ seq, explanation })
  }
  const workspace = events[0]?.workspace ?? ''
  return writeTrace({ header: { handset: version, workspace, ...about }, events, signatures })
}

/** A key or an event may be gone by now. */
const unlessGone = async <T>(call: Promise<T>): Promise<T | undefined> => {
  try {
    return await call
  } catch (error) {
    if (error instanceof ControlError) return undefined
    throw error
  }
}

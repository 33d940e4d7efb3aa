import { setImmediate } from 'node:timers/promises'
import type { Query } from '../../../core/contract/control/routes.ts'
import type { BenchEvent } from '../../../core/contract/events.ts'
import { eventsOfPhone } from '../../../views/report/events-of-phone.ts'
import { isTrouble } from '../../../views/timeline/event-views.ts'
import { type TraceEntry, writeTrace } from '../../../views/trace/write-trace.ts'
import type { Recorder } from '../../harness/recorder.ts'
import type { ControlParts } from '../control-parts.ts'
import { addOpinions, listRpsIfReadable, PAGE_CHARACTERS } from './events-before.ts'
import { explainExchanges } from './explain-exchange.ts'

/** A browser opens a page with more events too slowly. */
const MAX_EVENTS = 3000
const MAX_CHARACTERS = 8 * 1024 * 1024
const MAX_FAILURES = 300
const SLICE = 1000

/** The latest events; if there are more, also earlier ones that show a failure. */
export const readReportEvents = async (recorder: Recorder, workspace: string, after: number) => {
  const { events, more } = recorder.read(workspace, {
    after,
    limit: MAX_EVENTS,
    latest: true,
    characters: MAX_CHARACTERS,
  })
  const first = events[0]?.seq
  if (!more || first === undefined) return { events, leftOut: 0 }
  const failures: BenchEvent[] = []
  let earlier = 0
  for (let last = after; last < first - 1; ) {
    const page = recorder.read(workspace, { after: last, limit: SLICE })
    const before = page.events.filter(({ seq }) => seq < first)
    earlier += before.length
    failures.push(...before.filter(isTrouble))
    if (failures.length > MAX_FAILURES) failures.splice(0, failures.length - MAX_FAILURES)
    const end = before.at(-1)?.seq
    if (end === undefined || before.length < page.events.length || !page.more) break
    last = end
    // Other requests are served in between.
    await setImmediate()
  }
  return { events: [...failures, ...events], leftOut: earlier - failures.length }
}

/** Maximum number of events in one trace; the page and the SDK save a longer trace in several reads. */
const TRACE_EVENTS = 20_000
const MAX_SIGNATURES = 100

export const makeTrace = async (parts: ControlParts, workspace: string, query: Query<'events.trace'>) => {
  const { title = '', after = 0, phone_id } = query
  const { recorder, admin, real, info } = parts
  const limits = { limit: TRACE_EVENTS, latest: true, characters: PAGE_CHARACTERS }
  const kept = recorder.read(workspace, { after, ...limits })
  const found = phone_id === undefined ? kept.events : eventsOfPhone(kept.events, phone_id)
  const events = await addOpinions(admin, workspace, found)
  const earlier = kept.more ? { began_earlier: true as const } : {}
  const named = await listRpsIfReadable(parts, workspace)
  const header = { handset: info.version, title, workspace, saved: Math.round(real.now()), ...earlier, ...named }
  return writeTrace(header, entriesOf(parts, workspace, events))
}

async function* entriesOf(
  parts: ControlParts,
  workspace: string,
  events: readonly BenchEvent[],
): AsyncGenerator<TraceEntry> {
  for (const event of events) yield { event }
  const signatures = await explainExchanges(parts, workspace, { events, most: MAX_SIGNATURES })
  for (const signature of signatures) yield { signature }
}

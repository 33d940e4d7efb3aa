import { setImmediate } from 'node:timers/promises'
import type { BenchEvent } from '../../../core/contract/events.ts'
import { isTrouble } from '../../../views/report/is-trouble.ts'
import type { Recorder } from '../../harness/recorder.ts'

/** A page of more than that takes a browser long to open. */
const MOST_EVENTS = 3000
const MOST_CHARACTERS = 8 * 1024 * 1024
/** Of what failed before these. */
const MOST_FAILURES = 300
const SLICE = 1000

export type ReportedEvents = {
  readonly events: readonly BenchEvent[]
  /** How many are not among them. */
  readonly leftOut: number
}

/** The latest events; and before them, where not all have room, those in which something failed. */
export const reportedEvents = async (recorder: Recorder, workspace: string, after: number): Promise<ReportedEvents> => {
  const { events, more } = recorder.read(workspace, {
    after,
    limit: MOST_EVENTS,
    latest: true,
    characters: MOST_CHARACTERS,
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
    if (failures.length > MOST_FAILURES) failures.splice(0, failures.length - MOST_FAILURES)
    const end = before.at(-1)?.seq
    if (end === undefined || before.length < page.events.length || !page.more) break
    last = end
    // Other requests are served in between.
    await setImmediate()
  }
  return { events: [...failures, ...events], leftOut: earlier - failures.length }
}

import type { RpState } from '../../../core/contract/control/states.ts'
import type { BenchEvent } from '../../../core/contract/events.ts'
import type { Admin } from '../../../service/admin/create-admin.ts'
import { isAffected } from '../../../views/recording/readings.ts'
import { RECORDED_KINDS } from '../../../views/timeline/event-views.ts'
import type { Recorder } from '../../harness/recorder.ts'
import type { ControlParts } from '../control-parts.ts'

/** A scenario of more events would be too long to read. */
export const RECORDED_EVENTS = 10_000
/** Limit of one answer; the client reads the rest page by page. */
export const PAGE_CHARACTERS = 32 * 1024 * 1024

/** Event members that list a call's faults or conditions. Each such call lowers their remaining counts. */
const STRUCK = ['faults', 'conditions'] as const

/** Events that explain a workspace's state. Includes only those calls that sign in or had faults or conditions. */
export const readStateEvents = (recorder: Recorder, workspace: string, after: number): readonly BenchEvent[] => {
  const matches = ({ seq }: BenchEvent): boolean => seq <= after
  // If there are too many events, only the latest are read: a phone’s last event has its whole state.
  const all = { after: 0, limit: Number.POSITIVE_INFINITY, characters: PAGE_CHARACTERS, latest: true, matches }
  const signIns = recorder.read(workspace, { ...all, kinds: ['exchange'], mentions: ['/app/devices'] }).events
  const changed = STRUCK.flatMap(
    (text) =>
      recorder.read(workspace, {
        ...all,
        ...{ kinds: ['exchange'], mentions: [text] },
        matches: (event) => matches(event) && event.kind === 'exchange' && isAffected(event),
      }).events,
  )
  const others = recorder.read(workspace, { ...all, kinds: RECORDED_KINDS }).events
  const bySeq = new Map([...signIns, ...changed, ...others].map((event) => [event.seq, event]))
  return [...bySeq.values()].sort((one, other) => one.seq - other.seq)
}

/** The RPs, to show their names; absent if they cannot be read. */
export const listRpsIfReadable = async (
  { admin }: Pick<ControlParts, 'admin'>,
  workspace: string,
): Promise<{ readonly rps?: readonly RpState[] }> => {
  const rps = await admin.rps.list(workspace)
  return rps.ok ? { rps: rps.value } : {}
}

/** Second opinions are formed outside of requests and are not recorded. */
export const addOpinions = async (
  { secondOpinions }: Pick<Admin, 'secondOpinions'>,
  workspace: string,
  events: readonly BenchEvent[],
): Promise<readonly BenchEvent[]> => {
  const complete = async (event: BenchEvent): Promise<BenchEvent> => {
    const isOpen = event.kind === 'verdict' && event.second_opinion === undefined
    const second_opinion = isOpen ? await secondOpinions.of(workspace, event.msg_id) : undefined
    return second_opinion === undefined ? event : ({ ...event, second_opinion } as BenchEvent)
  }
  // In parallel, since an opinion of another process takes time.
  return Promise.all(events.map(complete))
}

import type { BenchEvent, EventKind } from '../../../core/contract/events.ts'
import { isStruck } from '../../../views/recording/readings.ts'
import type { Recorder } from '../../harness/recorder.ts'

/** A longer scenario is too long to read. */
export const RECORDED_EVENTS = 10_000
const PAGE_CHARACTERS = 32 * 1024 * 1024

/** Members of calls in which an armed fault or a condition had a hand: both count down with each. */
const STRUCK = ['faults', 'conditions'] as const

const STANDING: readonly EventKind[] = ['message', 'credential', 'device', 'phone', 'clock', 'setting', 'workspace']

/** What tells how a workspace came to be as it is: not what its RPs and phones asked, but for which account a phone signed in. */
export const eventsBefore = (recorder: Recorder, workspace: string, after: number): readonly BenchEvent[] => {
  const matches = ({ seq }: BenchEvent): boolean => seq <= after
  // Of too many the latest: a phone’s last fact has its whole state.
  const all = { after: 0, limit: Number.POSITIVE_INFINITY, characters: PAGE_CHARACTERS, latest: true, matches }
  const signIns = recorder.read(workspace, { ...all, kinds: ['exchange'], mentions: ['/app/devices'] }).events
  const struck = STRUCK.flatMap(
    (text) =>
      recorder.read(workspace, {
        ...all,
        ...{ kinds: ['exchange'], mentions: [text] },
        matches: (event) => matches(event) && event.kind === 'exchange' && isStruck(event),
      }).events,
  )
  const others = recorder.read(workspace, { ...all, kinds: STANDING }).events
  const bySeq = new Map([...signIns, ...struck, ...others].map((event) => [event.seq, event]))
  return [...bySeq.values()].sort((one, other) => one.seq - other.seq)
}

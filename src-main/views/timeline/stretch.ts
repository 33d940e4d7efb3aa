import type { BenchEvent } from '../../core/contract/events.ts'
import { foldTimeline, messageOf } from './event-views.ts'
import { messageOfCall } from './fold/put-row.ts'
import { type Group, groupOf, newTimeline, type Timeline } from './timeline.ts'

/** An RP may read the result of a ceremony for this long after its end. */
const AFTER_MS = 60_000

type Kept = { readonly event: BenchEvent; readonly group: string }

/** Folds events, and keeps the complete ceremonies that began before `end`. */
export const createStretch = ({ end, whole }: { readonly end: number; readonly whole: boolean }) => {
  let timeline: Timeline = newTimeline(whole ? undefined : 0)
  let begins = whole
  let kept: Kept[] = []
  const begun = new Set<string>()
  const open = new Set<string>()
  let resetAt: number | undefined

  const take = (event: BenchEvent): void => {
    if (event.seq >= end) {
      takeLater(event)
      return
    }
    const before = timeline
    timeline = foldTimeline(timeline, event)
    if (event.kind === 'workspace' && event.change !== 'opened') {
      begins = true
      resetAt = event.seq
      kept = []
      begun.clear()
      return
    }
    const group = timeline.groups === before.groups ? subjectOf(before, event) : timeline.touched
    if (group === undefined) return
    if (begins || group === `calls-${event.seq}` || (event.kind === 'message' && event.from === undefined)) {
      if (groupOf(timeline, group) !== undefined) begun.add(group)
    }
    if (begun.has(group)) kept.push({ event, group })
  }

  const takeLater = (event: BenchEvent): void => {
    const group = subjectOf(timeline, event)
    if (group === undefined || !begun.has(group)) return
    timeline = foldTimeline(timeline, event)
    kept.push({ event, group })
  }

  /** No more events of the ceremony follow, because the call that reported its end has been seen too. */
  const isOver = (id: string, wall: number): boolean => {
    const message = groupOf(timeline, id)?.message
    if (message === undefined || (message.endedWall !== undefined && wall > message.endedWall + AFTER_MS)) return true
    return message.delivered && ![...timeline.pending.values()].some(({ msgId }) => msgId === id)
  }

  return {
    take,
    /** A ceremony continues after `end`. Called once at `end`, and then for each event. */
    goesOn: (wall: number): boolean => {
      for (const id of open) {
        if (!isOver(id, wall)) return true
        open.delete(id)
      }
      return false
    },
    ended: (): void => {
      for (const id of begun) if (groupOf(timeline, id)?.message !== undefined) open.add(id)
    },
    resetAt: (): number | undefined => resetAt,
    /** Groups that began in this stretch, oldest first. */
    groups: (): readonly Group[] => [...timeline.groups].filter(({ id }) => begun.has(id)),
    eventsOf: (groups: ReadonlySet<string>): readonly BenchEvent[] =>
      kept.filter(({ group }) => groups.has(group)).map(({ event }) => event),
  }
}

const subjectOf = (timeline: Timeline, event: BenchEvent): string | undefined =>
  event.kind === 'exchange'
    ? (timeline.pending.get(event.request.id)?.msgId ?? messageOfCall(timeline, event))
    : messageOf(event)

import { setImmediate as turn } from 'node:timers/promises'
import type { Data, Query } from '../../../core/contract/control/routes.ts'
import { type Refusal, refuse } from '../../../core/contract/errors.ts'
import { en } from '../../../core/messages/en/en.ts'
import { timelineWords as english } from '../../../core/messages/en/timeline-words.ts'
import { timelineWords as chinese } from '../../../core/messages/zh/timeline-words.ts'
import { zh } from '../../../core/messages/zh/zh.ts'
import { err, ok, orNothing, type Result } from '../../../core/protocol/result.ts'
import { briefEvent, FOLDED_KINDS } from '../../../views/timeline/event-views.ts'
import { createFilter, type Filter } from '../../../views/timeline/filter.ts'
import { type Chip, type SearchContext, termsOf } from '../../../views/timeline/search-terms.ts'
import { createStretch } from '../../../views/timeline/stretch.ts'
import type { Group } from '../../../views/timeline/timeline.ts'
import type { ControlParts } from '../handler.ts'
import { addOpinions, listRpsIfReadable } from './reported-events.ts'

const DEFAULT_LIMIT = 2000
/** Events that one request searches: they take a tenth of a second. */
const SEARCHED = 10_000
/** Other requests run between slices. */
const SLICE = 200
/** Maximum number of events after a stretch that are read to complete its ceremonies. */
const MAX_EVENTS_BEYOND = 40_000

type Found = Data<'events.ceremonies'>

/** The ceremonies of one stretch of the events, folded and filtered as the page does it. */
export const findCeremonies = async (
  { recorder, admin }: Pick<ControlParts, 'recorder' | 'admin'>,
  workspace: string,
  query: Query<'events.ceremonies'>,
): Promise<Result<Found, Refusal>> => {
  const around = await surroundingsOf({ admin }, workspace, query)
  if (!around.ok) return around
  const filter = createFilter(query.search ?? '', around.value)
  const { limit = DEFAULT_LIMIT, before } = query
  const { first_seq, last_seq } = recorder.read(workspace, { limit: 1 })
  const end = Math.min(before ?? last_seq + 1, last_seq + 1)
  const start = Math.max(first_seq, end - (filter === undefined && limit > 0 ? limit : SEARCHED))
  const stretch = createStretch({ end, whole: start <= first_seq })
  let after = start - 1
  let beyond = 0
  reading: for (let isPast = false; ; await turn()) {
    const page = recorder.read(workspace, { after, limit: SLICE, kinds: FOLDED_KINDS })
    for (const event of page.events) {
      after = event.seq
      if (event.seq >= end && !isPast) {
        isPast = true
        stretch.ended()
      }
      if (isPast && (++beyond > MAX_EVENTS_BEYOND || !stretch.goesOn(event.wall))) break reading
      stretch.take(event)
    }
    if (!page.more) break
  }
  const from = stretch.resetAt() ?? start
  const groups = stretch.groups()
  const chosen = newest(groups, { filter, limit, from })
  const events = stretch.eventsOf(chosen.ids).map(briefEvent)
  return ok({
    events: await addOpinions(admin, workspace, events),
    from: chosen.from,
    groups: chosen.groups,
    chips: chipsOf(groups.slice(groups.length - chosen.groups), around.value),
    more: chosen.from > from || (stretch.resetAt() === undefined && start > first_seq),
    first_seq,
    last_seq,
  })
}

type Wanted = { readonly filter: Filter | undefined; readonly limit: number; readonly from: number }

const newest = (groups: readonly Group[], { filter, limit, from }: Wanted) => {
  const ids = new Set<string>()
  if (limit === 0) return { ids, groups: groups.length, from }
  let room = limit
  let count = 0
  for (const group of groups.toReversed()) {
    const fits = filter === undefined || filter(group).rows.length > 0
    const size = [...group.rows].reduce((sum, { seqs }) => sum + seqs.length, 0)
    if (fits && size > room && ids.size > 0)
      return { ids, groups: count, from: groups[groups.length - count]?.seq ?? from }
    count += 1
    if (!fits) continue
    room -= size
    ids.add(group.id)
  }
  return { ids, groups: count, from }
}

const chipsOf = (groups: readonly Group[], around: SearchContext): Found['chips'] => {
  const count = (chip: Chip): number => {
    const { fitsGroup, fitsRow } = termsOf(chip, around)
    return groups.filter((group) => fitsGroup(group) && [...group.rows].some((row) => fitsRow(row, group))).length
  }
  return {
    failed: count('is:failed'),
    refused: count('is:refused'),
    faulted: count('is:faulted'),
    mine: count('is:mine'),
  }
}

const surroundingsOf = async (
  { admin }: Pick<ControlParts, 'admin'>,
  workspace: string,
  { search = '', language = 'en', time_zone = 'UTC', page = '' }: Query<'events.ceremonies'>,
): Promise<Result<SearchContext, Refusal>> => {
  const clock = timeFormatterIn(time_zone)
  if (clock === undefined) return err(refuse('invalid_parameter'))
  // Only a search needs names; without one, the page need not wait for them.
  const { rps = [] } = search.trim() === '' ? {} : await listRpsIfReadable({ admin }, workspace)
  const names = new Map(rps.map(({ id, name }) => [id, name]))
  return ok({
    rpName: (id) => names.get(id) ?? id,
    page: () => page,
    words: language === 'zh' ? chinese : english,
    sentences: language === 'zh' ? zh : en,
    clock,
  })
}

/** Undefined for an unknown zone. */
const timeFormatterIn = (timeZone: string): SearchContext['clock'] | undefined => {
  const two = '2-digit'
  const format = orNothing(() => new Intl.DateTimeFormat('en-GB', { hour: two, minute: two, second: two, timeZone }))
  return format && ((time) => format.format(time))
}

import { Series } from './series.ts'
import type { Group, GroupPlaces, OwnCalls, Timeline } from './timeline.ts'

/** Adds earlier ceremonies in order; before `from`, some are still missing. */
export const withOlder = (timeline: Timeline, older: Timeline, from: number | undefined): Timeline => {
  const groups = new Map([...timeline.groups].map((group) => [group.id, group]))
  for (const group of older.groups) {
    const known = groups.get(group.id)
    groups.set(group.id, known === undefined ? group : joined(group, known))
  }
  return arranged(
    {
      ...timeline,
      places: { ...timeline.places, repeats: new Map([...older.places.repeats, ...timeline.places.repeats]) },
      from,
      newest: { ...older.newest, ...timeline.newest },
      own: ownOf(older.own, timeline.own),
    },
    [...groups.values()].sort((one, other) => one.seq - other.seq),
  )
}

const ownOf = (earlier: OwnCalls, later: OwnCalls): OwnCalls => ({
  any: earlier.any || later.any,
  byKey: { ...earlier.byKey, ...later.byKey },
  byRp: {
    ...earlier.byRp,
    ...Object.fromEntries(Object.entries(later.byRp).map(([rp, own]) => [rp, { ...earlier.byRp[rp], ...own }])),
  },
})

/** Adds earlier ceremonies that are not adjacent; those in between are still missing. */
export const withIsland = (timeline: Timeline, older: Timeline): Timeline => withOlder(timeline, older, timeline.from)

/** Removes the ceremonies before `from`, which a search or an address added, except `keep`. */
export const withoutIslands = (timeline: Timeline, keep: string | undefined): Timeline => {
  const { from } = timeline
  if (from === undefined) return timeline
  const groups = [...timeline.groups]
  const left = groups.filter(({ seq, id }) => seq >= from || id === keep)
  return left.length === groups.length ? timeline : arranged(timeline, left)
}

/** Joins two parts of a ceremony, of which `later` lacks the beginning. */
const joined = (earlier: Group, later: Group): Group => {
  const last = earlier.rows.at(-1)?.id ?? 0
  const rows = [...earlier.rows, ...[...later.rows].filter(({ id }) => id > last)]
  const { message: before } = earlier
  const { message: after } = later
  const isLater = (later.rows.at(-1)?.id ?? 0) > last
  const message =
    before && after && isLater
      ? { ...before, ...after, startedWall: before.startedWall, startedBench: before.startedBench }
      : (before ?? after)
  return { ...earlier, rows: Series.from(rows), ...(message === undefined ? {} : { message }) }
}

const arranged = (timeline: Timeline, groups: readonly Group[]): Timeline => {
  const places: GroupPlaces = { ...timeline.places, ofGroup: new Map(), ofRow: new Map(), ofDevice: new Map() }
  let held = 0
  groups.forEach(({ id, rows, message }, place) => {
    places.ofGroup.set(id, place)
    if (message?.deviceId !== undefined) places.ofDevice.set(message.deviceId, place)
    for (const row of rows) {
      places.ofRow.set(row.id, place)
      if (row.kind === 'exchange') held += row.seqs.length
    }
  })
  return { ...timeline, groups: Series.from(groups), places, left: timeline.exchanges - held }
}

/** Number of groups that a search or a link added before the complete part. */
export const countIslands = ({ groups, from = 0 }: Timeline): number => {
  let count = 0
  for (const { seq } of groups) {
    if (seq >= from) break
    count += 1
  }
  return count
}

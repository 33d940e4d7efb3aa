import {
  CHIPS,
  type Chip,
  type ChipCounts,
  chipCounts,
  type Surroundings,
  termsOf,
} from '../../src-main/views/timeline/search-terms.ts'
import type { Series } from '../../src-main/views/timeline/series.ts'
import { type Group, newTimeline, type Row, type Timeline } from '../../src-main/views/timeline/timeline.ts'

/** The chips that fit a group, and up to where its rows were looked at. */
type Fitting = { readonly chips: readonly Chip[]; readonly of: Series<Row> }

/**
 * Counts the groups that each chip would leave, of those in the timeline; only changed groups cost anything. `since`:
 * only complete groups that began there or later; the service has counted the others.
 */
export const createChipCounts = (around: Surroundings): ((timeline: Timeline, since?: number) => ChipCounts) => {
  const terms = CHIPS.map((chip) => ({ chip, ...termsOf(chip, around) }))
  let timeline = newTimeline()
  let fitting = new Map<number, Fitting>()
  let counts = chipCounts(() => 0)
  let border: number | undefined

  const add = (chips: readonly Chip[], by: 1 | -1): void => {
    if (chips.length > 0) counts = chipCounts((chip) => counts[chip] + (chips.includes(chip) ? by : 0))
  }

  /** A row does not change; later changes of the message apply to its last row as well. */
  const fits = (group: Group, before: Fitting | undefined): Fitting => {
    const rows =
      before === undefined
        ? [...group.rows]
        : [...rowsOf(group, group.rows.changedSince(before.of)), ...group.rows.latest(1)]
    const chips = terms
      .filter(({ fitsGroup }) => fitsGroup(group))
      .filter(({ chip, fitsRow }) => before?.chips.includes(chip) || rows.some((row) => fitsRow(row, group)))
    return { chips: chips.map(({ chip }) => chip), of: group.rows }
  }

  const look = (place: number): void => {
    const group = timeline.groups.get(place)
    const before = fitting.get(place)
    if (before !== undefined) add(before.chips, -1)
    fitting.delete(place)
    if (group === undefined || (border !== undefined && (group.cut === true || group.seq < border))) return
    const after = fits(group, before)
    fitting.set(place, after)
    add(after.chips, 1)
  }

  return (next, since) => {
    const before = timeline
    timeline = next
    const sameBorder = since === border
    border = since
    if (next === before && sameBorder) return counts
    const { first, end } = next.groups
    // Older ones came in front, or a user stopped it.
    if (!sameBorder || next.places !== before.places || end < before.groups.end) {
      fitting = new Map()
      counts = chipCounts(() => 0)
      for (let place = first; place < end; place++) look(place)
      return counts
    }
    for (let place = before.groups.first; place < Math.min(first, before.groups.end); place++) look(place)
    for (const place of next.groups.changedSince(before.groups)) look(place)
    return counts
  }
}

function* rowsOf({ rows }: Group, places: Iterable<number>): Generator<Row> {
  for (const place of places) {
    const row = rows.get(place)
    if (row !== undefined) yield row
  }
}

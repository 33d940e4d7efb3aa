import type { MessageState } from '../../../core/protocol/message-state.ts'
import { lookOf } from '../look.ts'
import { type Group, groupOf, isPoll, type Row, type Timeline } from '../timeline.ts'
import { putGroup } from './put-group.ts'

/** A row before it is known what it looks like. */
export type Draft = Omit<Row, 'look'>

/** Adds the row, or folds it into the one before when both are the same call with the same outcome. */
export const addRow = (timeline: Timeline, groupId: string, row: Draft): Timeline => {
  const group = groupOf(timeline, groupId)
  if (group === undefined) return timeline
  const last = group.rows.at(-1)
  if (last !== undefined && isSamePoll(last, row)) {
    return putRow(timeline, group, {
      ...row,
      id: last.id,
      wall: last.wall,
      seqs: last.seqs.append(row.seqs.at(-1) ?? row.id),
      ...(last.before === undefined ? {} : { before: last.before }),
    })
  }
  const next = putGroup(timeline, { ...group, rows: group.rows.append(looking(row)) })
  next.places.ofRow.set(row.id, next.places.ofGroup.get(groupId) ?? -1)
  return next
}

/** A poll that a fault struck stands by itself. */
const isSamePoll = (last: Draft, row: Draft): boolean =>
  isPoll(row) &&
  isPoll(last) &&
  last.route === row.route &&
  last.code === row.code &&
  last.struck === undefined &&
  row.struck === undefined

/** In the place of the group's last row. */
export const putRow = (timeline: Timeline, group: Group, row: Draft): Timeline =>
  putGroup(timeline, { ...group, rows: group.rows.put(group.rows.end - 1, looking(row)) })

/** The words are the look's own, so that a hundred thousand rows do not each keep theirs. */
const looking = (row: Draft): Row => {
  const look = lookOf(row)
  return { ...row, route: look.route, method: look.method, path: look.path, look }
}

/** The message’s lane beside a row. */
export const ribbon = (
  before: MessageState | undefined,
  after: MessageState | undefined,
  { ended, moved }: { readonly ended: boolean; readonly moved?: MessageState },
): Pick<Row, 'before' | 'after' | 'moved'> => ({
  ...(before === undefined ? {} : { before }),
  ...(ended || after === undefined ? {} : { after }),
  ...(moved === undefined ? {} : { moved }),
})

export const lastState = (group: Group): MessageState | undefined => group.rows.at(-1)?.after

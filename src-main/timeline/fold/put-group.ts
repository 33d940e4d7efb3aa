import { type Group, groupOf, type Message, type Timeline } from '../timeline.ts'

/** Somewhat more than the service keeps; what is older leaves the page, group by group. */
const MOST_EXCHANGES = 120_000

export const putGroup = (timeline: Timeline, group: Group): Timeline => {
  const { groups, places } = timeline
  const known = groupOf(timeline, group.id) !== undefined
  const place = known ? (places.ofGroup.get(group.id) ?? groups.end) : groups.end
  places.ofGroup.set(group.id, place)
  const device = group.message?.deviceId
  if (device !== undefined && place > (places.ofDevice.get(device) ?? -1)) places.ofDevice.set(device, place)
  return { ...timeline, groups: known ? groups.put(place, group) : groups.append(group) }
}

export const changeMessage = (timeline: Timeline, msgId: string, change: Partial<Message>): Timeline => {
  const group = groupOf(timeline, msgId)
  if (group?.message === undefined) return timeline
  return putGroup(timeline, { ...group, message: { ...group.message, ...change } })
}

/** The oldest groups leave when there are too many exchanges. */
export const leave = (timeline: Timeline): Timeline => {
  const oldest = timeline.groups.at(0)
  if (timeline.exchanges - timeline.left <= MOST_EXCHANGES || oldest === undefined || timeline.groups.length === 1) {
    return timeline
  }
  const { ofGroup, ofRow } = timeline.places
  ofGroup.delete(oldest.id)
  let left = timeline.left
  for (const row of oldest.rows) {
    ofRow.delete(row.id)
    if (row.kind === 'exchange') left += row.seqs.length
  }
  return leave({ ...timeline, groups: timeline.groups.shift(), left })
}

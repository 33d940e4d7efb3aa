import { type Group, groupOf, type Message, type Timeline } from '../timeline.ts'

export const putGroup = (timeline: Timeline, group: Group): Timeline => {
  const { groups, places } = timeline
  const known = groupOf(timeline, group.id) !== undefined
  const place = known ? (places.ofGroup.get(group.id) ?? groups.end) : groups.end
  places.ofGroup.set(group.id, place)
  const device = group.message?.deviceId
  if (device !== undefined && place > (places.ofDevice.get(device) ?? -1)) places.ofDevice.set(device, place)
  return { ...timeline, touched: group.id, groups: known ? groups.put(place, group) : groups.append(group) }
}

export const changeMessage = (timeline: Timeline, msgId: string, change: Partial<Message>): Timeline => {
  const group = groupOf(timeline, msgId)
  if (group?.message === undefined) return timeline
  return putGroup(timeline, { ...group, message: { ...group.message, ...change } })
}

/** The oldest groups leave when there are too many exchanges. */
export const leave = (timeline: Timeline): Timeline => {
  const oldest = timeline.groups.at(0)
  if (timeline.exchanges - timeline.left <= timeline.most || oldest === undefined || timeline.groups.length === 1) {
    return timeline
  }
  const { ofGroup, ofRow } = timeline.places
  ofGroup.delete(oldest.id)
  let left = timeline.left
  for (const row of oldest.rows) {
    ofRow.delete(row.id)
    if (row.kind === 'exchange') left += row.seqs.length
  }
  const groups = timeline.groups.shift()
  const from = Math.max(timeline.from ?? 0, groups.at(0)?.seq ?? 0)
  return leave({ ...timeline, groups, left, from })
}

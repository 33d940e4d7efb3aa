import type { Pending, Timeline } from '../timeline.ts'

/** Keeps what an exchange brought about until that exchange is seen itself. */
export const wait = (timeline: Timeline, cause: string, more: Partial<Pending> & Pick<Pending, 'msgId'>): Timeline => {
  const before = timeline.pending.get(cause) ?? { ended: false, pushes: [] }
  return { ...timeline, pending: new Map(timeline.pending).set(cause, { ...before, ...more }) }
}

export const without = (pending: Timeline['pending'], id: string): Timeline['pending'] => {
  if (!pending.has(id)) return pending
  const rest = new Map(pending)
  rest.delete(id)
  return rest
}

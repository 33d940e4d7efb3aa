import type { EventDraft } from '../contract/events.ts'

/** Which of the service's calls the bench's own RP simulator made, and who asked it to. */
export type SimulatedCalls = {
  /** The simulator is about to send a request with this Authorization header. */
  announce(workspace: string, call: { readonly authorization: string; readonly askedBy: string }): void
  /** The event of an announced call says who asked for it; every other event stays as it is. */
  mark(workspace: string, draft: EventDraft): EventDraft
}

/** A call that never reaches the service is never marked: only so many are waited for. */
const MOST_WAITING = 1_000

export const createSimulatedCalls = (): SimulatedCalls => {
  // Two requests of one second can carry the same signature, and each is announced.
  const waiting = new Map<string, readonly string[]>()
  const keyOf = (workspace: string, authorization: string): string => `${workspace} ${authorization}`
  return {
    announce: (workspace, { authorization, askedBy }) => {
      const key = keyOf(workspace, authorization)
      waiting.set(key, [...(waiting.get(key) ?? []), askedBy])
      for (const oldest of waiting.keys()) {
        if (waiting.size <= MOST_WAITING) break
        waiting.delete(oldest)
      }
    },
    mark: (workspace, draft) => {
      if (waiting.size === 0 || draft.kind !== 'exchange' || draft.interface !== 'rp') return draft
      const header = draft.request.headers.find(([name]) => name.toLowerCase() === 'authorization')
      const key = keyOf(workspace, header?.[1] ?? '')
      const [askedBy, ...rest] = waiting.get(key) ?? []
      if (askedBy === undefined) return draft
      if (rest.length === 0) waiting.delete(key)
      else waiting.set(key, rest)
      return { ...draft, asked_by: askedBy }
    },
  }
}

import type { EventDraft, ExchangeFact } from '../../core/contract/events.ts'

/** Facts about a simulated call that the service cannot know, for its event. */
export type Marks = Pick<ExchangeFact, 'asked_by' | 'resent'>

/** Recognises an RP's call when it arrives; without a signature, by its request line. */
export type RpCall = { readonly authorization: string; readonly method?: string; readonly target?: string }

type Announced = {
  readonly marks: Marks
  /** Gets the id of the request, before its event is recorded. */
  readonly onCame?: (requestId: string) => void
}

/** Which of the service's calls the bench itself made, and for whom. */
export type SimulatedCalls = {
  /** A request of an RP is about to be sent. */
  announce(workspace: string, call: RpCall & Announced): void
  /** A phone is about to answer this message. Returns a function that cancels. */
  announceAnswer(workspace: string, answer: { readonly msgId: string } & Announced): () => void
  /** The event of an announced call says what was announced; every other event stays as it is. */
  mark(workspace: string, draft: EventDraft): EventDraft
}

/** A call that never reaches the service is never marked: only so many are waited for. */
const MOST_WAITING = 1_000

export const createSimulatedCalls = (): SimulatedCalls => {
  // Two requests of one second can carry the same signature, and each is announced.
  const waiting = new Map<string, readonly Announced[]>()

  const add = (key: string, announced: Announced): void => {
    waiting.set(key, [...(waiting.get(key) ?? []), announced])
    for (const oldest of waiting.keys()) {
      if (waiting.size <= MOST_WAITING) break
      waiting.delete(oldest)
    }
  }

  return {
    announce: (workspace, { marks, onCame, ...call }) => add(keyOfCall(workspace, call), { marks, ...heard(onCame) }),
    announceAnswer: (workspace, { msgId, marks, onCame }) => {
      const key = keyOfAnswer(workspace, msgId)
      add(key, { marks, ...heard(onCame) })
      return () => void waiting.delete(key)
    },
    mark: (workspace, draft) => {
      if (waiting.size === 0 || draft.kind !== 'exchange') return draft
      const key = keyOfDraft(workspace, draft)
      const [announced, ...rest] = (key && waiting.get(key)) || []
      if (key === undefined || announced === undefined) return draft
      if (rest.length === 0) waiting.delete(key)
      else waiting.set(key, rest)
      announced.onCame?.(draft.request.id)
      return { ...draft, ...announced.marks }
    },
  }
}

const heard = (onCame: Announced['onCame']) => (onCame === undefined ? {} : { onCame })

const keyOfAnswer = (workspace: string, msgId: string): string => `${workspace} answer ${msgId}`

/** An event shows no Authorization but a signature. */
const keyOfCall = (workspace: string, { authorization, method, target }: RpCall): string =>
  `${workspace} ${authorization.startsWith('SVC-') ? authorization : `${method} ${target}`}`

const keyOfDraft = (workspace: string, draft: Extract<EventDraft, { kind: 'exchange' }>): string | undefined => {
  const { request, msg_id: msgId } = draft
  if (draft.interface === 'app') {
    const isAnswer = msgId !== undefined && /\/(attestation|assertion)$/.test(request.route ?? '')
    return isAnswer ? keyOfAnswer(workspace, msgId) : undefined
  }
  const { method, target } = request
  const header = request.headers.find(([name]) => name.toLowerCase() === 'authorization')
  return keyOfCall(workspace, { authorization: header?.[1] ?? '', method, target })
}

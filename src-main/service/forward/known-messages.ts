import type { Actor, EventDraft, MessageFact } from '../../core/contract/events.ts'
import type { RpOperation } from '../../core/contract/rp/routes.ts'
import { isObject, type JsonObject } from '../../core/protocol/json.ts'
import { messageIdOf } from '../../core/protocol/message-address.ts'
import { isReportedOnce, MESSAGE_STATES, type MessageState } from '../../core/protocol/message-state.ts'
import type { Subject } from '../conditions/subject.ts'
import type { ParsedInput } from '../request/parse-input.ts'

/** Messages of another service, known from forwarded calls. */
export type KnownMessages = {
  subjectOf(input: ParsedInput | undefined): Subject
  /** Finds the message in the data of a success, and its new events since the last answer about it. */
  heard(told: ToldData): { readonly msg_id?: string; readonly happened: readonly EventDraft[] }
}

type ToldData = {
  readonly operation: RpOperation
  readonly input: ParsedInput
  readonly rp: string | undefined
  readonly data: unknown
}

const MOST_KEPT = 10_000

export const createKnownMessages = (): KnownMessages => {
  const known = new Map<string, MessageFact>()

  const keep = (fact: MessageFact): void => {
    known.set(fact.msg_id, fact)
    const [oldest] = known.keys()
    if (known.size > MOST_KEPT && oldest !== undefined) known.delete(oldest)
  }

  const opened = ({ operation, input, rp, data }: ToldData & { readonly data: JsonObject }) => {
    const msg_id = typeof data.url === 'string' ? messageIdOf(data.url) : ''
    const { user_id, username, method } = input.body
    if (msg_id === '' || typeof user_id !== 'string') return { happened: [] }
    const fact: MessageFact = {
      kind: 'message',
      msg_id,
      ceremony: operation === 'attestation.options' ? 'registration' : 'authentication',
      to: 'init',
      rp_id: rp ?? '',
      user_id,
      username: typeof username === 'string' ? username : '',
      ...(method === 'qrcode' || method === 'push' ? { method } : {}),
      url: String(data.url),
      expires_at: typeof data.expires_at === 'number' ? data.expires_at * 1000 : 0,
    }
    keep(fact)
    const actor: Actor = rp === undefined ? { kind: 'rp' } : { kind: 'rp', id: rp }
    return { msg_id, happened: [{ ...fact, actor }] }
  }

  const moved = (msg_id: string, data: JsonObject) => {
    const before = known.get(msg_id)
    const to = MESSAGE_STATES.find((state) => state === data.status)
    if (before === undefined || to === undefined || to === before.to) return { msg_id, happened: [] }
    const fact: MessageFact = {
      ...before,
      from: before.to,
      to,
      ...(isGiven(data.svc_user) ? { svc_user: data.svc_user } : {}),
      ...(isGiven(data.error) ? { error: data.error } : {}),
    }
    keep(fact)
    return { msg_id, happened: [{ ...fact, actor: SERVICE }, ...deliveryOf(msg_id, to)] }
  }

  return {
    subjectOf: (input) => {
      if (input === undefined) return {}
      const { query, body } = input
      const msg_id = query.msg_id ?? query.id
      if (typeof msg_id === 'string') return { msg_id, user_id: known.get(msg_id)?.user_id }
      const user_id = body.user_id ?? query.user_id
      return typeof user_id === 'string' ? { user_id } : {}
    },
    heard: (told) => {
      const { operation, input, data } = told
      if (!isObject(data)) return { happened: [] }
      if (operation === 'attestation.options' || operation === 'assertion.options') return opened({ ...told, data })
      const msg_id = input.query.msg_id ?? input.query.id
      return typeof msg_id === 'string' ? moved(msg_id, data) : { happened: [] }
    },
  }
}

const SERVICE: Actor = { kind: 'service' }

const isGiven = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** A final state is delivered when the RP reads it. */
const deliveryOf = (msg_id: string, state: MessageState): readonly EventDraft[] =>
  isReportedOnce(state) ? [{ kind: 'delivery', msg_id, state, actor: { kind: 'rp' } }] : []

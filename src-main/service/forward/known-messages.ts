import type { Refusal } from '../../contract/errors.ts'
import { isObject } from '../../protocol/json.ts'
import { messageIdOf } from '../../protocol/message-address.ts'
import type { Result } from '../../protocol/result.ts'
import type { Subject } from '../conditions/subject.ts'
import type { ParsedInput } from '../request/parse-input.ts'

/** Whose message is whose, as far as it went past here: another service keeps them. */
export type KnownMessages = {
  subjectOf(input: ParsedInput | undefined): Subject
  /** The message that an answer opens, if it opens one. */
  heard(input: ParsedInput | undefined, result: Result<unknown, Refusal>): string | undefined
}

const MOST_KEPT = 10_000

export const createKnownMessages = (): KnownMessages => {
  const users = new Map<string, string>()
  return {
    subjectOf: (input) => {
      if (input === undefined) return {}
      const { query, body } = input
      const msg_id = query.msg_id ?? query.id
      if (typeof msg_id === 'string') return { msg_id, user_id: users.get(msg_id) }
      const user_id = body.user_id ?? query.user_id
      return typeof user_id === 'string' ? { user_id } : {}
    },
    heard: (input, result) => {
      if (!result.ok || !isObject(result.value) || typeof result.value.url !== 'string') return undefined
      const msg_id = messageIdOf(result.value.url)
      if (msg_id === '') return undefined
      const user_id = input?.body.user_id
      if (typeof user_id === 'string') users.set(msg_id, user_id)
      const [oldest] = users.keys()
      if (users.size > MOST_KEPT && oldest !== undefined) users.delete(oldest)
      return msg_id
    },
  }
}

import type { ControlMessage } from '../../src-main/core/contract/control/states.ts'
import type { ControlClient } from '../../src-main/sdk/client.ts'
import { groupOf, type Message, type Timeline } from '../../src-main/views/timeline/timeline.ts'

export type UnderWay = Pick<Message, 'msgId' | 'ceremony' | 'username' | 'expiresAt' | 'state'>

/** The messages that the service itself holds open, also those that began before its last start. */
export const askUnderWay = async (client: ControlClient): Promise<{ readonly messages: readonly ControlMessage[] }> => {
  const lists = await Promise.all(
    (['init', 'bind'] as const).map((state) => client.call('messages.list', { query: { state } })),
  )
  return { messages: lists.flatMap(({ messages }) => messages) }
}

/** All that is under way, what expires first in front; where events tell of a message, they know better. */
export const aheadOf = (timeline: Timeline, kept: readonly ControlMessage[]): readonly UnderWay[] =>
  [
    ...[...timeline.groups].flatMap(({ message }) =>
      message !== undefined && message.endedWall === undefined ? [message] : [],
    ),
    ...kept
      .filter(({ id }) => groupOf(timeline, id) === undefined)
      .map(({ id, kind, username, expires_at, state }) => ({
        msgId: id,
        ceremony: kind,
        username,
        expiresAt: expires_at,
        state,
      })),
  ].sort((a, b) => a.expiresAt - b.expiresAt)

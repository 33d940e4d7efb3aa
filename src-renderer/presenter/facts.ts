import type { Message, Row, Timeline } from '../../src-main/views/timeline/timeline.ts'
import type { Facts } from './standing.ts'

/** The requests to this bank since the chapter began. Its set-up is not for the audience. */
export const factsOf = ({ groups }: Timeline, { rp, after }: { readonly rp: string; readonly after: number }) => {
  const messages: Message[] = []
  let revoked = false
  for (const { message, rows } of groups.latest(MOST)) {
    if (message !== undefined) {
      if (message.rpId === rp && message.askedBy !== 'stage' && message.askedBy !== undefined) messages.push(message)
    } else {
      revoked ||= rows.find((row) => isRevocation(row) && row.id > after) !== undefined
    }
  }
  return { messages, revoked } satisfies Facts<Message>
}

const MOST = 2000

const isRevocation = ({ route, code }: Row): boolean => route === 'DELETE rp/credentials' && code === 0

import type { MessageFact } from '../../core/contract/events.ts'
import { encodeMessageAddress } from '../../core/protocol/message-address.ts'
import type { MessageState } from '../../core/protocol/message-state.ts'
import type { MessageRecord } from '../store/records.ts'

/** One state change of a message as an event. */
export const messageFact = (
  message: MessageRecord,
  move: {
    readonly baseUrl: string
    readonly from?: MessageState
    readonly to: MessageState
    readonly svc_user?: string
    readonly device?: string
    readonly error?: string
    readonly credential_id?: string
  },
): MessageFact => {
  const svcUser = move.svc_user ?? message.svc_user
  const device = move.device ?? message.device
  return {
    kind: 'message',
    msg_id: message.id,
    ceremony: message.kind,
    rp_id: message.rp,
    user_id: message.user_id,
    username: message.username,
    ...(message.method === undefined ? {} : { method: message.method }),
    ...(move.from === undefined ? {} : { from: move.from }),
    to: move.to,
    url: encodeMessageAddress({ baseUrl: move.baseUrl, kind: message.kind, msgId: message.id }),
    expires_at: message.expires_at,
    ...(svcUser === '' ? {} : { svc_user: svcUser }),
    ...(device === undefined ? {} : { device_id: device }),
    ...(move.error === undefined ? {} : { error: move.error }),
    ...(move.credential_id === undefined ? {} : { credential_id: move.credential_id }),
  }
}

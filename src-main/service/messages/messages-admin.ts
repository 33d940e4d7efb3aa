import type { ControlMessage, MessageVerdict } from '../../core/contract/control/states.ts'
import { notFound, refuse } from '../../core/contract/errors.ts'
import { encodeMessageAddress } from '../../core/protocol/message-address.ts'
import { err, ok } from '../../core/protocol/result.ts'
import { type Admin, inWorkspace, type Parts } from '../admin/admin.ts'
import type { MessageRecord } from '../store/store.ts'
import { messageFact } from './message-timers.ts'

export const messagesOf = (parts: Parts): Admin['messages'] => {
  const { store, addresses, timers, clock, observe, secondOpinions } = parts.services
  const info = (workspace: string, record: MessageRecord): ControlMessage => {
    const { challenge: _challenge, answer_hash: _hash, account: _account, public_key, verdict, ...rest } = record
    const baseUrl = addresses.baseUrl(workspace)
    return {
      ...rest,
      url: encodeMessageAddress({ baseUrl, kind: record.kind, msgId: record.id }),
      public_key,
      ...(verdict === undefined ? {} : { verdict: verdict as MessageVerdict }),
    }
  }
  const withOpinion = async (workspace: string, id: string, verdict: MessageVerdict): Promise<MessageVerdict> => {
    const second_opinion = verdict.second_opinion ?? (await secondOpinions.of(workspace, id))
    return second_opinion === undefined ? verdict : { ...verdict, second_opinion }
  }
  return {
    list: (workspace, { limit = 100, ...filter } = {}) =>
      inWorkspace(parts, workspace, async () => {
        await timers.expireDue(workspace)
        const records = await store.messages.list(workspace, { ...filter, limit })
        return ok(records.map((record) => info(workspace, record)))
      }),
    get: (workspace, id) =>
      inWorkspace(parts, workspace, async () => {
        await timers.expireDue(workspace)
        const record = await store.messages.get(workspace, id)
        if (record === undefined) return err(notFound('message', id))
        const told = info(workspace, record)
        return ok(
          told.verdict === undefined ? told : { ...told, verdict: await withOpinion(workspace, id, told.verdict) },
        )
      }),
    expire: (workspace, id) =>
      inWorkspace(parts, workspace, async () => {
        await timers.expireDue(workspace)
        const record = await store.messages.get(workspace, id)
        if (record === undefined) return err(notFound('message', id))
        const now = clock(workspace).now()
        if (!(await store.messages.expireEarly(workspace, id, now))) {
          return err(refuse('wrong_state', { code: 'message_is', params: { state: record.state } }))
        }
        const expired: MessageRecord = { ...record, state: 'timeout', expires_at: now }
        const move = { baseUrl: addresses.baseUrl(workspace), from: record.state, to: expired.state }
        observe(workspace, { actor: { kind: 'control' }, ...messageFact(expired, move) })
        return ok(info(workspace, expired))
      }),
    nextExpiry: (workspace) =>
      inWorkspace(parts, workspace, async () => {
        await timers.expireDue(workspace)
        return ok((await store.messages.horizon(workspace)).open ?? null)
      }),
  }
}

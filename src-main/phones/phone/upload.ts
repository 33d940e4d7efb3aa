import type { MessageKind } from '../../core/protocol/message-address.ts'
import type { Result } from '../../core/protocol/result.ts'
import type { AppAnswer } from './app-client.ts'
import type { Send } from './attempt-steps.ts'
import { bendsOf } from './faulty-answer.ts'
import type { PhoneCore } from './phone-core.ts'
import type { OpenPrompt, PreparedAnswer } from './phone-record.ts'
import type { PhoneRefusal } from './phone-refusal.ts'

const VERBS = { registration: 'attestation', authentication: 'assertion' } as const satisfies Record<
  MessageKind,
  string
>

/** Sends the answer where the message wants it; the faults that strike this attempt stand in between. */
export const upload = (
  core: PhoneCore,
  open: OpenPrompt,
  { kind, body, credential_id: credentialId }: PreparedAnswer,
): Promise<Result<AppAnswer, PhoneRefusal>> => {
  const honest: Send = ({ msgId, kind, credentialId: _, ...call }) =>
    core.call({ method: 'POST', path: `/messages/${msgId}/${VERBS[kind]}`, ...call })
  const send = bendsOf(core, open).reduce<Send>((next, bend) => bend(next), honest)
  return send({ msgId: open.prompt.msg_id, kind, body, credentialId })
}

import type { MessageKind } from '../protocol/message-address.ts'
import type { Result } from '../protocol/result.ts'
import type { AppAnswer } from './app-client.ts'
import type { Conduct } from './conduct.ts'
import { faultyUploads } from './faulty-upload.ts'
import type { PhoneCore } from './phone-core.ts'
import type { OpenPrompt, PreparedAnswer } from './phone-record.ts'
import type { PhoneRefusal } from './phone-refusal.ts'

const VERBS = { registration: 'attestation', authentication: 'assertion' } as const satisfies Record<
  MessageKind,
  string
>

export type Upload = {
  readonly msgId: string
  readonly kind: MessageKind
  readonly body: Readonly<Record<string, unknown>>
  /** Another device than the phone's own. */
  readonly token?: string
  readonly conduct?: Conduct
}

export type Send = (upload: Upload) => Promise<Result<AppAnswer, PhoneRefusal>>

/** Sends the answer where the message wants it; the faults that strike this attempt stand in between. */
export const upload = (
  core: PhoneCore,
  { prompt, struck }: OpenPrompt,
  { kind, body }: PreparedAnswer,
): Promise<Result<AppAnswer, PhoneRefusal>> => {
  const honest: Send = ({ msgId, kind, ...call }) =>
    core.call({ method: 'POST', path: `/messages/${msgId}/${VERBS[kind]}`, ...call })
  const send = faultyUploads(core, struck).reduce<Send>((next, bend) => bend(next), honest)
  return send({ msgId: prompt.msg_id, kind, body })
}

import type { Ending } from '../../../core/contract/suite-findings.ts'
import { PhoneError } from '../../../sdk/errors.ts'
import { type Ceremony, notBegun, starts } from '../ceremony.ts'
import type { ShownCode, Visitor } from '../rp-driver.ts'
import { broke, HELD, type Stage, settled, unplayable } from '../stage.ts'

/** The service's answer cannot be shown: the RP refuses to begin, or ends the request in front of its user. */
export const mustRefuse = async (
  stage: Stage,
  visitor: Visitor,
  ceremony: Pick<Ceremony, 'by' | 'user' | 'user_id' | 'phone'>,
): Promise<Ending> => {
  const started = await starts(stage, visitor, ceremony)
  const { begun, message } = started
  if (!begun.ok) return stage.fault === undefined ? unplayable(notBegun(ceremony, begun.refusal)) : HELD
  if (stage.fault === undefined) return message === undefined ? unplayable({ code: 'not_seen' }) : HELD
  const shown = begun.code === undefined ? undefined : await unusable(stage, begun.code)
  if (shown !== undefined) return broke({ code: 'begun_with_unusable_address', params: { shown } })
  if (message !== undefined) await stage.workspace.expire(message.msg_id)
  const state = await settled(stage, visitor, begun)
  return state === 'pending' ? broke({ code: 'waits_for_ever', params: { seconds: stage.patienceMs / 1000 } }) : HELD
}

/** The text of a code that no phone of this service can use. */
const unusable = async (stage: Stage, code: ShownCode): Promise<string | undefined> => {
  if (typeof code === 'string') {
    const isOwn = code.startsWith(`${stage.workspace.baseUrl}/m#`) && /#[ar][\w-]{16,}$/.test(code)
    return isOwn ? undefined : code
  }
  try {
    await (await stage.newPhone()).scan(await code.screenshot())
    return undefined
  } catch (error) {
    if (!(error instanceof PhoneError)) throw error
    // No code at all: the RP showed a picture, and nothing in it.
    return error.code === 'no_code' ? undefined : error.code
  }
}

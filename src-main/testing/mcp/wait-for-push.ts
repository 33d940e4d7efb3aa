import { ControlError } from '../../sdk/client.ts'
import { type Desk, type PhoneState, phoneOf, screenText, ToolProblem } from './desk.ts'

const WAIT_ENDED = 40905

/** A push that is there already is opened at once; a phone that is new cannot get one before it has registered. */
export const waitForPush = async (
  desk: Desk,
  { phone, timeout_s = 30 }: { readonly phone?: string | undefined; readonly timeout_s?: number | undefined },
  signal: AbortSignal,
): Promise<string> => {
  const { client } = desk
  const { last_seq } = await client.call('overview', { signal })
  const before = await phoneOf(desk, phone, signal)
  const push = before.notifications[0]?.msg_id ?? (await arrival(desk, before, { after: last_seq, timeout_s, signal }))
  return screenText(await client.call('phones.open', { params: { id: before.id }, body: { msg_id: push }, signal }))
}

type Wait = { readonly after: number; readonly timeout_s: number; readonly signal: AbortSignal }

const arrival = async (
  { client }: Desk,
  { id, name }: PhoneState,
  { after, timeout_s, signal }: Wait,
): Promise<string> => {
  const match = { kind: 'phone', change: 'pushed', phone_id: id }
  const body = { match, after, timeout_ms: timeout_s * 1000 }
  const event = await client.call('events.wait', { body, signal }).catch((reason: unknown) => {
    if (reason instanceof ControlError && reason.code === WAIT_ENDED)
      throw new ToolProblem(`No push reached ${name} within ${timeout_s} s. Is the user registered with this phone?`)
    throw reason
  })
  const newest = event.kind === 'phone' ? event.phone?.notifications[0] : undefined
  if (newest === undefined) throw new ToolProblem('The push was gone before it could be opened.')
  return newest.msg_id
}

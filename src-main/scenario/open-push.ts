import type { BenchEvent } from '../contract/events.ts'
import type { StepInput } from '../contract/scenario.ts'
import { type BegunMessage, failure, idOf, type ScenarioState, type StepOutcome, shows } from './scenario-state.ts'
import { limitText, startLimit } from './time-limit.ts'
import { waitForEvent } from './wait-for-event.ts'

/**
 * The push of the message that was named, else of the latest sign-in by push; where the scenario began none, any push
 * that reaches the phone since the step before.
 */
export const openPush = async (input: StepInput<'open'>, state: ScenarioState): Promise<StepOutcome> => {
  const params = idOf(state, input)
  const wanted = wantedMessage(state, input)
  const msgId = wanted !== undefined && (await hasPush(state, params, wanted.msg_id)) ? wanted.msg_id : undefined
  if (msgId !== undefined) return open(state, params, msgId)
  const arrived = await waitForEvent(state, {
    match: { kind: 'phone', change: 'pushed', phone_id: params.id },
    fits: (event) => wanted === undefined || pushesIn(event).includes(wanted.msg_id),
    left: startLimit(state, input.until),
  })
  if (!arrived.ok) return failure(`a push on this phone within ${limitText(input.until)}`, arrived.error)
  const newest = wanted?.msg_id ?? pushesIn(arrived.value)[0]
  return newest === undefined
    ? failure('a push on this phone', 'a push that is gone again')
    : open(state, params, newest)
}

const wantedMessage = (state: ScenarioState, { message }: StepInput<'open'>): BegunMessage | undefined => {
  const found = state.messages.get(message ?? '')
  return message === undefined && found?.method !== 'push' ? undefined : found
}

type Phone = { readonly id: string }

const hasPush = async ({ client }: ScenarioState, params: Phone, msgId: string): Promise<boolean> => {
  const { notifications } = await client.call('phones.get', { params })
  return notifications.some(({ msg_id }) => msg_id === msgId)
}

const open = async ({ client }: ScenarioState, params: Phone, msg_id: string): Promise<StepOutcome> =>
  shows((await client.call('phones.open', { params, body: { msg_id } })).screen)

/** The newest comes first. */
const pushesIn = (event: BenchEvent): readonly string[] =>
  event.kind === 'phone' ? (event.phone?.notifications.map(({ msg_id }) => msg_id) ?? []) : []

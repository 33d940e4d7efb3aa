import type { BenchEvent } from '../../core/contract/events.ts'
import type { StepInput } from '../../core/contract/scenario.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { type BegunMessage, idOf, type ScenarioState } from './scenario-state.ts'
import { failure, type StepFailure } from './step-outcome.ts'
import { limitMs, startLimit } from './time-limit.ts'
import { waitForEvent, whatCame } from './wait-for-event.ts'

/**
 * The push of the message that was named, else of the latest sign-in by push; where the scenario began none, any push
 * that reaches the phone since the step before.
 */
export const findPush = async (
  input: Pick<StepInput<'open'>, 'phone' | 'message' | 'until'>,
  state: ScenarioState,
): Promise<Result<string, StepFailure>> => {
  const params = idOf(state, input)
  const wanted = wantedMessage(state, input)
  if (wanted !== undefined && (await hasPush(state, params, wanted.msg_id))) return ok(wanted.msg_id)
  const began = state.cursor
  const arrived = await waitForEvent(state, {
    match: { kind: 'phone', change: 'pushed', phone_id: params.id },
    fits: (event) => wanted === undefined || pushesIn(event).includes(wanted.msg_id),
    left: startLimit(state, input.until),
  })
  if (arrived === undefined) {
    const within_ms = limitMs(input.until)
    return err(failure({ code: 'no_push', params: { within_ms, ...(await whatCame(state, began)) } }))
  }
  const newest = wanted?.msg_id ?? pushesIn(arrived)[0]
  return newest === undefined ? err(failure({ code: 'push_gone' })) : ok(newest)
}

const wantedMessage = (
  state: ScenarioState,
  { message }: Pick<StepInput<'open'>, 'message'>,
): BegunMessage | undefined => {
  const found = state.messages.get(message ?? '')
  return message === undefined && found?.method !== 'push' ? undefined : found
}

type Phone = { readonly id: string }

const hasPush = async ({ client }: ScenarioState, params: Phone, msgId: string): Promise<boolean> => {
  const { notifications } = await client.call('phones.get', { params })
  return notifications.some(({ msg_id }) => msg_id === msgId)
}

/** The newest comes first. */
const pushesIn = (event: BenchEvent): readonly string[] =>
  event.kind === 'phone' ? (event.phone?.notifications.map(({ msg_id }) => msg_id) ?? []) : []

import { wordOf } from '../contract/judge/failure-words.ts'
import type { StepInput } from '../contract/scenario.ts'
import { isFinal } from '../protocol/message-state.ts'
import type { Data } from '../sdk/client.ts'
import { failure, messageOf, refusal, type ScenarioState, type StepOutcome, said } from './scenario-state.ts'
import { limitText, startLimit } from './time-limit.ts'

/** Real time between two polls of an RP that waits for its result. */
const POLL_MS = 100

/** The RP reads the result with its own signed call: once, or with `until` again and again until it is as expected. */
export const expectResult = async (
  { message, until, ...wanted }: StepInput<'expect'>,
  state: ScenarioState,
): Promise<StepOutcome> => {
  const { msg_id } = messageOf(state, message)
  const left = startLimit(state, until)
  const poll = () => state.client.call('simulator.poll', { params: { rp: state.rp, msg_id } })
  let attempt = await poll()
  while (until !== undefined && mayChange(attempt) && differing(attempt, wanted).length > 0 && left() > 0) {
    await state.pause(Math.min(POLL_MS, left()))
    attempt = await poll()
  }
  if (attempt.refusal !== null) return refusal(attempt.refusal)
  const wrong = differing(attempt, wanted)
  if (wrong.length === 0) return said(attempt.error === '' ? attempt.svc_user : attempt.error)
  const got = readingOf(attempt)
  const limit = until === undefined ? '' : ` within ${limitText(until)}`
  return failure(
    `${JSON.stringify(Object.fromEntries(wrong))}${limit}`,
    JSON.stringify(Object.fromEntries(wrong.map(([key]) => [key, got[key as keyof typeof got]]))),
  )
}

type Attempt = Data<'simulator.poll'>
type Wanted = Omit<StepInput<'expect'>, 'message' | 'until'>

/** What was read is the last word on it, when it is final or refused. */
const mayChange = ({ status, refusal: refused }: Attempt): boolean =>
  refused === null ? !isFinal(status) : refused.code === 0

const readingOf = ({ status, error, verified_user_id, svc_user }: Attempt) => ({
  status,
  error: wordOf(error),
  user_id: verified_user_id,
  svc_user,
})

const differing = (attempt: Attempt, wanted: Wanted): readonly (readonly [string, unknown])[] => {
  const got = readingOf(attempt)
  return Object.entries(wanted).filter(([key, value]) => got[key as keyof typeof got] !== value)
}

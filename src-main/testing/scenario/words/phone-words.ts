import type { BenchEvent } from '../../../core/contract/events.ts'
import type { phoneSteps } from '../../../core/contract/scenario/bench-steps.ts'
import type { StepInput } from '../../../core/contract/scenario.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import type { Body, ControlPhone } from '../../../sdk/client.ts'
import { makeScenarioPhone } from '../make-parts.ts'
import { findMismatch } from '../patterns/mismatch.ts'
import { qrPicture } from '../qr-picture.ts'
import { findMessage, findPhone, phoneIdParam, type ScenarioState, screenOutcome } from '../scenario-state.ts'
import { badInput, failure, type StepFailure, type StepOutcome, success, withText } from '../step-outcome.ts'
import { limitInMs, startLimit } from '../time-limit.ts'
import { listReceived, waitForEvent } from '../wait-for-event.ts'
import { armedOutcome, oneCredential, type StepHandlers } from './word.ts'

type OnScreen = `phones.${'approve' | 'fail-fingerprint' | 'home' | 'lose' | 'reject' | 'sign-out' | 'sync' | 'wipe'}`

/** A call with the step's fields, which ends with what the phone shows. */
const onScreen =
  (call: OnScreen) =>
  async ({ phone, ...body }: { readonly phone: string }, state: ScenarioState): Promise<StepOutcome> =>
    screenOutcome(await state.client.call(call, { params: phoneIdParam(state, { phone }), body } as never))

/**
 * The push of the named message, or else of the latest sign-in by push. If the scenario began no such sign-in, any
 * push that has reached the phone since the previous step counts.
 */
const findPush = async (
  input: Pick<StepInput<'open'>, 'phone' | 'message' | 'until'>,
  state: ScenarioState,
): Promise<Result<string, StepFailure>> => {
  const params = phoneIdParam(state, input)
  const wanted = wantedMessage(state, input)
  if (wanted !== undefined && (await hasPush(state, params, wanted.msg_id))) return ok(wanted.msg_id)
  const began = state.cursor
  const arrived = await waitForEvent(state, {
    match: { kind: 'phone', change: 'pushed', phone_id: params.id },
    fits: (event) => wanted === undefined || pushesIn(event).includes(wanted.msg_id),
    left: startLimit(state, input.until),
  })
  if (arrived === undefined) {
    const within_ms = limitInMs(input.until)
    return err(failure({ code: 'no_push', params: { within_ms, ...(await listReceived(state, began)) } }))
  }
  const newest = wanted?.msg_id ?? pushesIn(arrived)[0]
  return newest === undefined ? err(failure({ code: 'push_gone' })) : ok(newest)
}

const wantedMessage = (state: ScenarioState, { message }: Pick<StepInput<'open'>, 'message'>) => {
  const found = state.messages.get(message ?? '')
  return message === undefined && found?.method !== 'push' ? undefined : found
}

const hasPush = async ({ client }: ScenarioState, params: { readonly id: string }, msgId: string): Promise<boolean> => {
  const { notifications } = await client.call('phones.get', { params })
  return notifications.some(({ msg_id }) => msg_id === msgId)
}

/** Message IDs of the phone's pushes, newest first. */
const pushesIn = (event: BenchEvent): readonly string[] =>
  event.kind === 'phone' ? (event.phone?.notifications.map(({ msg_id }) => msg_id) ?? []) : []

const onPush =
  (call: 'phones.open' | 'phones.dismiss', outcomeOf: (phone: ControlPhone) => StepOutcome) =>
  async (input: StepInput<'open'>, state: ScenarioState): Promise<StepOutcome> => {
    const found = await findPush(input, state)
    if (!found.ok) return found.error
    const body = { msg_id: found.value }
    return outcomeOf(await state.client.call(call, { params: phoneIdParam(state, input), body }))
  }

type Picture = Extract<Body<'phones.scan'>, { readonly image: unknown }>['image']

const BEGINNINGS = { png: 'iVBORw0KGgo', jpeg: '/9j/' } as const

/** A picture in base64, or as a data URL: `data:image/png;base64,…`. */
const pictureIn = (text: string): Picture => {
  const data = text.replace(/^data:[^,]{0,64},/, '').replace(/\s/g, '')
  for (const type of ['png', 'jpeg'] as const) if (data.startsWith(BEGINNINGS[type])) return { data, type }
  throw badInput({ field: 'scan.image', expected: { code: 'picture' }, got: `${JSON.stringify(text.slice(0, 32))}…` })
}

export const phoneWords: StepHandlers<typeof phoneSteps> = {
  scan: async (input, state) =>
    screenOutcome(
      await state.client.call('phones.scan', { params: phoneIdParam(state, input), body: whatToScan(input, state) }),
    ),
  open: onPush('phones.open', screenOutcome),
  dismiss: onPush('phones.dismiss', (phone) => success({ code: 'prompt_gone' }, phone)),
  approve: onScreen('phones.approve'),
  reject: onScreen('phones.reject'),
  fail_fingerprint: onScreen('phones.fail-fingerprint'),
  home: onScreen('phones.home'),
  set_phone: async ({ phone, ...body }, state) => {
    const changed = await state.client.call('phones.patch', { params: phoneIdParam(state, { phone }), body })
    return withText(`${changed.network}, ${changed.behaviour.answer}`, changed)
  },
  new_phone: async ({ as, ...wanted }, state) => {
    const made = await makeScenarioPhone(state, as, wanted)
    return withText(made.id, made)
  },
  remove_phone: async (input, state) => {
    await state.client.call('phones.delete', { params: phoneIdParam(state, input) })
    state.phones.delete(input.phone)
    return success({ code: 'phone_removed' })
  },
  sign_out_phone: onScreen('phones.sign-out'),
  sign_in_phone: async ({ phone, same_account_as }, state) => {
    const body = same_account_as === undefined ? {} : { same_account_as: findPhone(state, same_account_as).id }
    return screenOutcome(await state.client.call('phones.sign-in', { params: phoneIdParam(state, { phone }), body }))
  },
  wipe_phone: onScreen('phones.wipe'),
  lose_phone: onScreen('phones.lose'),
  sync_phone: onScreen('phones.sync'),
  forget_credential: async ({ phone, credential_name }, state) => {
    const params = phoneIdParam(state, { phone })
    const { credentials } = await state.client.call('phones.get', { params })
    const found = oneCredential(credentials, ({ name }) => name, credential_name)
    const left = await state.client.call('phones.forget-credential', { params: { ...params, credential_id: found.id } })
    return success({ code: 'credentials_left', params: { count: left.credentials_total } }, left)
  },
  arm: async ({ phone, ...body }, state) =>
    armedOutcome(await state.client.call('phones.arm', { params: phoneIdParam(state, { phone }), body })),
  disarm: async ({ phone, fault }, state) => {
    const params = phoneIdParam(state, { phone })
    if (fault === undefined) {
      return success({ code: 'none_armed' }, await state.client.call('phones.disarm-all', { params }))
    }
    const { faults } = await state.client.call('phones.get', { params })
    const armed = faults.filter((each) => each.fault === fault)
    if (armed.length === 0) {
      const received = faults.map((each) => each.fault)
      return failure({ code: 'differs', params: { at: '/faults', expected: fault, received } })
    }
    for (const { id: fault_id } of armed) await state.client.call('phones.disarm', { params: { ...params, fault_id } })
    return success({ code: 'disarmed', params: { count: armed.length } })
  },
  expect_phone: async ({ phone, until: _, ...wanted }, state) => {
    const got: ControlPhone = await state.client.call('phones.get', { params: phoneIdParam(state, { phone }) })
    const wrong = findMismatch(wanted, got)
    return wrong === undefined ? withText(got.screen.kind, got) : failure({ code: 'differs', params: wrong })
  },
}

type Scanned = { readonly message?: string; readonly url?: string; readonly image?: string }

/** No real camera is involved: one pixel per module, any mask and the least redundancy will do. */
const SEEN_WELL = { scale: 1, mask: 0, redundancy: 'least' } as const

const whatToScan = ({ message, url, image }: Scanned, state: ScenarioState): Body<'phones.scan'> => {
  if (image !== undefined) return { image: pictureIn(image) }
  const { width, height, rgba } = qrPicture(url ?? findMessage(state, message).url, SEEN_WELL)
  return { rgba: { width, height, data: Buffer.from(rgba).toString('base64') } }
}

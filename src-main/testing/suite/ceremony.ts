import { phoneTroubleIn } from '../../core/contract/phone-trouble.ts'
import { serviceFaultOf } from '../../core/contract/service-faults.ts'
import type { Ending, FindingReason } from '../../core/contract/suite-findings.ts'
import { PhoneError, WaitError } from '../../sdk/errors.ts'
import type { Phone } from '../../sdk/phone.ts'
import { pause, realNow } from '../../sdk/real-time.ts'
import type { AttemptState, ShownCode, SuiteUser, Visitor } from './rp-driver.ts'
import {
  arm,
  broke,
  disarm,
  HELD,
  letIn,
  lookedAgain,
  type Stage,
  type Started,
  settled,
  stored,
  strikesBegin,
  unplayable,
  untilStruck,
} from './stage.ts'
import { statusOf } from './watch-service.ts'

export type Ceremony = {
  readonly by: 'register' | 'sign_in' | 'push'
  readonly answer: 'approve' | 'reject' | 'ignore'
  readonly user: SuiteUser
  /** Undefined for a newcomer: only the RP’s request names it. */
  readonly user_id: string | undefined
  readonly phone: Phone
}

export type Course = { readonly ending: Ending; readonly started?: Started; readonly state?: AttemptState }

/** The visitor’s action, and the request at the service that it caused. */
export const starts = async (
  stage: Stage,
  visitor: Visitor,
  { by, user, user_id }: Pick<Ceremony, 'by' | 'user' | 'user_id'>,
  armsFirst = strikesBegin(stage),
): Promise<Started> => {
  const ceremony = by === 'register' ? 'registration' : 'authentication'
  const { acted, message, begun } = await stage.watch.causes(
    { ceremony, user_id, name: user.name, isAlone: armsFirst && stage.fault !== undefined },
    async () => {
      if (armsFirst) await arm(stage, user_id === undefined ? undefined : { user_id })
      try {
        if (by === 'register') return await visitor.register(user)
        return await (by === 'push' ? visitor.push(user) : visitor.signIn(user))
      } finally {
        // It has no scope if the user is new: no other user may meet it.
        if (armsFirst && user_id === undefined) await disarm(stage)
      }
    },
  )
  const started = { begun: acted, count: begun, ...(message === undefined ? {} : { message }) }
  stage.started.push(started)
  return started
}

/** One request from its beginning to its end, with the fault armed from where it can be triggered. */
export const plays = async (stage: Stage, visitor: Visitor, ceremony: Ceremony): Promise<Course> => {
  const { fault } = stage
  const { when, careful } =
    fault === undefined ? ({ when: undefined, careful: 'completes' } as const) : serviceFaultOf(fault)
  const atBegin = strikesBegin(stage)
  const started = await starts(stage, visitor, ceremony)
  const { begun, message } = started
  if (!begun.ok) {
    if (fault !== undefined) return { ending: HELD, started }
    return { ending: unplayable(notBegun(ceremony, begun.refusal)), started }
  }
  if (message === undefined) return { ending: fault === undefined ? unplayable({ code: 'not_seen' }) : HELD, started }
  const { msg_id } = message
  const scope = { msg_id }
  const { answer, by, phone } = ceremony
  let state: AttemptState = 'pending'
  const strikes = async (): Promise<AttemptState> => {
    await arm(stage, scope)
    return untilStruck(stage, visitor, begun)
  }
  if (!atBegin && (when === 'init' || when === 'pending' || when === 'any')) state = await strikes()
  else state = await untilStruck(stage, visitor, begun)
  if (state === 'done') return { ending: await tooEarly(visitor, by), started, state }
  if (fault === undefined && by !== 'push' && begun.code === undefined)
    stage.untried.push({ check: 'code-with-token', reason: { code: 'shows_no_code' } })
  if (by === 'push' && !stage.can.pushCode)
    stage.untried.push({ check: 'push-without-code', reason: { code: 'shows_no_code' } })
  if (answer !== 'ignore' || when === 'bind') {
    const scanned = await scans(stage, ceremony, started)
    if (scanned !== undefined) {
      // A request that has ended can no longer be scanned.
      if (fault === undefined)
        return { ending: scanned.code === 'no_push' ? broke(scanned) : unplayable(scanned), started }
      if (state === 'pending') state = await settled(stage, visitor, begun)
      return { ending: endingOf(stage, state), started, state }
    }
    if (fault === undefined && by === 'push' && begun.code !== undefined)
      stage.mistakes.push({ check: 'push-without-code', reason: { code: 'push_shows_code' } })
  }
  if (fault === undefined && (answer === 'reject' || (stage.lingers && answer === 'approve'))) {
    // One that takes the scan for an answer shows it before there is one; and from two polls its pause is seen.
    await untilRead(stage, visitor, started, 'bind')
    if (stage.lingers) await pause(HABIT_MS, stage.signal)
    state = await untilStruck(stage, visitor, begun)
    if (state === 'done') return { ending: await tooEarly(visitor, by), started, state }
  }
  if (when === 'bind' && state === 'pending') {
    // The status can only go back for an RP that has read it.
    await untilRead(stage, visitor, started, 'bind')
    state = await strikes()
    if (state === 'done') return { ending: await tooEarly(visitor, by), started, state }
  }
  if (when === 'success' || when === 'fail') await arm(stage, scope)
  const before = state
  if (answer === 'ignore') {
    if (state === 'pending') await stage.workspace.expire(msg_id)
  } else await answers(phone, answer)
  state = state === 'pending' ? await settled(stage, visitor, begun) : state
  if (careful === 'refuses' && state !== 'pending') state = await lookedAgain(stage, visitor, begun)
  if (before === 'failed' && state === 'done') return { ending: broke({ code: 'reopened' }), started, state }
  if (by === 'register' && state === 'done') {
    const held = await stored(stage.workspace, message.user_id)
    if (held.length === 0) return { ending: broke({ code: 'registered_nothing' }), started, state }
  }
  return { ending: endingOf(stage, state), started, state }
}

/** The page says that the request succeeded, although no phone has answered it. */
const tooEarly = async (visitor: Visitor, by: Ceremony['by']): Promise<Ending> => {
  const who = await visitor.who()
  if (who !== undefined) return letIn({ code: 'signed_in_unapproved', params: { who } })
  return by === 'register' ? broke({ code: 'registered_nothing' }) : HELD
}

/** Waits until the RP has read this status, or its time is up. */
const untilRead = async (
  stage: Stage,
  visitor: Visitor,
  { begun, message }: Started,
  status: string,
): Promise<void> => {
  const until = realNow() + stage.patienceMs
  while (message !== undefined && realNow() < until) {
    if ((await visitor.state(begun)) !== 'pending') return
    if ((await stage.watch.reads(message.msg_id)).some((read) => statusOf(read) === status)) return
    await pause(LOOK_MS, stage.signal)
  }
}

const LOOK_MS = 40
/** Enough for an RP without a pause to poll until it is a habit. */
const HABIT_MS = 400

export const notBegun = ({ user }: Pick<Ceremony, 'user'>, refusal: string): FindingReason => ({
  code: 'not_begun',
  params: { user_id: user.user_id, refusal },
})

/** A request that has ended must end in front of its user. */
const endingOf = ({ patienceMs }: Stage, state: AttemptState): Ending =>
  state === 'pending' ? broke({ code: 'waits_for_ever', params: { seconds: patienceMs / 1000 } }) : HELD

/** Reads the code, or opens the push; why not, where that cannot be done. */
export const scans = async (
  stage: Stage,
  { by, phone }: Pick<Ceremony, 'by' | 'phone'>,
  { begun, message }: Started,
): Promise<FindingReason | undefined> => {
  if (message === undefined || !begun.ok) return { code: 'not_seen' }
  try {
    if (by === 'push') await phone.waitForPush({ msgId: message.msg_id, timeoutMs: stage.patienceMs })
    else await phone.scan(begun.code === undefined || begun.code === message.url ? message.url : begun.code)
    return undefined
  } catch (error) {
    if (error instanceof WaitError)
      return { code: 'no_push', params: { seconds: stage.patienceMs / 1000, method: message.method ?? 'qrcode' } }
    if (!(error instanceof PhoneError)) throw error
    const { code, came, data } = error
    const trouble = phoneTroubleIn(came ?? data) ?? { word: code }
    if (stage.fault === undefined && by !== 'push' && UNFIT_CODES.has(trouble.word)) {
      const shown = typeof begun.code === 'string' ? begun.code : trouble.word
      stage.mistakes.push({
        check: 'code-with-token',
        reason: { code: 'code_differs', params: { shown, given: message.url } },
      })
    }
    return { code: 'phone_says', params: trouble }
  }
}

/** A phone's refusals of a code that is not of this service. */
const UNFIT_CODES: ReadonlySet<string> = new Set(['no_code', 'foreign_code', 'not_ours'])

export const answers = async (phone: Phone, answer: 'approve' | 'reject'): Promise<void> => {
  try {
    await (answer === 'approve' ? phone.approve() : phone.reject())
  } catch (error) {
    // The request may have ended in the meantime.
    if (!(error instanceof PhoneError)) throw error
  }
}

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

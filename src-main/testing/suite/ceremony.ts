import { parsePhoneTrouble } from '../../core/contract/phone-trouble.ts'
import { type FaultyAnswer, serviceFaultOf } from '../../core/contract/service-faults.ts'
import type { Ending, FindingReason } from '../../core/contract/suite-findings.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { PhoneError, WaitError } from '../../sdk/errors.ts'
import type { Phone } from '../../sdk/phone.ts'
import { pause, realNow } from '../../sdk/real-time.ts'
import type { AttemptState, Begun, ShownCode, SuiteUser, Visitor } from './rp-driver.ts'
import {
  affectsOptions,
  armFault,
  brokeEnding,
  disarmFaults,
  HELD_ENDING,
  isTextFault,
  letInEnding,
  listPasskeyIds,
  lookRepeatedly,
  type Stage,
  type StartedRequest,
  unplayableEnding,
  waitUntilSettled,
  waitUntilTriggered,
} from './stage.ts'
import { type Message, trueStatus } from './watch-service.ts'

export type Ceremony = {
  readonly by: 'register' | 'sign_in' | 'push'
  readonly answer: 'approve' | 'reject' | 'ignore'
  readonly user: SuiteUser
  /** Undefined for a newcomer: only the RP’s request names it. */
  readonly user_id: string | undefined
  readonly phone: Phone
}

export type CeremonyRun = { readonly ending: Ending; readonly started?: StartedRequest; readonly state?: AttemptState }

export const startRequest = async (
  stage: Stage,
  visitor: Visitor,
  { by, user, user_id }: Pick<Ceremony, 'by' | 'user' | 'user_id'>,
  armsFirst = affectsOptions(stage),
): Promise<StartedRequest> => {
  const ceremony = by === 'register' ? 'registration' : 'authentication'
  const { acted, message, begun } = await stage.watch.causes(
    { ceremony, user_id, name: user.name, isAlone: armsFirst && stage.fault !== undefined },
    async () => {
      if (armsFirst) await armFault(stage, user_id === undefined ? undefined : { user_id })
      try {
        if (by === 'register') return await visitor.register(user)
        return await (by === 'push' ? visitor.push(user) : visitor.signIn(user))
      } finally {
        // A new user's fault has no scope: disarm it before it affects another user.
        if (armsFirst && user_id === undefined) await disarmFaults(stage)
      }
    },
  )
  const started = { begun: acted, count: begun, ...(message === undefined ? {} : { message }) }
  stage.started.push(started)
  return started
}

type Open = {
  readonly stage: Stage
  readonly visitor: Visitor
  readonly ceremony: Ceremony
  readonly started: StartedRequest
  readonly begun: Extract<Begun, { ok: true }>
  readonly message: Message
  /** The answer that the fault changes; undefined where the service is honest. */
  readonly when: FaultyAnswer | undefined
}

type Reached =
  | { readonly state: AttemptState; readonly ending?: undefined }
  | { readonly state?: AttemptState; readonly ending: Ending }

export const playCeremony = async (stage: Stage, visitor: Visitor, ceremony: Ceremony): Promise<CeremonyRun> => {
  const started = await startRequest(stage, visitor, ceremony)
  const { begun, message } = started
  const { fault } = stage
  if (!begun.ok)
    return {
      ending: fault === undefined ? unplayableEnding(notBegunReason(ceremony, begun.refusal)) : HELD_ENDING,
      started,
    }
  if (message === undefined)
    return { ending: fault === undefined ? unplayableEnding({ code: 'not_seen' }) : HELD_ENDING, started }
  const when = fault === undefined ? undefined : serviceFaultOf(fault).when
  const open: Open = { ...{ stage, visitor, ceremony, started, begun, message }, when }
  let reached: Reached = { state: 'pending' }
  for (const play of [waitUnscanned, scanShown, waitScanned, armAfterRead, answerAndSettle]) {
    reached = await play(open, reached.state)
    if (reached.ending !== undefined) return { ...reached, started }
  }
  return { ending: endingOf(stage, reached.state), started, state: reached.state }
}

/** Before the scan: triggers a fault of the first answers, or lets the RP poll if the service is honest. */
const waitUnscanned = async (open: Open): Promise<Reached> => {
  const { stage, visitor, begun, message, when } = open
  const isBeforeScan = when === 'init' || when === 'pending' || when === 'any'
  if (isBeforeScan && !affectsOptions(stage)) await armFault(stage, { msg_id: message.msg_id })
  return unlessDone(open, await waitUntilTriggered(stage, visitor, begun))
}

const scanShown = async (open: Open, state: AttemptState): Promise<Reached> => {
  const { stage, visitor, ceremony, started, begun, message, when } = open
  const { by, answer } = ceremony
  const isHonest = stage.fault === undefined
  if (isHonest && by !== 'push' && begun.code === undefined)
    stage.untried.push({ check: 'code-with-token', reason: { code: 'shows_no_code' } })
  if (by === 'push' && !stage.can.pushCode)
    stage.untried.push({ check: 'push-without-code', reason: { code: 'shows_no_code' } })
  if (answer === 'ignore' && when !== 'bind') return { state }
  // A page may show only the first name that it receives.
  if (when === 'bind' && isTextFault(stage)) await armFault(stage, { msg_id: message.msg_id }, { times: MAX_NAMES })
  const trouble = await scanCode(stage, ceremony, started)
  if (trouble !== undefined) {
    if (isHonest) return { ending: trouble.code === 'no_push' ? brokeEnding(trouble) : unplayableEnding(trouble) }
    // A request that has ended can no longer be scanned.
    const ended = state === 'pending' ? await waitUntilSettled(stage, visitor, begun) : state
    return { state: ended, ending: endingOf(stage, ended) }
  }
  if (isHonest && by === 'push' && begun.code !== undefined)
    stage.mistakes.push({ check: 'push-without-code', reason: { code: 'push_shows_code' } })
  return { state }
}

/** With an honest service: shows if the RP mistakes a scan for an approval, and how long it pauses between polls. */
const waitScanned = async (open: Open, state: AttemptState): Promise<Reached> => {
  const { stage, visitor, ceremony, started, begun } = open
  const waits = ceremony.answer === 'reject' || (stage.lingers && ceremony.answer === 'approve')
  if (stage.fault !== undefined || !waits) return { state }
  await untilRead(stage, visitor, started, 'bind')
  if (stage.lingers) await pause(HABIT_MS, stage.signal)
  if (stage.lingers && ceremony.by !== 'push') await lookForCode(open)
  return unlessDone(open, await waitUntilTriggered(stage, visitor, begun))
}

/** Checks that the page hides a code that was scanned: no other phone can use it. */
const lookForCode = async ({ stage, begun: { code }, message }: Open): Promise<void> => {
  const check = 'code-hidden-after-scan'
  const isRead = (await stage.watch.reads(message.msg_id)).some((read) => trueStatus(read) === 'bind')
  if (code === undefined || typeof code === 'string' || !isRead)
    return void stage.untried.push({ check, reason: { code: 'scan_unseen' } })
  const until = realNow() + LEFT_SHOWN_MS
  while (await code.isThere()) {
    // The element may show something else by now: only a code that can be read is a mistake.
    if (realNow() > until && (await troubleOfAnother(stage, code)) !== 'no_code')
      return void stage.mistakes.push({ check, reason: { code: 'code_left' } })
    if (realNow() > until) return
    await pause(LOOK_MS, stage.signal)
  }
}

/** Scans the page with another phone; returns the code of its refusal. */
const troubleOfAnother = async (stage: Stage, code: Exclude<ShownCode, string>): Promise<string | undefined> => {
  try {
    await (await stage.newPhone()).scan(await code.screenshot())
    return undefined
  } catch (error) {
    if (!(error instanceof PhoneError)) throw error
    return error.code
  }
}

/** Arms the fault after the RP has read the scanned status: earlier, the RP could not see that status go back. */
const armAfterRead = async (open: Open, state: AttemptState): Promise<Reached> => {
  const { stage, visitor, started, begun, message, when } = open
  if (when !== 'bind' || state !== 'pending') return { state }
  if (!isTextFault(stage)) {
    await untilRead(stage, visitor, started, 'bind')
    await armFault(stage, { msg_id: message.msg_id })
  }
  return unlessDone(open, await waitUntilTriggered(stage, visitor, begun))
}

const answerAndSettle = async (open: Open, before: AttemptState): Promise<Reached> => {
  const { stage, visitor, ceremony, begun, message, when } = open
  const { answer, by, phone } = ceremony
  if (when === 'success' || when === 'fail') await armFault(stage, { msg_id: message.msg_id })
  if (answer !== 'ignore') await answerPrompt(phone, answer)
  else if (before === 'pending') await stage.workspace.expire(message.msg_id)
  const after = before === 'pending' ? await waitUntilSettled(stage, visitor, begun) : before
  const isRefused = stage.fault !== undefined && serviceFaultOf(stage.fault).careful === 'refuses'
  const state = isRefused && after !== 'pending' ? await lookRepeatedly(stage, visitor, begun) : after
  if (state !== 'done') return { state }
  if (before === 'failed') return { state, ending: brokeEnding({ code: 'reopened' }) }
  if (by === 'register' && (await listPasskeyIds(stage.workspace, message.user_id)).length === 0)
    return { state, ending: brokeEnding({ code: 'registered_nothing' }) }
  return { state }
}

const unlessDone = async ({ visitor, ceremony }: Open, state: AttemptState): Promise<Reached> =>
  state === 'done' ? { state, ending: await tooEarly(visitor, ceremony.by) } : { state }

/** The page says that the request succeeded, although no phone has answered it. */
const tooEarly = async (visitor: Visitor, by: Ceremony['by']): Promise<Ending> => {
  const who = await visitor.who()
  if (who !== undefined) return letInEnding({ code: 'signed_in_unapproved', params: { who } })
  return by === 'register' ? brokeEnding({ code: 'registered_nothing' }) : HELD_ENDING
}

const untilRead = async (stage: Stage, visitor: Visitor, { begun, message }: StartedRequest, status: string) => {
  const until = realNow() + stage.patienceMs
  while (message !== undefined && realNow() < until) {
    if ((await visitor.state(begun)) !== 'pending') return
    if ((await stage.watch.reads(message.msg_id)).some((read) => trueStatus(read) === status)) return
    await pause(LOOK_MS, stage.signal)
  }
}

const LOOK_MS = 40
/** Maximum number of answers in which the fault changes the name of the user who scanned. */
const MAX_NAMES = 1000
/** Time for a page to hide a code that was scanned: it may ask for news every second or two. */
const LEFT_SHOWN_MS = 3000
/** Long enough for an RP that polls without a pause to show that habit. */
const HABIT_MS = 400

export const notBegunReason = ({ user }: Pick<Ceremony, 'user'>, refusal: string): FindingReason => ({
  code: 'not_begun',
  params: { user_id: user.user_id, refusal },
})

/** The RP must show its user that a request has ended. */
const endingOf = ({ patienceMs }: Stage, state: AttemptState): Ending =>
  state === 'pending' ? brokeEnding({ code: 'waits_for_ever', params: { seconds: patienceMs / 1000 } }) : HELD_ENDING

/** Scans the code or opens the push; returns the reason if that is not possible. */
export const scanCode = async (
  stage: Stage,
  { by, phone }: Pick<Ceremony, 'by' | 'phone'>,
  { begun, message }: StartedRequest,
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
    const trouble = parsePhoneTrouble(came ?? data) ?? { word: code }
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

export const answerPrompt = async (phone: Phone, answer: 'approve' | 'reject'): Promise<void> => {
  try {
    await (answer === 'approve' ? phone.approve() : phone.reject())
  } catch (error) {
    // The request may have ended in the meantime.
    if (!(error instanceof PhoneError)) throw error
  }
}

/** Scans the code and approves. Returns how the RP ended the request, or why the code could not be scanned. */
export const approveRequest = async (
  stage: Stage,
  visitor: Visitor,
  ceremony: Pick<Ceremony, 'by' | 'phone'>,
  started: StartedRequest,
): Promise<Result<AttemptState, FindingReason>> => {
  const trouble = await scanCode(stage, ceremony, started)
  if (trouble !== undefined) return err(trouble)
  await answerPrompt(ceremony.phone, 'approve')
  return ok(await waitUntilSettled(stage, visitor, started.begun))
}

/** The service's answer is unusable: the RP must refuse to begin, or end the request and show that. */
export const playRefusal = async (
  stage: Stage,
  visitor: Visitor,
  ceremony: Pick<Ceremony, 'by' | 'user' | 'user_id' | 'phone'>,
): Promise<Ending> => {
  const started = await startRequest(stage, visitor, ceremony)
  const { begun, message } = started
  if (!begun.ok)
    return stage.fault === undefined ? unplayableEnding(notBegunReason(ceremony, begun.refusal)) : HELD_ENDING
  if (stage.fault === undefined) return message === undefined ? unplayableEnding({ code: 'not_seen' }) : HELD_ENDING
  const shown = begun.code === undefined ? undefined : await unusable(stage, begun.code)
  if (shown !== undefined) return brokeEnding({ code: 'begun_with_unusable_address', params: { shown } })
  if (message !== undefined) await stage.workspace.expire(message.msg_id)
  return endingOf(stage, await waitUntilSettled(stage, visitor, begun))
}

/** The text of a code that no phone of this service can use. */
const unusable = async (stage: Stage, code: ShownCode): Promise<string | undefined> => {
  if (typeof code === 'string') {
    const isOwn = code.startsWith(`${stage.workspace.baseUrl}/m#`) && /#[ar][\w-]{16,}$/.test(code)
    return isOwn ? undefined : code
  }
  const trouble = await troubleOfAnother(stage, code)
  // A picture without a code is not an unusable code.
  return trouble === 'no_code' ? undefined : trouble
}

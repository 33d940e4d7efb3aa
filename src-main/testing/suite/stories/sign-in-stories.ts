import { serviceFaultOf } from '../../../core/contract/service-faults.ts'
import type { Ending } from '../../../core/contract/suite-findings.ts'
import { PhoneError } from '../../../sdk/errors.ts'
import type { Phone } from '../../../sdk/phone.ts'
import { pause, realNow } from '../../../sdk/real-time.ts'
import {
  answerPrompt,
  approveRequest,
  notBegunReason,
  playCeremony,
  playRefusal,
  scanCode,
  startRequest,
} from '../ceremony.ts'
import { signInPersona } from '../personas.ts'
import { ignoreBrokenRp, type ShownCode, type Visitor } from '../rp-driver.ts'
import {
  type AllowedUser,
  armFault,
  brokeEnding,
  HELD_ENDING,
  letInEnding,
  listPasskeyIds,
  openVisitor,
  type Persona,
  type Stage,
  unplayableEnding,
  waitUntilSettled,
  waitUntilTriggered,
} from '../stage.ts'
import { type Message, trueStatus } from '../watch-service.ts'

const signingIn = ({ user, user_id, phone }: Persona) => ({ by: 'sign_in', user, user_id, phone }) as const

/** The user who may be signed in after an approval: none, if a careful RP refuses the fault. */
const allowedAfterApproval = ({ fault, persona }: Stage): AllowedUser =>
  fault !== undefined && serviceFaultOf(fault).careful === 'refuses' ? 'nobody' : { who: persona.who }

const approved =
  (by: 'sign_in' | 'push') =>
  async (stage: Stage): Promise<Ending> => {
    const { persona, fault } = stage
    const visitor = openVisitor(stage, allowedAfterApproval(stage), {
      kept: persona.kept,
      unwanted: 'signed_in_by_lie',
    })
    const { ending, state } = await playCeremony(stage, visitor, { ...signingIn(persona), by, answer: 'approve' })
    if (fault !== undefined || ending.verdict !== 'held') return ending
    const who = await visitor.who()
    if (who === persona.who) return HELD_ENDING
    const { text } = await visitor.shown()
    return unplayableEnding({ code: 'not_signed_in', params: { shown: `${state}: ${text}` } })
  }

const unanswered =
  (by: 'sign_in' | 'push', answer: 'reject' | 'ignore') =>
  async (stage: Stage): Promise<Ending> => {
    const visitor = openVisitor(stage, 'nobody', { kept: stage.persona.kept })
    const { ending } = await playCeremony(stage, visitor, { ...signingIn(stage.persona), by, answer })
    return ending
  }

const begun = (stage: Stage): Promise<Ending> =>
  playRefusal(stage, openVisitor(stage, 'nobody', { kept: stage.persona.kept }), signingIn(stage.persona))

/** A second browser opens the user's sign-in request before the phone scans it, and again afterwards. */
const revisited = async (stage: Stage): Promise<Ending> => {
  const { persona } = stage
  const visitor = openVisitor(stage, { who: persona.who }, { kept: persona.kept })
  const started = await startRequest(stage, visitor, signingIn(persona), false)
  const stranger = openVisitor(stage, 'nobody', { unwanted: 'signed_in_unasked' })
  await stranger.revisit(started.begun)
  const approved = await approveRequest(stage, visitor, signingIn(persona), started)
  if (!approved.ok) return unplayableEnding(approved.error)
  if ((await visitor.who()) !== persona.who)
    return unplayableEnding({ code: 'not_signed_in', params: { shown: (await visitor.shown()).text } })
  const isNameless = started.begun.ok && started.begun.isNameless()
  if (isNameless) stage.untried.push({ check: 'another-browser', reason: { code: 'nothing_to_revisit' } })
  if (started.message !== undefined) await armFault(stage, { msg_id: started.message.msg_id }, { times: 5 })
  await waitUntilSettled({ ...stage, patienceMs: LEFT_OPEN_MS }, stranger, started.begun).catch(ignoreBrokenRp)
  for (let i = 0; i < 3; i++) {
    await stranger.revisit(started.begun)
    await pause(LOOK_MS)
  }
  if (stage.fault === undefined && !isNameless) await askFirst(stage)
  return HELD_ENDING
}

/**
 * An RP may give a result to one reader only. Here a stranger asks first, since the user has left the page. If the RP
 * signs the stranger in, only the check `another-browser` fails; the story keeps its verdict.
 */
const askFirst = async (stage: Stage): Promise<void> => {
  const { persona } = stage
  const [absent, stranger] = [stage.rp.visitor(persona.kept), stage.rp.visitor()]
  const started = await startRequest(stage, absent, signingIn(persona), false)
  const trouble = await scanCode(stage, signingIn(persona), started)
  const { begun, message } = started
  if (trouble !== undefined || !begun.ok || message === undefined)
    return void stage.untried.push({ check: 'another-browser', reason: trouble ?? { code: 'not_seen' } })
  const named = realNow() + UNREAD_MS
  while (begun.isNameless() && realNow() < named) await pause(LOOK_MS, stage.signal)
  await absent.leave()
  await answerPrompt(persona.phone, 'approve')
  const until = realNow() + UNREAD_MS
  const isRead = async () => (await stage.watch.reads(message.msg_id)).some((read) => trueStatus(read) === 'success')
  for (let isLast = false; !isLast; ) {
    isLast = realNow() > until || (await isRead())
    await stranger.revisit(begun)
    await pause(LOOK_MS, stage.signal)
  }
  // The RP may give a stranger any answer.
  const who = await stranger.who().catch(() => undefined)
  if (who !== undefined)
    stage.mistakes.push({ check: 'another-browser', reason: { code: 'signed_in_unasked', params: { who } } })
}

const LOOK_MS = 150
/** Time for the stranger's page, which has been open all along, to ask once more. */
const LEFT_OPEN_MS = 2000
/** Longest wait for the RP: one that polls only for its own page never reads the result. */
const UNREAD_MS = 4000

/** The RP gets the address of a request that another user approves. */
const playCrossed = async (stage: Stage): Promise<Ending> => {
  const { persona } = stage
  const other = await stage.neighbour()
  const theirs = openVisitor(stage, { who: other.who }, { kept: other.kept })
  const another = await startRequest(stage, theirs, signingIn(other), false)
  if (another.message === undefined) return unplayableEnding({ code: 'not_seen' })
  const { url } = another.message
  await armFault(stage, { user_id: persona.user_id }, { parameters: { url } })
  const may: AllowedUser = stage.fault === undefined ? { who: persona.who } : 'nobody'
  const visitor = openVisitor(stage, may, { kept: persona.kept, unwanted: 'signed_in_by_lie' })
  const started = await startRequest(stage, visitor, signingIn(persona), false)
  if (!started.begun.ok) return stage.fault === undefined ? unplayableEnding({ code: 'not_seen' }) : HELD_ENDING
  if (stage.fault === undefined) {
    const approved = await approveRequest(stage, visitor, signingIn(persona), started)
    if (!approved.ok) return unplayableEnding(approved.error)
    return (await visitor.who()) === persona.who
      ? HELD_ENDING
      : unplayableEnding({ code: 'not_signed_in', params: { shown: (await visitor.shown()).text } })
  }
  await waitUntilTriggered(stage, visitor, started.begun)
  // The other user believes that the request is their own.
  const trouble = await scanCode(stage, signingIn(other), another)
  if (trouble === undefined) await answerPrompt(other.phone, 'approve')
  await waitUntilSettled(stage, visitor, started.begun)
  return HELD_ENDING
}

/** Two browsers request a sign-in of the same user, and the user approves one request. */
const twice = async (stage: Stage): Promise<Ending> => {
  const { persona } = stage
  const ceremony = signingIn(persona)
  const first = openVisitor(stage, { who: persona.who }, { kept: persona.kept })
  const second = openVisitor(stage, 'nobody', { kept: persona.kept, unwanted: 'signed_in_unasked' })
  const one = await startRequest(stage, first, ceremony)
  const two = await startRequest(stage, second, ceremony)
  if (!one.begun.ok || one.message === undefined) return unplayableEnding({ code: 'not_seen' })
  if (two.begun.ok && two.message === undefined && (await waitsFor(persona.phone, two.begun.code, one.message))) {
    // The second browser got no separate request: it waits for the first one's.
    stage.mistakes.push({
      check: 'message-for-each-request',
      reason: { code: 'message_shared', params: { msg_id: one.message.msg_id } },
    })
    return letInEnding({ code: 'message_shared', params: { msg_id: one.message.msg_id } })
  }
  const unseen = !two.begun.ok ? notBegunReason(ceremony, two.begun.refusal) : ({ code: 'not_seen' } as const)
  if (two.message === undefined) stage.untried.push({ check: 'message-for-each-request', reason: unseen })
  const approved = await approveRequest(stage, first, ceremony, one)
  if (!approved.ok) return unplayableEnding(approved.error)
  await second.state(two.begun)
  if (two.message !== undefined) await stage.workspace.expire(two.message.msg_id)
  await waitUntilSettled(stage, second, two.begun)
  return HELD_ENDING
}

/** True if a browser with this code waits for this message: the code leads to it, or there is none. */
const waitsFor = async (phone: Phone, code: ShownCode | undefined, { url, msg_id }: Message): Promise<boolean> => {
  if (code === undefined || typeof code === 'string') return code === undefined || code === url
  try {
    return (await phone.scan(await code.screenshot())).msg_id === msg_id
  } catch (error) {
    if (!(error instanceof PhoneError)) throw error
    return false
  }
}

/** The service gives no usable answer once the request has begun: the RP must end it in time. */
const playAbandoned = async (stage: Stage): Promise<Ending> => {
  if (stage.fault === undefined) return unanswered('sign_in', 'ignore')(stage)
  const { persona } = stage
  const visitor = openVisitor(stage, 'nobody', { kept: persona.kept })
  const { begun, message } = await startRequest(stage, visitor, signingIn(persona), false)
  if (!begun.ok || message === undefined) return unplayableEnding({ code: 'not_seen' })
  const seconds = Math.round(message.lasts_ms / 1000)
  if (seconds > LONGEST_S) return unplayableEnding({ code: 'takes_too_long', params: { seconds } })
  await armFault(stage, { msg_id: message.msg_id }, { times: 1000 })
  const patient = { ...stage, patienceMs: message.lasts_ms + stage.patienceMs }
  if ((await waitUntilSettled(patient, visitor, begun)) !== 'pending') return HELD_ENDING
  return brokeEnding({ code: 'waits_for_ever', params: { seconds: stage.patienceMs / 1000 } })
}

const LONGEST_S = 60

export const SIGN_IN_STORIES = {
  'sign-in-approved': approved('sign_in'),
  'sign-in-rejected': unanswered('sign_in', 'reject'),
  'sign-in-ignored': unanswered('sign_in', 'ignore'),
  'sign-in-begun': begun,
  'sign-in-revisited': revisited,
  'sign-in-crossed': playCrossed,
  'sign-in-twice': twice,
  'sign-in-abandoned': playAbandoned,
  'push-approved': approved('push'),
  'push-rejected': unanswered('push', 'reject'),
  'push-ignored': unanswered('push', 'ignore'),
} as const

/** The user is signed in, with the fault armed for their next action. */
const signedIn = async (stage: Stage): Promise<Visitor | undefined> => {
  const { persona } = stage
  const visitor = openVisitor(stage, { who: persona.who }, { kept: persona.kept })
  const who = await signInPersona(stage, visitor, persona)
  if (!who.ok || who.value !== persona.who) return undefined
  await armFault(stage, { user_id: persona.user_id })
  return visitor
}

const NOT_SIGNED_IN = unplayableEnding({ code: 'not_signed_in', params: { shown: '' } })

const listed = async (stage: Stage): Promise<Ending> => {
  const { persona, workspace, fault } = stage
  const visitor = await signedIn(stage)
  if (visitor === undefined) return NOT_SIGNED_IN
  const held = await listPasskeyIds(workspace, persona.user_id)
  const shown = await visitor.passkeys()
  stage.hasMarkup ||= await visitor.hasMarkup()
  if (fault === undefined)
    return shown?.length === held.length ? HELD_ENDING : unplayableEnding({ code: 'shows_no_passkeys' })
  // Showing fewer passkeys is safe; showing duplicates or other users' passkeys is not.
  if (shown === undefined || (shown.length <= held.length && shown.every((id) => held.includes(id)))) return HELD_ENDING
  return brokeEnding({ code: 'shows_other_passkeys', params: { shown, held } })
}

const removed = async (stage: Stage): Promise<Ending> => {
  const { persona, workspace, fault } = stage
  const visitor = await signedIn(stage)
  if (visitor === undefined) return NOT_SIGNED_IN
  const ids = await listPasskeyIds(workspace, persona.user_id)
  const said = await visitor.remove(ids)
  const went = ids.length - (await listPasskeyIds(workspace, persona.user_id)).length
  if (fault === undefined) return went === 1 ? HELD_ENDING : unplayableEnding({ code: 'removes_no_passkeys' })
  if (said === undefined || said === 'unsaid' || said === went) return HELD_ENDING
  return brokeEnding({ code: 'removed_others', params: { said, went } })
}

export const PASSKEY_STORIES = { 'passkeys-listed': listed, 'passkeys-removed': removed } as const

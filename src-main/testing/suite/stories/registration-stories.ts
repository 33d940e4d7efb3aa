import type { Ending } from '../../../core/contract/suite-findings.ts'
import { pause, realNow } from '../../../sdk/real-time.ts'
import { answerPrompt, approveRequest, playCeremony, playRefusal, scanCode, startRequest } from '../ceremony.ts'
import { RpBroken, type SuiteUser } from '../rp-driver.ts'
import {
  armFault,
  HELD_ENDING,
  letInEnding,
  listPasskeyIds,
  openVisitor,
  type Stage,
  unplayableEnding,
  waitUntilSettled,
} from '../stage.ts'

/** A new user; some RPs need an account for them first. */
const newcomer = (stage: Stage): Promise<SuiteUser> => stage.rp.prepare(stage.newUser())

const registered = async (stage: Stage): Promise<Ending> => {
  const user = await newcomer(stage)
  const visitor = openVisitor(stage, 'newcomer')
  const phone = await stage.newPhone()
  const ceremony = { by: 'register', answer: 'approve', user, user_id: undefined, phone } as const
  const { ending, state } = await playCeremony(stage, visitor, ceremony)
  if (stage.fault !== undefined || ending.verdict !== 'held' || state === 'done') return ending
  return unplayableEnding({ code: 'not_registered', params: { shown: (await visitor.shown()).text } })
}

/** A new user asks to register and rejects it, or never approves; afterwards they can register. */
const ignored =
  (answer: 'reject' | 'ignore') =>
  async (stage: Stage): Promise<Ending> => {
    const user = await newcomer(stage)
    const visitor = openVisitor(stage, 'nobody')
    const phone = await stage.newPhone()
    const ceremony = { by: 'register', answer, user, user_id: undefined, phone } as const
    const { ending } = await playCeremony(stage, visitor, ceremony)
    if (stage.lingers && ending.verdict === 'held') await registersAfter(stage, user)
    return ending
  }

/** A failed registration must leave no account that blocks the next one. */
const registersAfter = async (stage: Stage, user: SuiteUser): Promise<void> => {
  const check = 'account-after-success'
  const ceremony = { by: 'register', user, user_id: undefined, phone: await stage.newPhone() } as const
  try {
    const visitor = openVisitor(stage, 'newcomer')
    const until = realNow() + stage.patienceMs
    let started = await startRequest(stage, visitor, ceremony, false)
    // An RP may ask to retry later.
    while (!started.begun.ok && realNow() < until) {
      await pause(RETRY_MS, stage.signal)
      started = await startRequest(stage, visitor, ceremony, false)
    }
    const keptOut = (refusal: string): void =>
      void stage.mistakes.push({ check, reason: { code: 'kept_out', params: { refusal } } })
    if (!started.begun.ok) return keptOut(started.begun.refusal)
    const approved = await approveRequest(stage, visitor, ceremony, started)
    if (!approved.ok) return void stage.untried.push({ check, reason: approved.error })
    if (approved.value !== 'done') keptOut(`${approved.value}: ${(await visitor.shown()).text}`)
  } catch (error) {
    if (!(error instanceof RpBroken)) throw error
    stage.mistakes.push({ check, reason: error.mistake })
  }
}

const RETRY_MS = 500

const begun = async (stage: Stage): Promise<Ending> => {
  const user = await newcomer(stage)
  const phone = await stage.newPhone()
  return playRefusal(stage, openVisitor(stage, 'nobody'), { by: 'register', user, user_id: undefined, phone })
}

/** A person who is not signed in asks to register a passkey for an existing user. */
const byStranger = async (stage: Stage): Promise<Ending> => {
  const { persona, workspace } = stage
  const stranger = openVisitor(stage, 'newcomer')
  const phone = await stage.newPhone()
  const before = await listPasskeyIds(workspace, persona.user_id)
  await armFault(stage, { user_id: persona.user_id }, { times: 3 })
  const ceremony = { by: 'register', user: persona.user, user_id: undefined, phone } as const
  const started = await startRequest(stage, stranger, ceremony, false)
  if (!started.begun.ok || started.message === undefined) return HELD_ENDING
  const approved = await approveRequest(stage, stranger, ceremony, started)
  if (!approved.ok) return stage.fault === undefined ? unplayableEnding(approved.error) : HELD_ENDING
  const after = await listPasskeyIds(workspace, persona.user_id)
  if (after.length <= before.length) return HELD_ENDING
  return letInEnding({ code: 'stranger_registered', params: { user_id: persona.user_id } })
}

type Pair = (user: SuiteUser) => readonly [SuiteUser, SuiteUser]

const inName =
  (middle: string): Pair =>
  ({ name, user_id, username }) => {
    const named = (last: string): SuiteUser => {
      const rename = (text: string): string => text.replaceAll(name, `${name}${middle}${last}`)
      return { name: rename(name), user_id: rename(user_id), username: rename(username) }
    }
    return [named('a'), named('b')]
  }

const behindName: Pair = ({ name, user_id, username }) => {
  const named = (last: string): SuiteUser => ({ name, user_id: user_id + last, username: username + last })
  return [named(''), named('a')]
}

/** Pairs of similar names: an RP may truncate or refuse long names, or use a part of an e-mail address. */
const SHORT = inName('')
const PAIRS: readonly Pair[] = [inName('abcdefgh'.repeat(5)), inName('abcdefgh'), SHORT, behindName]

/** Registers two users whose names differ in one letter. */
const alike = async (stage: Stage): Promise<Ending> => {
  let last: Ending | undefined
  for (const pair of PAIRS) {
    const user = stage.newUser()
    // A numeric user_id has no letters to change: the next number is similar enough.
    const isNumber = !user.user_id.includes(user.name)
    if (pair === behindName && user.user_id.endsWith(user.name)) continue
    const users = isNumber ? ([user, stage.newUser()] as const) : pair(user)
    const ending = await alikeWith(stage, users).catch((error: unknown) => {
      if (error instanceof RpBroken && pair !== SHORT) return undefined
      throw error
    })
    if (ending?.verdict === 'let_in') return ending
    last = ending ?? last
    if (isNumber) break
  }
  return last ?? unplayableEnding({ code: 'not_offered' })
}

/** Undefined if the RP does not accept the first of the two similar names. */
const alikeWith = async (stage: Stage, [one, two]: readonly [SuiteUser, SuiteUser]): Promise<Ending | undefined> => {
  const ids: string[] = []
  for (const named of [one, two]) {
    const user = await stage.rp.prepare(named)
    const visitor = openVisitor(stage, 'newcomer')
    const phone = await stage.newPhone()
    const ceremony = { by: 'register', user, user_id: undefined, phone } as const
    const started = await startRequest(stage, visitor, ceremony, false)
    if (started.message === undefined) return ids.length === 0 ? undefined : HELD_ENDING
    ids.push(started.message.user_id)
    const trouble = await scanCode(stage, ceremony, started)
    if (trouble !== undefined && ids.length === 1) return unplayableEnding(trouble)
    await answerPrompt(phone, 'approve')
    await waitUntilSettled(stage, visitor, started.begun)
  }
  const [first = '', second] = ids
  if (first !== second) return HELD_ENDING
  const reason = { code: 'user_id_shared', params: { user_id: first, one: one.user_id, other: two.user_id } } as const
  stage.mistakes.push({ check: 'user-id-for-each-account', reason })
  return letInEnding(reason)
}

export const REGISTRATION_STORIES = {
  'registration-approved': registered,
  'registration-rejected': ignored('reject'),
  'registration-ignored': ignored('ignore'),
  'registration-begun': begun,
  'registration-by-stranger': byStranger,
  'registration-alike': alike,
} as const

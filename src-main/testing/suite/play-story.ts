import { parsePhoneTrouble } from '../../core/contract/phone-trouble.ts'
import type { RpCheckName } from '../../core/contract/rp-checks.ts'
import type { FaultStory, ServiceFaultName } from '../../core/contract/service-faults.ts'
import type { Ending, Mistake, PollingBehaviour, Proof } from '../../core/contract/suite-findings.ts'
import { PhoneError } from '../../sdk/errors.ts'
import { pause } from '../../sdk/real-time.ts'
import { measurePolling, pollingMistakes, untriedPolling } from './polling.ts'
import { RpBroken, type RpDriver } from './rp-driver.ts'
import {
  disarmFaults,
  endingOfBroken,
  letInEnding,
  openStage,
  type Persona,
  type Stage,
  type SuiteContext,
  unplayableEnding,
} from './stage.ts'
import { REGISTRATION_STORIES } from './stories/registration-stories.ts'
import { PASSKEY_STORIES, SIGN_IN_STORIES } from './stories/sign-in-stories.ts'
import type { Exchange } from './watch-service.ts'

export type StoryResult = {
  readonly ending: Ending
  readonly mistakes: readonly Mistake[]
  /** Checks for which the story gives no result. */
  readonly untried: readonly Mistake[]
  readonly hasTriggered: boolean
  readonly proof: Proof
  readonly behaviour: PollingBehaviour | undefined
}

export type StoryContext = {
  readonly scenery: SuiteContext
  readonly driver: RpDriver
  readonly persona: Persona
  readonly story: FaultStory
  readonly fault: ServiceFaultName | undefined
  /** Distinguishes parallel stories. */
  readonly trial: string
  /** Texts that must never reach a browser. */
  readonly secrets: readonly string[]
  /** True if the RP gets time to continue polling. */
  readonly lingers?: boolean
}

export const playStory = async (playing: StoryContext): Promise<StoryResult> => {
  const { scenery, driver, persona, story, fault, trial, lingers = false } = playing
  const mistakes: Mistake[] = []
  const rp = driver.open((text, where) => {
    if (!playing.secrets.some((secret) => text.includes(secret))) return
    if (!mistakes.some(({ check }) => check === 'secret-kept'))
      mistakes.push({ check: 'secret-kept', reason: { code: 'secret_shown', params: { where } } })
  })
  const stage = openStage(scenery, { rp, persona, story, fault, trial, mistakes, lingers })
  const after = await scenery.workspace.lastSeq()
  try {
    const played = await play(stage)
    const ending = (await whoIsIn(stage)) ?? (await forbidden(stage)) ?? elsewhere(stage, played)
    await disarmFaults(stage)
    if (stage.lingers) await linger(stage)
    const changed = await scenery.watch.struck(new Set(stage.armed.map(({ id }) => id)), after)
    const [first] = changed
    const { behaviour, polling, unpolled } = await measured(stage, first)
    const isBad = ending.verdict === 'broke' || ending.verdict === 'let_in'
    const last = stage.browsers.at(-1)
    const shown = last && (await seen(() => last.visitor.shown({ screenshot: isBad })))
    return {
      ending,
      mistakes: [...mistakes, ...(fault === undefined ? polling : []), ...mistakesOf(story, ending)],
      untried: [...stage.untried, ...unpolled],
      hasTriggered: first !== undefined,
      proof: {
        ...(first === undefined ? {} : { struck: changedAnswer(first) }),
        ...(shown === undefined ? {} : { shown }),
      },
      behaviour,
    }
  } finally {
    await disarmFaults(stage)
    await rp.close()
  }
}

const play = async (stage: Stage): Promise<Ending> => {
  try {
    return await STORIES[stage.story](stage)
  } catch (error) {
    if (error instanceof RpBroken) return endingOfBroken(error)
    if (!(error instanceof PhoneError)) throw error
    const { code, came, data } = error
    return unplayableEnding({ code: 'phone_says', params: parsePhoneTrouble(came ?? data) ?? { word: code } })
  }
}

/** This check comes before all others: in every story, only a user who approved may be signed in. */
const whoIsIn = async ({ browsers, persona }: Stage): Promise<Ending | undefined> => {
  for (const { visitor, may, unwanted } of browsers) {
    const who = await seen(() => visitor.who())
    if (who === undefined) continue
    if (may === 'nobody') return letInEnding({ code: unwanted, params: { who } })
    if (may === 'newcomer') {
      if (who === persona.who) return letInEnding({ code: 'signed_in_as_other', params: { who, asked: 'a new user' } })
    } else if (who !== may.who) return letInEnding({ code: 'signed_in_as_other', params: { who, asked: may.who } })
  }
  return undefined
}

/** Mistakes that a fault reveals but no answer of the RP shows. */
const forbidden = async ({ fault, hasMarkup, trap, trial }: Stage): Promise<Ending | undefined> => {
  if (fault === undefined) return undefined
  if (hasMarkup) return { verdict: 'broke', reason: { code: 'shows_markup' } }
  const caught = trap.caught(trial)
  if (caught?.isSigned !== true) return undefined
  return { verdict: 'broke', reason: { code: 'redirect_followed', params: { call: caught.call } } }
}

/** Warns of an RP that followed the service to another host, although without its signature. */
const elsewhere = ({ trap, trial }: Stage, ending: Ending): Ending => {
  const caught = trap.caught(trial)
  if (caught === undefined || ending.verdict !== 'held') return ending
  return { verdict: 'warned', reason: { code: 'redirect_believed', params: { call: caught.call } } }
}

/** Undefined if the RP is broken. */
const seen = async <T>(look: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await look()
  } catch (error) {
    if (error instanceof RpBroken) return undefined
    throw error
  }
}

const LINGER = { least: 700, most: 7000 } as const

/** Waits as long as the RP’s own pauses, so that one more poll would be seen. */
const linger = async (stage: Stage): Promise<void> => {
  const reads = await Promise.all(
    stage.started.flatMap(({ message }) => (message === undefined ? [] : [stage.watch.reads(message.msg_id)])),
  )
  const pauses = reads.map(
    (polls) => measurePolling({ polls, struck: undefined, begun: 0, told_ms: undefined }).pause_ms ?? 0,
  )
  const [{ visitor } = {}] = stage.browsers
  const total = Math.min(LINGER.most, Math.max(LINGER.least, 2.5 * Math.max(0, ...pauses)))
  for (let waited = 0; waited < total; waited += LINGER.least / 2) {
    // Some RPs poll only when their page asks, so this asks for the state.
    for (const { begun } of stage.started) if (visitor !== undefined) await seen(() => visitor.state(begun))
    await pause(LINGER.least / 2, stage.signal)
  }
}

const measured = async (stage: Stage, changed: Exchange | undefined) => {
  const own = stage.started.flatMap(({ message, count }) => (message === undefined ? [] : [{ message, count }]))
  const reads = await Promise.all(own.map(({ message }) => stage.watch.reads(message.msg_id)))
  const main = reads.toSorted((a, b) => b.length - a.length)[0]
  const begun = Math.max(0, ...own.map(({ count }) => count))
  return {
    behaviour: main && measurePolling({ polls: main, struck: changed, begun, told_ms: stage.told_ms }),
    polling: reads.flatMap(pollingMistakes),
    unpolled: untriedPolling(reads),
  }
}

const MAX_SHOWN = 400

const changedAnswer = ({ seq, request, response, honest }: Exchange): NonNullable<Proof['struck']> => ({
  seq,
  call: `${request.method} ${request.target}`,
  status: response.status,
  sent: response.body.slice(0, MAX_SHOWN),
  honest: (honest?.body ?? '').slice(0, MAX_SHOWN),
})

const mistakesOf = (story: FaultStory, ending: Ending): readonly Mistake[] => {
  if (ending.verdict !== 'broke' && ending.verdict !== 'let_in') return []
  const { reason } = ending
  const check = (...names: RpCheckName[]): readonly Mistake[] => names.map((name) => ({ check: name, reason }))
  if (ending.verdict === 'let_in') {
    const named = LET_IN_BY[story]
    return named === undefined ? check('nobody-unapproved', 'account-after-success') : check(named)
  }
  if (reason.code === 'waits_for_ever') return check('user-told')
  if (reason.code === 'no_push') return check('push-without-code')
  return reason.code === 'registered_nothing' ? check('account-after-success') : []
}

const LET_IN_BY: Readonly<Partial<Record<FaultStory, RpCheckName>>> = {
  'sign-in-revisited': 'another-browser',
  'sign-in-twice': 'message-for-each-request',
  'registration-by-stranger': 'stranger-kept-out',
  'registration-alike': 'user-id-for-each-account',
}

const STORIES = { ...SIGN_IN_STORIES, ...REGISTRATION_STORIES, ...PASSKEY_STORIES } as const satisfies Readonly<
  Record<FaultStory, (stage: Stage) => Promise<Ending>>
>

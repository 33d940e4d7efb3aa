import { errors } from '../../src-main/contract/errors.ts'
import { wordOf } from '../../src-main/contract/judge/failure-words.ts'
import { isPassingRefusal } from '../../src-main/contract/passing-refusal.ts'
import type { Happening, Message } from '../../src-main/timeline/timeline.ts'
import type { StoryPhone } from './story.ts'

type Act = NonNullable<Happening['act']>
type Struck = NonNullable<Happening['struck']>

export type PlayedSteps = {
  /** What has to be armed before the RP asks. */
  readonly armed: readonly string[]
  /** What follows until the message has ended. */
  readonly steps: readonly string[]
}

/** What the phone did about a message, step by step, as far as it decided how the message ended. */
export const playSteps = (message: Message, phone: StoryPhone): PlayedSteps => {
  const course = sinceTroubles(message.struck?.course ?? [])
  // Where a fault waits for the clock, the clock goes as it went.
  const timed = course.some(({ act, struck }) => act?.waits === true || struck?.stage === 'push')
  const armed: string[] = []
  const steps: string[] = []
  let now = message.startedBench
  let opened = false
  let answered = false
  let waits = false
  const moveTo = (bench: number): void => {
    if (!timed || bench <= now) return
    steps.push(`advance: { ms: ${bench - now} }`)
    now = bench
  }
  const open = (): void => {
    steps.push(message.method === 'push' ? 'open: { phone: phone }' : 'scan: { phone: phone }')
    opened = true
  }
  for (const { act, struck, bench } of course) {
    if (struck !== undefined) {
      const before = steps.length === 0 ? armed : steps
      before.push(...armSteps(struck))
      if (struck.stage === 'push')
        steps.push(`wait: { kind: phone, struck: { stage: push, faults: ${JSON.stringify(struck.faults)} } }`)
    }
    if (act === undefined) continue
    moveTo(bench)
    const opens = isOpening(act)
    if (!opens && !opened) open()
    if (!waits) steps.push(actStep(act, message, phone))
    waits = act.waits === true
    if (opens) opened = act.refused === undefined
    else answered = true
  }
  if (!opened && course.every(({ act }) => act === undefined) && wasBound(message)) open()
  if (!answered && wasAnswered(message)) steps.push(actStep(impliedAnswer(message), message, phone))
  if (message.state === 'timeout' && now < message.expiresAt) steps.push('advance: { to: next-expiry }')
  return { armed, steps }
}

/** What the service refused for the moment left nothing behind, and it may not be refused the next time. */
const sinceTroubles = (course: readonly Happening[]): readonly Happening[] => {
  const lost = course.findLastIndex((each, i) => isTrouble(each) && !goesOn(course.slice(i + 1)))
  return course.slice(lost + 1).filter((each) => !isTrouble(each))
}

const isTrouble = ({ act }: Happening): boolean => isPassingRefusal(act?.refused?.code ?? 0)

/** The phone answers what it was asked before the trouble, with the faults that it had then. */
const goesOn = (after: readonly Happening[]): boolean => {
  const next = after.find(({ act }) => act !== undefined)?.act
  return next !== undefined && !isOpening(next)
}

const isOpening = ({ did }: Act): boolean => did === 'scan' || did === 'open'

const wasAnswered = ({ state }: Message): boolean => state === 'success' || state === 'fail'

const wasBound = (message: Message): boolean => (message.svcUser ?? '') !== '' || wasAnswered(message)

/** Nothing was kept of an honest phone: how the message ended says what it did. */
const impliedAnswer = ({ msgId: msg_id, state, verdict }: Message): Act => ({
  msg_id,
  did: state === 'success' || verdict !== undefined ? 'approve' : 'reject',
})

const armSteps = ({ faults, parameters }: Struck): readonly string[] =>
  faults.map((fault) => {
    const chosen = parameters?.[fault] ?? {}
    const changed = Object.keys(chosen).length === 0 ? '' : `, parameters: ${JSON.stringify(chosen)}`
    return `arm: { phone: phone, fault: ${fault}${changed} }`
  })

const actStep = ({ did, storage, refused }: Act, message: Message, phone: StoryPhone): string => {
  const step = `${did === 'decline' ? 'reject' : did}: { ${['phone: phone', ...choices(did, message, storage ?? phone.storage)].join(', ')} }`
  return refused === undefined ? step : `{ ${step}, refused: ${refused.code ?? errors.phone_refused.code} }`
}

const choices = (did: Act['did'], { ceremony, error }: Message, storage: string): readonly string[] => {
  if (did === 'approve') return ceremony === 'registration' ? [`storage: ${storage}`] : []
  const word = wordOf(error)
  return (did !== 'reject' && did !== 'decline') || word === '' || word === 'user_rejected' ? [] : [`reason: ${word}`]
}

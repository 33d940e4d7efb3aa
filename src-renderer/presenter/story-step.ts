import type { ControlPhone } from '../../src-main/core/contract/control/states.ts'
import { failureWord, isFinal } from '../../src-main/core/protocol/message-state.ts'
import type { Message, Row, Timeline } from '../../src-main/views/timeline/timeline.ts'
import type { ChapterAct, Script } from './chapters.ts'
import type { Deed } from './deeds.ts'

type Asked = Pick<Message, 'ceremony' | 'state' | 'error' | 'askedBy' | 'msgId'>

export type StoryFacts<M extends Asked = Asked> = {
  /** The requests of this chapter, oldest first. */
  readonly messages: readonly M[]
  readonly revoked: boolean
}

export type Trouble = 'fail' | 'timeout' | 'accepted'

export type StoryPosition<M extends Asked = Asked> = {
  readonly step: number
  /** The message on the bank's page. */
  readonly message: M | undefined
  /** Set if the last request did not end as the act requires; the story then stays at the step before it. */
  readonly trouble?: Trouble
}

/** Derives a chapter's step from its events alone, whether the keyboard or a touch on the phone caused them. */
export const storyPosition = <M extends Asked>(
  { acts, beats }: Script,
  { messages, revoked }: StoryFacts<M>,
): StoryPosition<M> => {
  let over = 0
  let message: M | undefined
  let trouble: Trouble | undefined
  for (const each of messages) {
    const act = acts[over]
    if (act === undefined || each.askedBy !== act.by || each.ceremony !== act.ceremony) continue
    message = each
    const ended = isFinal(each.state)
    trouble = ended ? troubleOf(each, act) : undefined
    if (ended && trouble === undefined) over++
  }
  const open = message === undefined || isFinal(message.state) ? -1 : message.state === 'init' ? 0 : 1
  const isReached = ({ at }: Script['beats'][number]): boolean => {
    if (at === undefined) return true
    if (at === 'revoked') return revoked
    const [act, state] = at
    return act < over || (act === over && state !== 'over' && open >= RANK[state])
  }
  const missed = beats.findIndex((beat) => !isReached(beat))
  const step = missed === -1 ? beats.length - 1 : missed - 1
  return { step, message, ...(trouble === undefined ? {} : { trouble }) }
}

const RANK = { init: 0, bind: 1 } as const

const troubleOf = ({ state, error }: Asked, { ends }: ChapterAct): Trouble | undefined => {
  if (state === 'timeout') return 'timeout'
  if (state === 'success') return ends === 'success' ? undefined : 'accepted'
  return failureWord(error) === ends ? undefined : 'fail'
}

export type Scene = {
  readonly message: Pick<Message, 'msgId' | 'state'> | undefined
  readonly phone: Pick<ControlPhone, 'screen' | 'notifications'> | undefined
  /** True if the phone's camera is open, which covers its screen. */
  readonly scanning: boolean
}

/** A push needs a moment to arrive, and a request a moment to be drawn. */
export const isReady = (deed: Deed, { message, phone, scanning }: Scene): boolean => {
  if (deed === 'replace') return true
  if (phone === undefined) return false
  switch (deed) {
    case 'scan':
      return message?.state === 'init'
    case 'open':
      return phone.notifications.some(({ msg_id }) => msg_id === message?.msgId)
    case 'touch':
      return phone.screen.kind === 'request' && !scanning
    default:
      return true
  }
}

/** The next step's sentence is shown as soon as that step is in progress. */
export const shownStep = (step: number, target: number | undefined): number =>
  target === undefined ? step : Math.min(target, step + 1)

/** The target of a press on *Next*; undefined if it would skip a step that the audience has not seen. */
export const nextStep = (step: number, target: number | undefined, last: number): number | 'leave' | undefined => {
  const from = target ?? step
  if (from >= last) return target === undefined ? 'leave' : undefined
  return from > shownStep(step, target) ? undefined : from + 1
}

/** Milliseconds, a little more than it takes to read the sentence aloud. */
export const readingTime = (sentence: string): number => 2200 + 260 * wordCount(sentence)

/** Chinese has no spaces between words; a word has two characters on average. */
const wordCount = (sentence: string): number => {
  const characters = sentence.match(/\p{Script=Han}/gu)?.length ?? 0
  return characters === 0 ? sentence.split(/\s+/).length : Math.ceil(characters / 2)
}

/** This bank's requests since the chapter began, without those that set up the chapter. */
export const storyFacts = ({ groups }: Timeline, { rp, after }: { readonly rp: string; readonly after: number }) => {
  const messages: Message[] = []
  let revoked = false
  for (const { message, rows } of groups.latest(MAX_GROUPS)) {
    if (message !== undefined) {
      if (message.rpId === rp && message.askedBy !== 'stage' && message.askedBy !== undefined) messages.push(message)
    } else {
      revoked ||= rows.findLast((row) => isRevocation(row) && row.id > after) !== undefined
    }
  }
  return { messages, revoked } satisfies StoryFacts<Message>
}

const MAX_GROUPS = 2000

const isRevocation = ({ route, code }: Row): boolean => route === 'DELETE rp/credentials' && code === 0

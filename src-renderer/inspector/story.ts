import type { ControlPhone } from '../../src-main/contract/control/states.ts'
import type { Message, Timeline } from '../../src-main/timeline/timeline.ts'
import type { BenchState } from '../bench/bench-state.ts'

/** What a scenario needs to know of a phone. */
export type StoryPhone = Pick<ControlPhone, 'name' | 'storage'> & Partial<Pick<ControlPhone, 'model' | 'algorithm'>>

/** What happened to a message, and what had to be so for it. */
export type Story = {
  readonly message: Message
  readonly phone: StoryPhone
  readonly profile: Readonly<Record<string, unknown>>
  /** The user had signed in with this phone before. */
  readonly signedInBefore: boolean
  /** A message that was open on the phone as well, and got the answer to this one. */
  readonly other?: Message
  /** Which of the two it is about. */
  readonly about: 'message' | 'other'
}

/** Of a request that no phone of this bench answered. */
const UNKNOWN_PHONE: StoryPhone = { name: 'Alice', storage: 'cloud' }

export const storyOf = (
  { timeline, phones, profileChanges }: Pick<BenchState, 'timeline' | 'phones' | 'profileChanges'>,
  asked: Message,
): Story => {
  const astray = asked.struck === undefined ? answeredInstead(timeline, asked) : undefined
  const message = astray ?? asked
  const other = astray === undefined ? gotAnswerOf(timeline, asked) : asked
  const phone = phones.find(({ id, device_id }) =>
    message.struck === undefined
      ? device_id !== undefined && device_id === message.deviceId
      : id === message.struck.phoneId,
  )
  return {
    message,
    phone: phone ?? phones[0] ?? UNKNOWN_PHONE,
    profile: profileChanges,
    signedInBefore:
      message.struck !== undefined && before(timeline, message).some((each) => isSignInLike(each, message)),
    about: astray === undefined ? 'message' : 'other',
    ...(other === undefined ? {} : { other }),
  }
}

const isSignInLike = ({ ceremony, state, userId, deviceId }: Message, message: Message): boolean =>
  ceremony === 'authentication' && state === 'success' && userId === message.userId && deviceId === message.deviceId

/** How far around a message is looked for what belongs to it. */
const REACH = 500

const messagesBetween = ({ groups }: Timeline, from: number, to: number): readonly Message[] => {
  const found: Message[] = []
  for (let place = Math.max(from, groups.first); place < Math.min(to, groups.end); place++) {
    const message = groups.get(place)?.message
    if (message !== undefined) found.push(message)
  }
  return found
}

const placeOf = ({ places }: Timeline, { msgId }: Message): number => places.ofGroup.get(msgId) ?? 0

const before = (timeline: Timeline, message: Message): readonly Message[] => {
  const place = placeOf(timeline, message)
  return messagesBetween(timeline, place - REACH, place)
}

/** The message that was judged by the answer which a phone meant for this one. */
const gotAnswerOf = (timeline: Timeline, { struck, verdict, ...message }: Message): Message | undefined => {
  if (verdict !== undefined) return undefined
  const answered = struck?.course.find(({ act }) => act?.did === 'approve' && !act.waits && act.refused === undefined)
  if (answered === undefined) return undefined
  return before(timeline, message)
    .filter(({ deviceId, ceremony }) => deviceId === message.deviceId && ceremony === message.ceremony)
    .filter((other) => other.verdict !== undefined && other.verdict < answered.seq)
    .sort((a, b) => (a.verdict ?? 0) - (b.verdict ?? 0))
    .at(-1)
}

/** The message whose answer this one got instead of its own. */
const answeredInstead = (timeline: Timeline, message: Message): Message | undefined => {
  if (message.state !== 'fail' || message.verdict === undefined) return undefined
  const place = placeOf(timeline, message)
  return messagesBetween(timeline, place + 1, place + REACH).find(
    (later) =>
      later.struck !== undefined &&
      later.deviceId === message.deviceId &&
      gotAnswerOf(timeline, later)?.msgId === message.msgId,
  )
}

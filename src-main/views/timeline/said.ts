import type { RowName, TimelineWords } from '../../core/messages/en/timeline-words.ts'
import { failureWord } from '../../core/protocol/message-state.ts'
import { elapsedText, minuteSecond } from './durations.ts'
import { type Group, isPoll, type Look, type Message } from './timeline.ts'

export const rowText = (row: Look, words: TimelineWords): string => {
  // A read that changed or ended the message is more than a poll.
  if (row.route.endsWith('/result') && !isPoll(row)) return words.read
  return Object.hasOwn(words.words, row.route) ? words.words[row.route as RowName] : words.otherCall
}

export const groupText = ({ message }: Pick<Group, 'message'>, words: TimelineWords) => {
  if (message === undefined) return { title: words.calls, sub: words.callsSub }
  const registers = message.ceremony === 'registration'
  const by = words.by[registers ? 'qrcode' : (message.method ?? 'qrcode')]
  return { title: registers ? words.register : words.signIn, sub: `${message.username} ${by}` }
}

/** `success`, or the failure code, such as `user_rejected`. */
export const verdictText = ({ state, error }: Pick<Message, 'state' | 'error'>): string =>
  state === 'fail' && error !== undefined ? failureWord(error) : state

/** `2:24 left` before its end, `6.2 s` after it. */
export const messageTime = (
  { endedWall, startedWall, expiresAt }: Message,
  benchNow: number,
  words: TimelineWords,
): string =>
  endedWall === undefined ? words.left(minuteSecond(expiresAt - benchNow)) : elapsedText(endedWall - startedWall)

export const methodText = (
  { ceremony, method = 'qrcode' }: Pick<Message, 'ceremony' | 'method'>,
  words: TimelineWords,
): string => words.method[ceremony === 'registration' ? 'qrcode' : method]

export const VERDICT_MARKS = { init: '', bind: '', success: '✓ ', fail: '✗ ', timeout: '⧗ ' } as const satisfies Record<
  Message['state'],
  string
>

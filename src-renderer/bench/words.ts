import { wordOf } from '../../src-main/contract/judge/failure-words.ts'
import type { Tone } from '../ui/chip.tsx'
import { elapsed, minuteSecond } from '../ui/format.ts'
import { texts } from '../ui/texts.ts'
import type { Look } from './look.ts'
import type { Selection } from './selection.ts'
import { type Group, isPoll, type Message } from './timeline.ts'

/** What a row is, in plain words. */
export const wordsOf = (row: Look): string => {
  const words = texts.timeline
  // A read that brought something, or ended the lane, is more than a poll.
  if (row.route.endsWith('/result') && !isPoll(row)) return words.read
  return words.words[row.route] ?? words.otherCall
}

export const groupTitle = (group: Pick<Group, 'message'>): { readonly title: string; readonly sub: string } => {
  const words = texts.timeline
  const { message } = group
  if (message === undefined) return { title: words.calls, sub: words.callsSub }
  const by = message.ceremony === 'registration' ? words.by.qrcode : words.by[message.method ?? 'qrcode']
  return {
    title: message.ceremony === 'registration' ? words.register : words.signIn,
    sub: `${message.username} ${by}`,
  }
}

const MARKS = { init: '', bind: '', success: '✓ ', fail: '✗ ', timeout: '⧗ ' } as const satisfies Record<
  Message['state'],
  string
>

/** For the title of the page’s tab. */
export const selectionTitle = ({ row, message }: Pick<Selection, 'row' | 'message'>): string => {
  if (message === undefined) return wordsOf(row)
  const { title, sub } = groupTitle({ message })
  return `${MARKS[message.state]}${title} ${sub} · ${wordsOf(row)}`
}

export const stateTone = {
  init: 'neutral',
  bind: 'accent',
  success: 'ok',
  fail: 'fail',
  timeout: 'warn',
} as const satisfies Record<Message['state'], Tone>

/** `bind, 2:24 left` while it is under way, `success in 6.2 s` or `fail: user_rejected` when it is over. */
export const stateText = (message: Message, benchNow: number): string => {
  const word = texts.states[message.state]
  return message.endedWall === undefined
    ? texts.timeline.left(word, minuteSecond(message.expiresAt - benchNow))
    : message.state === 'fail' && message.error !== undefined
      ? `${word}: ${wordOf(message.error)}`
      : texts.timeline.ended(word, elapsed(message.endedWall - message.startedWall))
}

import { wordOf } from '../../src-main/contract/judge/failure-words.ts'
import type { Look } from '../../src-main/timeline/look.ts'
import { type Group, isPoll, type Message } from '../../src-main/timeline/timeline.ts'
import type { Tone } from '../ui/chip.tsx'
import { elapsed, minuteSecond } from '../ui/format.ts'
import { texts } from '../ui/texts.ts'
import type { Selection } from './selection.ts'

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

export const verdictMark = { init: '', bind: '', success: '✓ ', fail: '✗ ', timeout: '⧗ ' } as const satisfies Record<
  Message['state'],
  string
>

/** For the title of the page’s tab. */
export const selectionTitle = ({ row, message }: Pick<Selection, 'row' | 'message'>): string => {
  if (message === undefined) return wordsOf(row)
  const { title, sub } = groupTitle({ message })
  return `${verdictMark[message.state]}${title} ${sub} · ${wordsOf(row)}`
}

export const stateTone = {
  init: 'neutral',
  bind: 'accent',
  success: 'ok',
  fail: 'fail',
  timeout: 'warn',
} as const satisfies Record<Message['state'], Tone>

/** `success`, or the word by which it failed: `user_rejected`. */
export const verdictWord = ({ state, error }: Pick<Message, 'state' | 'error'>): string =>
  state === 'fail' && error !== undefined ? wordOf(error) : texts.states[state]

/** `2:24 left` while it is under way, `6.2 s` when it is over. */
export const timeTaken = ({ endedWall, startedWall, expiresAt }: Message, benchNow: number): string =>
  endedWall === undefined ? texts.timeline.left(minuteSecond(expiresAt - benchNow)) : elapsed(endedWall - startedWall)

/** By a code on the screen or by a push. */
export const methodWord = ({ ceremony, method = 'qrcode' }: Pick<Message, 'ceremony' | 'method'>): string =>
  texts.timeline.method[ceremony === 'registration' ? 'qrcode' : method]

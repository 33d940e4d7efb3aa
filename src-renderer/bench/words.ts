import type { Look } from '../../src-main/views/timeline/look.ts'
import {
  saidOfGroup,
  saidOfMethod,
  saidOfRow,
  saidOfTime,
  saidOfVerdict,
  VERDICT_MARKS,
} from '../../src-main/views/timeline/said.ts'
import type { Group, Message } from '../../src-main/views/timeline/timeline.ts'
import type { Tone } from '../ui/chip.tsx'
import { texts } from '../ui/texts.ts'
import type { Selection } from './selection.ts'

/** What a row is, in plain words. */
export const wordsOf = (row: Look): string => saidOfRow(row, texts.timeline)

export const groupTitle = (group: Pick<Group, 'message'>) => saidOfGroup(group, texts.timeline)

export const verdictWord = (message: Pick<Message, 'state' | 'error'>): string => saidOfVerdict(message, texts.timeline)

export const timeTaken = (message: Message, benchNow: number): string => saidOfTime(message, benchNow, texts.timeline)

export const methodWord = (message: Pick<Message, 'ceremony' | 'method'>): string =>
  saidOfMethod(message, texts.timeline)

/** For the title of the page’s tab. */
export const selectionTitle = ({ row, message }: Pick<Selection, 'row' | 'message'>): string => {
  if (message === undefined) return wordsOf(row)
  const { title, sub } = groupTitle({ message })
  return `${VERDICT_MARKS[message.state]}${title} ${sub} · ${wordsOf(row)}`
}

export const stateTone = {
  init: 'neutral',
  bind: 'accent',
  success: 'ok',
  fail: 'fail',
  timeout: 'warn',
} as const satisfies Record<Message['state'], Tone>

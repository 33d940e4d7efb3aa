import type { Surroundings } from '../../src-main/views/timeline/search-terms.ts'
import { hourMinuteSecond } from '../ui/format.ts'
import { messages } from '../ui/messages.ts'
import { texts } from '../ui/texts.ts'

/** The words of this page, by which it searches. */
export const surroundings = (known: Partial<Pick<Surroundings, 'rpName' | 'page'>> = {}): Surroundings => ({
  rpName: (id) => id,
  page: () => '',
  ...known,
  words: texts.timeline,
  sentences: messages,
  clock: hourMinuteSecond,
})

import type { StepWord } from '../../core/contract/scenario.ts'
import { benchWords } from './words/bench-words.ts'
import { eventWords } from './words/event-words.ts'
import { ownRpWords } from './words/own-rp-words.ts'
import { phoneWords } from './words/phone-words.ts'
import { rpWords } from './words/rp-words.ts'
import type { Word } from './words/word.ts'

export const scenarioWords: { readonly [W in StepWord]: Word<W> } = {
  ...rpWords,
  ...phoneWords,
  ...benchWords,
  ...eventWords,
  ...ownRpWords,
}

/** With these something new begins. */
export const BEGINNINGS: ReadonlySet<string> = new Set<StepWord>(['register', 'sign_in'])

/**
 * These only look: the step after them looks back to where the step before them began. A wait that follows a wait looks
 * on from what the first one found.
 */
export const LOOKS: ReadonlySet<string> = new Set<StepWord>([
  ...(['wait', 'no_event', 'mark', 'expect_events', 'expect_output', 'check'] as const),
])

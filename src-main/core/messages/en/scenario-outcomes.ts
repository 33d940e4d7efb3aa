import type { StepOutcomeParams, StepResult } from '../../contract/scenario/outcomes.ts'
import { phoneText } from '../messages.ts'
import { en } from './en.ts'
import { endText, problemTexts } from './scenario-problems.ts'

type Texts = { readonly [Code in keyof StepOutcomeParams]: (params: StepOutcomeParams[Code]) => string }

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`

const scenarioOutcomes: Texts = {
  value: ({ text }) => text,
  asks: ({ kind, rp }) => (kind === 'registration' ? `asks: register with ${rp}?` : `asks: sign in to ${rp}?`),
  carried_out: ({ kind, rp }) => (kind === 'registration' ? `registered with ${rp}` : `signed in to ${rp}`),
  shows: ({ screen }) => `shows ${screen}`,
  phone_says: (trouble) => phoneText(en, trouble),
  prompt_gone: () => 'gone',
  phone_removed: () => 'removed',
  credentials_left: ({ count }) => `${counted(count, 'passkey')} left`,
  armed: ({ left, probability, begun }) =>
    `${left === undefined ? `with probability ${probability}` : counted(left, 'time')}${
      begun === undefined ? '' : ', from the next attempt on: one that has begun goes on without it'
    }`,
  none_armed: () => 'no fault armed',
  disarmed: ({ count }) => `${counted(count, 'fault')} disarmed`,
  refused: ({ problem }) => problemTexts(problem).received,
  credentials_deleted: ({ count }) => `${counted(count, 'passkey')} deleted`,
  event: ({ seq }) => `event ${seq}`,
  no_event: () => 'none',
  marked: ({ seq }) => `after event ${seq}`,
  events: ({ count }) => counted(count, 'event'),
  started: () => 'started',
  ready: () => 'ready',
  ended: ({ ended }) => endText(ended),
}

export const outcomeText = (outcome: StepResult): string => {
  const text = scenarioOutcomes[outcome.code] as (params: unknown) => string
  return text('params' in outcome ? outcome.params : {})
}

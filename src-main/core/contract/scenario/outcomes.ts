import { type Coded, type ParamsOf, textOf } from '../../protocol/coded.ts'
import { endText, englishPhoneText, type ProgramEnd, problemTexts, type StepProblem } from './problems.ts'

type Ceremony = { readonly kind: 'registration' | 'authentication'; readonly rp: string }
type Count = { readonly count: number }
type Event = { readonly seq: number }

type Named = { readonly name: string }

/** What a scenario does before its steps, in English. */
const scenarioHead = {
  vars: 'The variables are filled in',
  profile: 'The workspace is opened with its profile',
  rps: ({ name }: Named) => `The RP ${name} is made`,
  phones: ({ name }: Named) => `The phone ${name} is made`,
}

export type ScenarioHead = Coded<ParamsOf<typeof scenarioHead>>

export const headTitle = (head: ScenarioHead): string => textOf(scenarioHead, head)

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`

/** Outcomes of a step, in English. */
const stepOutcomes = {
  /** Unchanged text: an id, an address, a state, JSON. */
  value: ({ text }: { text: string }) => text,
  asks: ({ kind, rp }: Ceremony) =>
    kind === 'registration' ? `asks: register with ${rp}?` : `asks: sign in to ${rp}?`,
  carried_out: ({ kind, rp }: Ceremony) => (kind === 'registration' ? `registered with ${rp}` : `signed in to ${rp}`),
  shows: ({ screen }: { screen: string }) => `shows ${screen}`,
  phone_says: englishPhoneText,
  prompt_gone: 'gone',
  phone_removed: 'removed',
  credentials_left: ({ count }: Count) => `${counted(count, 'passkey')} left`,
  /** A fault of a phone or the service, and how often it triggers. `begun`: attempts under way, not affected. */
  armed: ({ left, probability, begun }: { left?: number; probability?: number; begun?: number }) =>
    `${left === undefined ? `with probability ${probability}` : counted(left, 'time')}${
      begun === undefined ? '' : ', from the next attempt on: one that has begun goes on without it'
    }`,
  none_armed: 'no fault armed',
  disarmed: ({ count }: Count) => `${counted(count, 'fault')} disarmed`,
  refused: ({ problem }: { problem: StepProblem }) => problemTexts(problem).received,
  credentials_deleted: ({ count }: Count) => `${counted(count, 'passkey')} deleted`,
  event: ({ seq }: Event) => `event ${seq}`,
  no_event: 'none',
  marked: ({ seq }: Event) => `after event ${seq}`,
  events: ({ count }: Count) => counted(count, 'event'),
  started: 'started',
  ready: 'ready',
  ended: ({ ended }: { ended: ProgramEnd }) => endText(ended),
}

export type StepResult = Coded<ParamsOf<typeof stepOutcomes>>

export const outcomeText = (outcome: StepResult): string => textOf(stepOutcomes, outcome)

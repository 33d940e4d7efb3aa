import type { MessageKind } from '../protocol/message-address.ts'

/** Faults that the phone itself commits on the way, where the authenticator's answer is in order. */
type FaultRow = {
  readonly title: string
  /** message: from opening to the verdict; push: on its way into the phone. */
  readonly strikes: 'message' | 'push'
  readonly group: 'protocol' | 'transport' | 'time'
  readonly ceremonies: readonly MessageKind[]
  readonly parameters?: Readonly<Record<string, FaultParameter>>
}

export type FaultParameter = { readonly kind: 'ms'; readonly default: number } | { readonly kind: 'msg_id' }

const both = ['registration', 'authentication'] as const
const authentication = ['authentication'] as const

export const PHONE_FAULTS = {
  answer_twice: {
    title: 'Answers, and then answers again with something else.',
    strikes: 'message',
    group: 'protocol',
    ceremonies: both,
  },
  answer_from_another_phone: {
    title: 'The answer comes from a phone of the account that has not scanned.',
    strikes: 'message',
    group: 'protocol',
    ceremonies: both,
  },
  answer_to_another_message: {
    title: 'The answer goes to another message.',
    strikes: 'message',
    group: 'protocol',
    ceremonies: both,
    parameters: { msg_id: { kind: 'msg_id' } },
  },
  answer_of_wrong_ceremony: {
    title: 'A registration is answered as a sign-in, a sign-in as a registration.',
    strikes: 'message',
    group: 'protocol',
    ceremonies: both,
  },
  answer_after_expiry: {
    title: 'Answers one second after the request has expired.',
    strikes: 'message',
    group: 'time',
    ceremonies: both,
  },
  slow_upload: {
    title: 'The answer leaves the phone in small pieces.',
    strikes: 'message',
    group: 'transport',
    ceremonies: both,
    parameters: { ms: { kind: 'ms', default: 3000 } },
  },
  lost_response: {
    title: 'The connection breaks before the verdict reaches the phone.',
    strikes: 'message',
    group: 'transport',
    ceremonies: both,
  },
  duplicated_upload: {
    title: 'The same answer arrives twice at once.',
    strikes: 'message',
    group: 'transport',
    ceremonies: both,
  },
  app_killed: {
    title: 'The app is closed after scanning; nobody answers.',
    strikes: 'message',
    group: 'transport',
    ceremonies: both,
  },
  push_lost: {
    title: 'The push never reaches the phone.',
    strikes: 'push',
    group: 'transport',
    ceremonies: authentication,
  },
  push_late: {
    title: 'The push reaches the phone late.',
    strikes: 'push',
    group: 'transport',
    ceremonies: authentication,
    parameters: { ms: { kind: 'ms', default: 30_000 } },
  },
  push_twice: {
    title: 'The push reaches the phone a second time.',
    strikes: 'push',
    group: 'transport',
    ceremonies: authentication,
    parameters: { ms: { kind: 'ms', default: 1000 } },
  },
} as const satisfies Record<string, FaultRow>

export type PhoneFaultName = keyof typeof PHONE_FAULTS

export const phoneFaultNamed = (name: string): FaultRow | undefined =>
  Object.hasOwn(PHONE_FAULTS, name) ? PHONE_FAULTS[name as PhoneFaultName] : undefined

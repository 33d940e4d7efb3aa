import type { PhoneActionName } from '../../src-main/authenticator/faults/phone-actions.ts'
import { answersAmong, type Sent } from './sent.ts'

export type Told = {
  /** What the phone sends about the message when nothing is wrong: it binds, and it answers. */
  readonly bind: Sent
  readonly answer: Sent
  /** What it sent with the fault. */
  readonly struck: readonly Sent[]
  /** What it had sent about earlier messages. */
  readonly before: readonly Sent[]
  readonly outcome: string | number
}

type SentUnder = Readonly<Record<PhoneActionName, (told: Told) => readonly Sent[]>>

const honest = ({ bind, answer }: Told) => [bind, answer]
const twice = ({ bind, answer }: Told) => [bind, answer, answer]
const bindOnly = ({ bind }: Told) => [bind]
const nothing = () => []
const withBody =
  (change: (body: string) => string) =>
  ({ bind, answer }: Told) => [bind, { ...answer, body: change(answer.body) }]

/** The last thing that the phone sent, if it is an answer of its own and not the honest one. */
const otherAnswer = ({ answer, struck }: Told): Sent => {
  const last = struck.at(-1)
  if (last === undefined || last.body === answer.body || !('response' in JSON.parse(last.body)))
    throw new Error('no other answer')
  return { ...answer, body: last.body }
}

const otherDevice = ({ struck }: Told, from: Sent): Sent => {
  const device = struck.map((sent) => sent.device).find((each) => each !== undefined && each !== from.device)
  if (device === undefined) throw new Error('nothing came from another phone')
  return { ...from, device }
}

const otherCeremony = (path: string): string =>
  path.endsWith('/attestation') ? path.replace(/attestation$/, 'assertion') : path.replace(/assertion$/, 'attestation')

const otherMessage = ({ answer, before }: Told): Sent => {
  const bound = before.findLast(({ path }) => path.endsWith('/bind'))
  if (bound === undefined) throw new Error('no other message was bound')
  return { ...answer, path: bound.path.replace(/bind$/, answer.path.split('/').at(-1) ?? '') }
}

const earlierAnswer = ({ answer, before }: Told): Sent => {
  const earlier = answersAmong(before).at(-1)
  if (earlier === undefined) throw new Error('there was no earlier answer')
  return { ...answer, body: earlier.body }
}

/** What phones send under each of their faults: honest bytes, at the wrong time, in the wrong place or too often. */
export const SENT_UNDER: SentUnder = {
  'lose-push': nothing,
  'delay-push': (told) => (told.outcome === 'success' ? honest(told) : []),
  'repeat-push': (told) => [...honest(told), told.bind],

  'stop-after-scan': bindOnly,
  'bind-twice': (told) => [told.bind, ...honest(told)],
  'bind-from-other-phone': (told) => [told.bind, otherDevice(told, told.bind), told.answer],
  'bind-after-expiry': bindOnly,
  'skip-bind': (told) => [otherAnswer(told)],

  'answer-twice': twice,
  'answer-differently': (told) => [...honest(told), otherAnswer(told)],
  'answer-from-other-phone': (told) => [told.bind, otherDevice(told, told.answer)],
  'answer-other-message': (told) => [told.bind, otherMessage(told)],
  'answer-at-other-endpoint': ({ bind, answer }) => [bind, { ...answer, path: otherCeremony(answer.path) }],
  'replay-answer': (told) => [told.bind, earlierAnswer(told)],
  'reject-after-answer': (told) => [...honest(told), { ...told.bind, path: told.bind.path.replace(/bind$/, 'reject') }],
  'answer-after-expiry': honest,
  'answer-at-last-moment': honest,
  'answer-later': honest,
  // Refused by its head; a body as small as this is read all the same.
  'drop-token': ({ bind, answer }) => [bind, { ...answer, device: undefined }],

  'upload-slowly': honest,
  'upload-twice-at-once': twice,
  'lose-response': twice,
  'lose-response-for-good': honest,
  // What was cut off never became a request.
  'cut-upload': bindOnly,
  'cut-upload-and-retry': honest,
  'upload-not-json': withBody((body) => body.slice(0, -1)),
  'upload-array': withBody((body) => `[${body}]`),
  'upload-as-text': ({ bind, answer }) => [bind, { ...answer, type: 'text/plain' }],
  // Refused by its length, before anybody reads it or asks who sends it.
  'upload-too-large': ({ bind, answer }) => [bind, { ...answer, body: '', device: undefined }],
  'upload-empty': withBody(() => ''),
}

import { errorNameOf } from '../contract/errors.ts'
import { type BenchEvent, type EventOf, isSignatureMismatch } from '../contract/events.ts'
import type { Evidence } from '../contract/judge/evidence.ts'
import { phoneText } from '../contract/phone-trouble.ts'
import { textOf, textOrData } from '../protocol/coded.ts'
import { isObject, parseJsonOrNothing } from '../protocol/json.ts'
import { timelineWords } from './en/timeline-words.ts'
import { failureText } from './failure-text.ts'
import type { Messages } from './messages.ts'
import { type AnswerDifference, findDifferences, findSentAndHonest, shorten } from './sent-and-honest.ts'

/** A likely cause of a failed test. `seq`: the last event that shows it; `times`: how often it happened. */
export type Finding = Line & { readonly seq: number; readonly times: number }

type Line = {
  readonly text: string
  /** A fault that triggered, of a phone or of the service. */
  readonly fault?: string
  /** The sent values next to the honest ones, where those are known. */
  readonly lies?: readonly AnswerDifference[]
}

type Context = {
  readonly messages: Messages
  /** The last event of each message. */
  readonly latest: ReadonlyMap<string, EventOf<'message'>>
  /** Messages whose result the RP has read. */
  readonly read: ReadonlySet<string>
  /** The values that each message's phone sent under faults, and the last event that shows them. */
  readonly sent: ReadonlyMap<string, { readonly seq: number; readonly lies: readonly AnswerDifference[] }>
  /** The message that began last. */
  readonly last: string | undefined
}

/** A sentence for each failure, refusal, late event and missing event, oldest first. */
export const findingsOf = (events: readonly BenchEvent[], messages: Messages): readonly Finding[] => {
  const latest = new Map(events.flatMap((event) => (event.kind === 'message' ? [[event.msg_id, event]] : [])))
  const read = new Set(events.flatMap((event) => (event.kind === 'delivery' ? event.msg_id : [])))
  const context = { messages, latest, read, sent: sentUnder(events, messages), last: [...latest.keys()].at(-1) }
  const found = new Map<string, Finding>()
  for (const event of events) {
    for (const line of linesOf(event, context)) {
      const { text } = line
      const times = (found.get(text)?.times ?? 0) + 1
      // A repeated finding moves to the end, after what happened in between.
      found.delete(text)
      found.set(text, { ...line, seq: event.seq, times })
    }
  }
  return [...found.values()]
}

export const findingLine = ({ text, lies = [] }: Line): string =>
  [text, ...lies.map((lie) => `${differenceText(lie)}.`)].join(' ').replace(/\p{Cc}+/gu, ' ')

/** `mark` highlights the values. */
export const differenceText = (
  { member, sent, honest }: AnswerDifference,
  mark = (value: string): string => value,
): string => `${member === '' ? '' : `${mark(member)} `}Sent ${marked(sent, mark)} · honest ${marked(honest, mark)}`

const marked = (value: string | undefined, mark: (value: string) => string): string =>
  value === undefined ? 'nothing' : mark(value)

const sentUnder = (events: readonly BenchEvent[], { evidence }: Messages): Context['sent'] => {
  const judged = new Map(
    events.flatMap((event) => (event.kind === 'verdict' && !event.accepted ? [[event.msg_id, event.steps]] : [])),
  )
  return new Map(
    events.flatMap((event) => {
      if (event.kind !== 'phone' || event.struck === undefined) return []
      const { msg_id } = event.struck
      const values = findSentAndHonest(judged.get(msg_id) ?? [])
      if (values === undefined) return []
      const textIn = (value: Evidence): string => shorten(textOrData(evidence, value))
      const [sent, honest] = [textIn(values.sent), textIn(values.honest)]
      return [[msg_id, { seq: event.seq, lies: [{ member: '', sent, honest }] }]]
    }),
  )
}

const plain = (event: BenchEvent): string =>
  [event.kind, ...('change' in event ? [event.change] : 'stage' in event ? [event.stage] : [])].join(' ')

/** Other kinds are summed up by their name and their change or stage. */
const SUMMARIES: { readonly [K in BenchEvent['kind']]?: (event: EventOf<K>) => string } = {
  exchange: ({ request, response, faults = [] }) =>
    `${request.method} ${request.target} → ${response.status}${response.code === 0 ? '' : ` (${response.code})`}${changedBy(faults.map(({ fault }) => fault))}`,
  message: ({ ceremony, from, to, error }) =>
    `${ceremony} ${from === undefined ? 'begins' : `${from} → ${to}`}${error === undefined || error === '' ? '' : `: ${error}`}`,
  delivery: ({ state }) => `the RP read ${state}`,
  decision: ({ care, made, account, doubt }) =>
    `the ${care} RP made of it: ${[made, account, doubt].filter(Boolean).join(' ')}`,
  push: ({ stage, device_id }) => `push ${stage} to ${device_id}`,
  verdict: ({ accepted, failure }) => (accepted ? 'judged good' : `judged bad: ${failure?.word ?? ''}`),
  credential: ({ change, credential_id }) => `credential ${change} ${credential_id.slice(0, 12)}`,
  device: ({ change, account }) => `device of ${account} ${change.replace('_', ' ')}`,
  phone: ({ change, text, struck, signal }) =>
    signal === undefined
      ? `phone ${change}${text === undefined || text === '' ? '' : `: ${text}`}${changedBy(struck?.faults ?? [])}`
      : `signal ${signal.name}: ${signal.outcome}${changedBy(signal.faults)}`,
  setting: ({ subject, change, detail }) => `${subject.replace('_', ' ')} ${change}${changedText(detail)}`,
}

export const eventSummary = (event: BenchEvent): string => ((SUMMARIES[event.kind] ?? plain) as typeof plain)(event)

/** Describes an event for a reader who looks for the cause of a failure. */
const linesOf = (event: BenchEvent, context: Context): readonly Line[] => {
  switch (event.kind) {
    case 'exchange':
      return exchangeLines(event, context)
    case 'message':
      return context.latest.get(event.msg_id) === event ? messageLines(event, context).map((text) => ({ text })) : []
    case 'phone':
      return phoneLines(event, context)
    default:
      return []
  }
}

const changedBy = (faults: readonly string[]): string => (faults.length === 0 ? '' : `, struck by ${faults.join(', ')}`)

/** The changed thing, if the event names it, and the target of a fault. */
const changedText = ({ fault, faults = [fault], name, scope = {} }: Readonly<Record<string, unknown>> = {}): string => {
  const names = [name, ...(Array.isArray(faults) ? faults : [])].filter((each) => typeof each === 'string')
  const whom = isObject(scope) ? Object.values(scope).map(String) : []
  return `${names.length === 0 ? '' : `: ${names.join(', ')}`}${whom.length === 0 ? '' : ` for ${whom.join(', ')}`}`
}

const messageLines = (event: EventOf<'message'>, { messages, read, last }: Context): readonly string[] => {
  const { ceremony, method, from, to, error = '', user_id, msg_id } = event
  const by = method === undefined ? '' : method === 'push' ? ' by push' : ' by QR code'
  const subject = `The ${ceremony}${by} of ${user_id}`
  const untouched = method === 'push' ? 'no phone opened its push' : 'no phone scanned its code'
  const unread = msg_id === last && !read.has(msg_id)
  const note = unread ? ' The RP did not ask for this result after that.' : ''
  switch (to) {
    case 'init':
      return [`${subject} still waits: ${untouched}.`]
    case 'bind':
      return [`${subject} still waits: nobody answered on the phone.`]
    case 'timeout':
      return [`${subject} expired: ${from === 'bind' ? 'nobody answered on the phone' : untouched} in time.${note}`]
    case 'fail':
      return [`${subject} failed. ${failureText(messages, error)}${note}`]
    default:
      return unread ? [`${subject} succeeded.${note}`] : []
  }
}

const exchangeLines = (event: EventOf<'exchange'>, context: Context): readonly Line[] => {
  const { request, response, faults = [], conditions, msg_id } = event
  const call = `${request.method} ${request.route ?? request.target}`
  const { serviceFaults, errors } = context.messages
  if (faults.length > 0) {
    return faults.map(({ fault }, i) => ({
      text: `Fault of the service in ${call}: ${fault}. ${textOf(serviceFaults, { code: fault })}.`,
      fault,
      // All faults change one answer together, so its differences follow the last one.
      ...(i === faults.length - 1 ? { lies: findDifferences(event) } : {}),
    }))
  }
  if (conditions?.lost === true) return [{ text: `The network conditions lost the answer to ${call}.` }]
  if (response.code === 0 || isReported(context, msg_id)) return []
  const name = errorNameOf(response.code)
  // The service's own sentence says to compare two texts, and the reader does not have both.
  const sentence = isSignatureMismatch(event) ? undefined : errorIn(response.body)
  const why = sentence ?? (name === undefined ? '' : errors[name])
  return [{ text: `${call} was refused with ${response.code}. ${why}`.trim() }]
}

const phoneLines = (event: EventOf<'phone'>, context: Context): readonly Line[] => {
  const { struck, act, word, seq, signal } = event
  const { messages } = context
  const sent = context.sent.get(struck?.msg_id ?? '')
  const faults = struck?.faults ?? signal?.faults ?? []
  const refused = act?.refused?.word ?? (event.change === 'problem' ? word : undefined)
  const name = event.phone?.name
  const phone = name === undefined ? 'The phone' : `The phone “${name}”`
  return [
    ...faults.map((fault, i) => ({
      text: `Fault of the phone: ${fault}. ${textOf(messages.faults, { code: fault })}.`,
      fault,
      ...(sent?.seq === seq && i === faults.length - 1 ? { lies: sent.lies } : {}),
    })),
    ...(signal === undefined
      ? []
      : [{ text: `${phone}: ${timelineWords.words[`signal ${signal.outcome}`]} (${signal.name}).` }]),
    ...(refused === undefined || isReported(context, act?.msg_id)
      ? []
      : [{ text: `${phone} could not ${act?.did ?? 'go on'}: ${refused}. ${phoneText(messages, { word: refused })}` }]),
  ]
}

/** True if the message's end already reports this. */
const isReported = ({ latest }: Context, msgId = ''): boolean => {
  const to = latest.get(msgId)?.to
  return to === 'fail' || to === 'timeout'
}

/** The service's own sentence; undefined if its body was not kept or is not an envelope. */
const errorIn = (body: string): string | undefined => {
  const envelope = parseJsonOrNothing(body)
  return isObject(envelope) && typeof envelope.error === 'string' && envelope.error !== '' ? envelope.error : undefined
}

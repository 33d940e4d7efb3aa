import { errorNameOf } from '../../core/contract/errors.ts'
import type { BenchEvent, EventOf } from '../../core/contract/events.ts'
import { REPORT_BLOCK } from '../../core/contract/report-block.ts'
import { differenceText, eventSummary, findingsOf } from '../../core/messages/event-sentences.ts'
import type { Messages } from '../../core/messages/messages.ts'
import { failureWord } from '../../core/protocol/message-state.ts'
import { evidenceLines, type Reported, signatureLines } from './evidence-lines.ts'
import { block, code, prose, timeText } from './markdown.ts'

type RepeatingScenario = { readonly text: string; readonly seed: number }

type AgentReportInput = Reported & {
  /** If absent, the verdict is used. */
  readonly title?: string | undefined
  /** The bench's seed; undefined if it has none, or if the reader may not know it. */
  readonly seed: number | undefined
  /** Settings that are not the defaults. */
  readonly profile: Readonly<Record<string, unknown>>
  readonly now: number
  /** A scenario that repeats the events, or the reason why there is none. */
  readonly repeat: RepeatingScenario | string
}

const MAX_FINDINGS = 8
const MAX_EVENTS = 40

/** Report for programs and bug trackers: the verdict, the evidence, and how to repeat the failure. */
export const agentReport = (reported: AgentReportInput, messages: Messages): string => {
  const { title, failure = '', events, repeat } = reported
  const verdict = verdictLine(events, messages)
  return [
    `# ${title === undefined ? verdict : prose(title)}`,
    ...(title === undefined
      ? []
      : [failure !== '' && !verdict.startsWith('✗') ? `✗ The test failed. ${verdict}.` : verdict]),
    ...(failure === '' ? [] : ['## What the test said', block(failure)]),
    '## Evidence',
    ...evidence(reported, messages),
    '## Events',
    eventLines(events),
    '## Where',
    whereLines(reported),
    '## Repeat',
    ...(typeof repeat === 'string' ? [repeat] : repeatLines(repeat)),
    '',
  ].join('\n\n')
}

const evidence = ({ events, signatures }: Reported, messages: Messages): readonly string[] => {
  const all = findingsOf(events, messages)
  if (all.length === 0) return ['Nothing failed and nothing was refused.']
  const shown = all.slice(-MAX_FINDINGS).reverse()
  const more = all.length - shown.length
  return [
    ...shown.flatMap(({ seq, text, times, fault, lies = [] }) => {
      const explained = signatures.find((each) => each.seq === seq)
      const lines = [
        ...lies.map((lie) => `- ${differenceText(lie, code)}`),
        ...evidenceLines(events, seq, messages),
        ...(explained === undefined ? [] : signatureLines(explained, messages)),
      ]
      const head = `**${seq}.** ${fault === undefined ? '' : '⚡ '}${prose(text)}${times > 1 ? ` (${times} times)` : ''}`
      return [head, ...(lines.length === 0 ? [] : [lines.join('\n')])]
    }),
    ...(more === 0 ? [] : [`${more} more came before.`]),
  ]
}

/** One event per line; repeated polls of an RP are shown once. */
const eventLines = (events: readonly BenchEvent[]): string => {
  const lines: { readonly seq: number; readonly text: string; readonly times: number }[] = []
  for (const event of events.filter(isListed)) {
    const { kind, seq, actor } = event
    const text = `${actor.kind.padEnd(7)} ${kind.padEnd(10)} ${eventSummary(event).replace(/\p{Cc}+/gu, ' ')}`
    const last = lines.at(-1)
    if (last?.text === text) lines[lines.length - 1] = { ...last, times: last.times + 1 }
    else lines.push({ seq, text, times: 1 })
  }
  const shown = lines.slice(-MAX_EVENTS)
  const left = lines.length - shown.length
  const rows = shown.map(({ seq, text, times }) => `${String(seq).padStart(5)} ${text}${times > 1 ? ` ×${times}` : ''}`)
  return block([...(left === 0 ? [] : [`… ${left} before`]), ...rows].join('\n'))
}

/** Leaves out mere screen changes of phones, which cause many events. */
const isListed = (event: BenchEvent): boolean =>
  event.kind !== 'phone' || (event.act ?? event.struck ?? event.word ?? event.signal) !== undefined

const whereLines = ({ workspace, version, seed, profile, events, now }: AgentReportInput): string => {
  const settings = Object.entries(profile).map(([key, value]) => `  - ${code(`${key}: ${JSON.stringify(value)}`)}`)
  return [
    `- Handset ${code(version)}, workspace ${code(workspace)}`,
    `- real time ${timeText(events.at(-1)?.wall ?? now)}, the workspace’s clock ${timeText(events.at(-1)?.bench ?? now)}`,
    `- ${seed === undefined ? 'no seed' : `seed ${seed}`}`,
    ...(settings.length === 0
      ? ['- all settings are the defaults']
      : ['- settings that are not the defaults:', ...settings]),
  ].join('\n')
}

const repeatLines = ({ text, seed }: RepeatingScenario): readonly string[] => [
  'Save this text as `report.md`, then:',
  block('npx handset run report.md'),
  block(text, `yaml ${REPORT_BLOCK} seed=${seed}`),
]

type Message = EventOf<'message'>

/** The last bad result if there are several results. */
const verdictLine = (events: readonly BenchEvent[], { errors }: Pick<Messages, 'errors'>): string => {
  const bad = events.findLast(isBad)
  if (bad?.kind === 'message') return `✗ ${endOf(bad)}`
  if (bad?.kind === 'exchange') {
    const name = errorNameOf(bad.response.code)
    const call = code(`${bad.request.method} ${bad.request.route ?? bad.request.target}`)
    const named = name === undefined ? '' : ` ${code(name)}`
    return `✗ ${bad.response.code}${named}: ${call}${name === undefined ? '' : ` ${prose(errors[name])}`}`
  }
  const last = events.findLast((event): event is Message => event.kind === 'message')
  return last === undefined ? 'Nothing was refused' : `${last.to === 'success' ? '✓' : '…'} ${endOf(last)}`
}

/** The result of the events for use in a name, without Markdown. */
export const verdictWords = (events: readonly BenchEvent[]): string => {
  const bad = events.findLast(isBad) ?? events.findLast((event): event is Message => event.kind === 'message')
  if (bad?.kind === 'message') return `${bad.ceremony} of ${bad.username}: ${wordIn(bad)}`
  if (bad === undefined) return 'What happened'
  return `${bad.request.method} ${bad.request.route ?? bad.request.target}: ${bad.response.code}`
}

const wordIn = ({ to, error = '' }: Message): string => failureWord(error) || to

const isBad = (event: BenchEvent): event is EventOf<'message' | 'exchange'> =>
  event.kind === 'message'
    ? event.to === 'fail' || event.to === 'timeout'
    : event.kind === 'exchange' && event.response.code !== 0

const endOf = (message: Message): string => {
  const { ceremony, method, username } = message
  const how = method === undefined ? '' : ` by ${method === 'push' ? 'push' : 'QR code'}`
  return `${code(wordIn(message))}: ${ceremony} of ${code(username)}${how}`
}

import type { SignatureState } from '../../core/contract/control/states.ts'
import { errorNameOf } from '../../core/contract/errors.ts'
import type { BenchEvent, EventOf } from '../../core/contract/events.ts'
import type { JudgedCheck, JudgedStep } from '../../core/contract/judge/verdict.ts'
import type { TracedSignature } from '../../core/contract/trace.ts'
import { type Finding, findingLine, findingsOf } from '../../core/messages/event-sentences.ts'
import type { Messages } from '../../core/messages/messages.ts'
import { signatureText } from '../../core/messages/signature-text.ts'
import { textOrData } from '../../core/protocol/coded.ts'
import { withoutUndefined } from '../../core/protocol/json.ts'
import { block, code, prose } from './markdown.ts'

type ReportedEvents = {
  /** Oldest first. */
  readonly events: readonly BenchEvent[]
  readonly signatures: readonly TracedSignature[]
}

/** What every report of a workspace's events has. */
export type Reported = ReportedEvents & {
  /** The failure message of the test: expected and actual values. */
  readonly failure?: string | undefined
  readonly workspace: string
  readonly version: string
}

const MAX_CHARACTERS = 2000

export const evidenceLines = (events: readonly BenchEvent[], seq: number, messages: Messages): readonly string[] => {
  const event = events.find((each) => each.seq === seq)
  if (event?.kind === 'exchange') {
    const { request, response, honest } = event
    const sent = [`${request.method} ${request.target}`, ...headerLines(request.headers), '', request.body]
    const came = [`HTTP ${response.status}`, '', response.body]
    const meant =
      honest === undefined ? [] : ['', '— without the fault —', '', `HTTP ${honest.status}`, '', honest.body]
    return [block(cut([...sent, '', ...came, ...meant].join('\n')), 'http')]
  }
  return failedSteps(events, seq).flatMap((step) => [
    `- step ${step.id}: ${prose(messages.steps[step.id] ?? '')}`,
    ...compared(step, messages),
    ...(step.checks ?? [])
      .filter(({ outcome }) => outcome === 'failed')
      .flatMap((check) => [
        `  - ${prose(nameOf(check, messages) ?? '')}`,
        ...compared(check, messages).map((line) => `  ${line}`),
      ]),
  ])
}

export const explainedLines = (
  { seq, fault }: Finding,
  events: readonly BenchEvent[],
  explanation: SignatureState | undefined,
  messages: Messages,
): readonly string[] => {
  const event = events.find((each) => each.seq === seq)
  const lines: string[] = []
  if (event?.kind === 'exchange' && explanation !== undefined) {
    const { difference } = explanation
    lines.push(signatureText(messages, explanation))
    if (difference !== undefined)
      lines.push(
        `First difference: ${difference.in.replaceAll('_', ' ')}, line ${difference.line}`,
        `  wanted ${difference.computed ?? '(no such line)'}`,
        `  signed ${difference.signed ?? '(no such line)'}`,
      )
  } else if (event?.kind === 'exchange' && fault === undefined) {
    const name = errorNameOf(event.response.code)
    if (name !== undefined) lines.push(messages.advice[name])
  }
  for (const { id, expected, received } of failedSteps(events, seq)) {
    lines.push(`Step ${id} of WebAuthn: ${messages.steps[id] ?? ''}`)
    if (expected !== undefined) lines.push(`  wanted ${textOrData(messages.evidence, expected)}`)
    if (received !== undefined) lines.push(`  got ${textOrData(messages.evidence, received)}`)
  }
  return lines.filter((line) => line !== '')
}

const MAX_LINES = 8
const LONGEST_LINE = 300

/** If there are too many findings, the earliest are left out. */
export const failureLines = ({ events, signatures }: ReportedEvents, messages: Messages): readonly string[] => {
  const kept: string[] = []
  for (const finding of findingsOf(events, messages).toReversed()) {
    const explained = signatures.find(({ seq }) => seq === finding.seq)?.explanation
    const head = `${findingLine(finding)}${finding.times > 1 ? ` (${finding.times} times)` : ''}`
    const lines = [head, ...explainedLines(finding, events, explained, messages).map((line) => `  ${line}`)]
    if (kept.length > 0 && kept.length + lines.length > MAX_LINES) break
    kept.unshift(...lines.slice(0, MAX_LINES))
  }
  return kept.map((line) =>
    line
      .replaceAll(/\p{Cc}+/gu, ' ')
      .slice(0, LONGEST_LINE)
      .toWellFormed(),
  )
}

export const signatureLines = ({ explanation }: TracedSignature, messages: Messages): readonly string[] => {
  const { difference } = explanation
  const mistakes = signatureText(messages, explanation)
  const sentence = mistakes === '' ? 'No usual mistake gives this signature.' : mistakes
  if (difference === undefined) return [`- ${prose(sentence)}`]
  return [
    `- ${prose(sentence)}`,
    `- first difference: ${difference.in.replaceAll('_', ' ')}, line ${difference.line}`,
    `  - expected ${code(difference.computed ?? '(no such line)')}`,
    `  - received ${code(difference.signed ?? '(no such line)')}`,
  ]
}

export const nameOf = ({ check, word }: JudgedCheck, messages: Messages): string | undefined =>
  check === undefined ? word && messages.failures[word] : messages.checks[check]

const headerLines = (headers: readonly (readonly [string, string])[]): readonly string[] =>
  headers.map(([name, value]) => `${name}: ${value}`)

type Compared = Pick<JudgedStep, 'expected' | 'received'>

/** The expected and the received value as texts, each after its name. */
export const comparedTexts = ({ expected, received }: Compared, { evidence }: Messages) =>
  Object.entries(withoutUndefined({ expected, received })).map(
    ([name, value]) => [name, textOrData(evidence, value)] as const,
  )

const compared = (judged: Compared, messages: Messages): readonly string[] =>
  comparedTexts(judged, messages).map(([name, text]) => `  - ${name} ${code(cut(text))}`)

const cut = (text: string): string =>
  text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS)}… (${text.length} characters)`

export const failedSteps = (events: readonly BenchEvent[], seq: number): readonly JudgedStep[] => {
  const ended = events.find((event) => event.seq === seq)
  if (ended?.kind !== 'message') return []
  const judged = events.findLast(
    (event): event is EventOf<'verdict'> =>
      event.kind === 'verdict' && event.msg_id === ended.msg_id && !event.accepted,
  )
  return judged?.steps.filter(({ outcome }) => outcome === 'failed') ?? []
}

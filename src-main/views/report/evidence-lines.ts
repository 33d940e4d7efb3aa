import type { BenchEvent } from '../../core/contract/events.ts'
import type { Evidence } from '../../core/contract/judge/evidence.ts'
import type { JudgedStep } from '../../core/contract/judge/verdict.ts'
import type { TracedSignature } from '../../core/contract/trace.ts'
import type { Messages } from '../../core/messages/messages.ts'
import { signatureText } from '../../core/messages/signature-text.ts'
import { textOrData } from '../../core/messages/text.ts'
import { block, code, prose } from './markdown.ts'

const MOST_CHARACTERS = 2000

/** Evidence for a finding: the steps that failed, or the request with its answer. */
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
        `  - ${prose((check.check === undefined ? check.word && messages.failures[check.word] : messages.checks[check.check]) ?? '')}`,
        ...compared(check, messages).map((line) => `  ${line}`),
      ]),
  ])
}

/** How a signature was made, and the first line that differs. */
export const signatureLines = ({ explanation }: TracedSignature, messages: Messages): readonly string[] => {
  const { difference } = explanation
  const mistakes = signatureText(messages, explanation)
  const said = mistakes === '' ? 'No usual mistake gives this signature.' : mistakes
  if (difference === undefined) return [`- ${prose(said)}`]
  return [
    `- ${prose(said)}`,
    `- first difference: ${difference.in.replaceAll('_', ' ')}, line ${difference.line}`,
    `  - expected ${code(difference.computed ?? '(no such line)')}`,
    `  - received ${code(difference.signed ?? '(no such line)')}`,
  ]
}

const headerLines = (headers: readonly (readonly [string, string])[]): readonly string[] =>
  headers.map(([name, value]) => `${name}: ${value}`)

type Compared = { readonly expected?: Evidence | undefined; readonly received?: Evidence | undefined }

const compared = ({ expected, received }: Compared, { evidence }: Messages): readonly string[] => {
  const told = (name: string, each: Evidence | undefined): readonly string[] =>
    each === undefined ? [] : [`  - ${name} ${code(cut(textOrData(evidence, each)))}`]
  return [...told('expected', expected), ...told('received', received)]
}

const cut = (text: string): string =>
  text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}… (${text.length} characters)`

type Verdict = Extract<BenchEvent, { readonly kind: 'verdict' }>

/** The judge’s steps that failed, of a message that failed with this event. */
export const failedSteps = (events: readonly BenchEvent[], seq: number): readonly JudgedStep[] => {
  const ended = events.find((event) => event.seq === seq)
  if (ended?.kind !== 'message') return []
  const judged = events.findLast(
    (event): event is Verdict => event.kind === 'verdict' && event.msg_id === ended.msg_id && !event.accepted,
  )
  return judged?.steps.filter(({ outcome }) => outcome === 'failed') ?? []
}

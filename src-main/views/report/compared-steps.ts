import type { BenchEvent } from '../../core/contract/events.ts'
import type { Evidence } from '../../core/contract/judge/evidence.ts'
import type { JudgedCheck, JudgedStep } from '../../core/contract/judge/verdict.ts'
import type { Messages } from '../../core/messages/messages.ts'
import { textOf } from '../../core/messages/text.ts'
import { failedSteps } from './failed-steps.ts'
import { type Html, html } from './html.ts'

/** What the judge expected and what came, for a message that failed with this event. */
export const comparedSteps = (events: readonly BenchEvent[], seq: number, messages: Messages): Html | string => {
  const failed = failedSteps(events, seq)
  if (failed.length === 0) return ''
  return html`${failed.map((each) => html`<div class="steps"><b>§${each.id}</b> ${messages.steps[each.id]}${evidence(each, messages)}</div>`)}`
}

const evidence = (judged: JudgedStep, messages: Messages): Html => html`${compared(judged, messages)}
${(judged.checks ?? []).map((check) => html`<div class="check ${check.outcome}">${nameOf(check, messages)} <i>${check.outcome}</i>${compared(check, messages)}</div>`)}`

const nameOf = ({ check, word }: JudgedCheck, messages: Messages): string | undefined =>
  check === undefined ? word && messages.failures[word] : messages.checks[check]

const compared = (
  { expected, received }: { readonly expected?: Evidence | undefined; readonly received?: Evidence | undefined },
  messages: Messages,
): Html | string => {
  if (expected === undefined && received === undefined) return ''
  const told = (evidence: Evidence): string =>
    typeof evidence === 'string' ? evidence : textOf(messages.evidence, evidence)
  const row = (title: string, evidence: Evidence | undefined): Html | string =>
    evidence === undefined ? '' : html`<dt>${title}</dt><dd>${told(evidence)}</dd>`
  return html`<dl>${row('expected', expected)}${row('received', received)}</dl>`
}

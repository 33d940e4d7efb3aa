import type { BenchEvent, ExchangeFact, PhoneFact } from '../contract/events.ts'
import type { Evidence } from '../contract/judge/evidence.ts'
import type { JudgedCheck, JudgedStep } from '../contract/judge/verdict.ts'
import { eventSummary } from '../messages/event-summary.ts'
import type { Messages } from '../messages/messages.ts'
import { opinionText } from '../messages/opinion-text.ts'
import { textOf } from '../messages/text.ts'
import { type Html, html } from './html.ts'

type Verdict = Extract<BenchEvent, { readonly kind: 'verdict' }>
type Headers = ExchangeFact['request']['headers']

/** One event as a line, and what there is to open below it. */
export const eventBlock = (event: BenchEvent, began: number, messages: Messages): Html => {
  const more = details(event, messages)
  const line = html`<span class="seq">${event.seq}</span><time>+${((event.wall - began) / 1000).toFixed(3)} s</time><span class="kind">${event.kind}</span><span class="what">${eventSummary(event)}</span>`
  const look = isTrouble(event) ? 'trouble' : 'good'
  return more === undefined
    ? html`<li class="${look}" id="e${event.seq}"><div class="line">${line}</div></li>`
    : html`<li class="${look}" id="e${event.seq}"><details${look === 'trouble' ? html` open` : ''}><summary class="line">${line}</summary>${more}</details></li>`
}

export const isTrouble = (event: BenchEvent): boolean => {
  switch (event.kind) {
    case 'exchange':
      return event.response.code !== 0 || event.faults !== undefined
    case 'verdict':
      return !event.accepted
    case 'message':
      return event.to === 'fail' || event.to === 'timeout'
    case 'phone':
      return event.word !== undefined || event.struck !== undefined
    default:
      return false
  }
}

const details = (event: BenchEvent, messages: Messages): Html | undefined => {
  if (event.kind === 'exchange') return exchange(event, messages)
  if (event.kind === 'verdict') return verdict(event, messages)
  return event.kind === 'phone' ? screenOf(event, messages) : undefined
}

const exchange = ({ request, response, faults = [], honest }: ExchangeFact, messages: Messages): Html => html`
${faults.map(({ fault }) => html`<p>Fault of the service that struck the response: <code>${fault}</code>: ${textOf(messages.serviceFaults, { code: fault })}.</p>`)}
<div class="sides">
  <section><h3>Request</h3>${message(`${request.method} ${request.target}`, request.headers, request.body)}</section>
  <section><h3>Response</h3>${message(String(response.status), response.headers, response.body)}</section>
${honest === undefined ? '' : html`<section><h3>Response without the fault</h3>${message(String(honest.status), [], honest.body)}</section>`}
</div>`

const message = (first: string, headers: Headers, body: string): Html =>
  html`<pre>${first}
${headers.map(([name, value]) => `${name}: ${value}\n`)}${body === '' ? '' : `\n${indented(body)}`}</pre>`

const indented = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

const verdict = ({ steps, second_opinion }: Verdict, messages: Messages): Html => {
  const failed = steps.filter(({ outcome }) => outcome === 'failed')
  const others = steps.filter(({ outcome }) => outcome !== 'failed')
  const opinion =
    second_opinion?.disagrees === true
      ? html`<p>The second opinion disagrees: ${opinionText(messages, second_opinion)}</p>`
      : ''
  return html`<div class="steps">${failed.map((each) => step(each, messages))}${opinion}<details><summary>${others.length} steps that did not fail</summary>${others.map((each) => step(each, messages))}</details></div>`
}

/** What the judge expected and what came, for a message that failed with this event. */
export const comparedSteps = (events: readonly BenchEvent[], seq: number, messages: Messages): Html | string => {
  const ended = events.find((event) => event.seq === seq)
  if (ended?.kind !== 'message') return ''
  const judged = events.findLast(
    (event): event is Verdict => event.kind === 'verdict' && event.msg_id === ended.msg_id && !event.accepted,
  )
  const failed = judged?.steps.filter(({ outcome }) => outcome === 'failed') ?? []
  return html`${failed.map((each) => html`<div class="steps"><b>§${each.id}</b> ${messages.steps[each.id]}${evidence(each, messages)}</div>`)}`
}

const step = (judged: JudgedStep, messages: Messages): Html => html`
<div class="step ${judged.outcome}"><b>§${judged.id}</b> ${messages.steps[judged.id]} <i>${judged.outcome}</i>
${judged.word === undefined ? '' : html`<p>${messages.failures[judged.word]}</p>`}
${evidence(judged, messages)}
</div>`

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

/** What a person would see on the phone. */
const screenOf = ({ phone, struck }: PhoneFact, messages: Messages): Html | undefined => {
  const faults = struck?.faults.map((name) => html`<p>Fault: ${textOf(messages.faults, { code: name })}</p>`) ?? []
  if (phone === undefined) return faults.length === 0 ? undefined : html`${faults}`
  const { screen, notifications } = phone
  const prompt = 'prompt' in screen ? screen.prompt : undefined
  const word =
    'word' in screen ? textOf({ ...messages.failures, ...messages.phoneProblems }, { code: screen.word }) : ''
  return html`<div class="phone"><b>${phone.name}</b><i>${screen.kind}</i>
${prompt === undefined ? '' : html`<p>${prompt.kind} at ${prompt.rp.name} for ${prompt.user.username}, by ${prompt.came_by}, origin ${prompt.origin}</p>`}
${word === '' ? '' : html`<p>${word}</p>`}
${notifications.map(({ rp, msg_id }) => html`<p>Push from ${rp.name}: ${msg_id}</p>`)}${faults}</div>`
}

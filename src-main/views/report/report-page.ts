import type { BenchEvent } from '../../core/contract/events.ts'
import type { JudgedCheck, JudgedStep } from '../../core/contract/judge/verdict.ts'
import { type Finding, findingsOf } from '../../core/messages/event-sentences.ts'
import type { Messages } from '../../core/messages/messages.ts'
import type { AnswerDifference } from '../../core/messages/sent-and-honest.ts'
import { signatureText } from '../../core/messages/signature-text.ts'
import { comparedTexts, failedSteps, nameOf, type Reported } from './evidence-lines.ts'
import { type Html, html, type Viewer, viewerPage } from './html-template.ts'
import { timeText } from './markdown.ts'

type ReportInput = Reported & {
  readonly title: string
  /** Number of earlier events that did not fit into the report; the failed ones among them are in `events`. */
  readonly leftOut: number
  readonly now: { readonly wall: number; readonly bench: number }
  /** The same events as a trace, gzip in base64. */
  readonly trace: string
  /** Undefined if the viewer has not been built. */
  readonly viewer: Viewer | undefined
}

const STYLE = `
#told { display: grid; gap: 8px; padding: 16px; overflow-wrap: anywhere; }
#told h1 { font-size: 17px; } #told h2 { font-size: 13px; } #told p { color: var(--text-3); }
#told pre { border-left: 3px solid var(--fail); padding: 4px 10px; white-space: pre-wrap; overflow-wrap: anywhere; }
#told ul { display: grid; gap: 6px; list-style: none; margin: 0; padding: 0; }
#told li { display: grid; grid-template-columns: 3.5rem minmax(0, 1fr); }
#told .steps, #told .check { margin: 4px 0 0 16px; } #told i { color: var(--text-3); font-style: normal; margin-left: 6px; }
#told li[data-fault] { border-left: 3px solid var(--fault-fill); margin-left: -16px; padding-left: 13px; background: var(--fault-soft); }
#told .lie code, #told li[data-fault] > a { color: var(--fault); } #told .lie b { font: 530 12px / 18px var(--mono); }
#told dl { display: grid; grid-template-columns: 5rem minmax(0, 1fr); } #told dt { color: var(--text-3); } #told dd { margin: 0; font-family: var(--mono); font-size: 12px; }
`

/** One self-contained file: an explanation of the failure, then the page's timeline and inspector. */
export const reportPage = (reported: ReportInput, messages: Messages): string => {
  const { title, failure, workspace, version, events, leftOut, now, trace, viewer } = reported
  const began = events[0]
  const head = html`<style>${{ html: STYLE }}</style>
<header id="told">
<h1>${title}</h1>
<p>Workspace ${workspace} · Handset ${version} · ${clockText(began?.wall ?? now.wall)} to ${clockText(now.wall)} · its clock ${clockText(began?.bench ?? now.bench)} to ${clockText(now.bench)}</p>
${failure === undefined ? '' : html`<h2>What the test said</h2><pre>${failure}</pre>`}
${leftOut === 0 ? '' : html`<p class="left-out">${leftOut} earlier events are left out. Those in which something failed are kept.</p>`}
${whatWentWrong(reported, messages)}
${viewer === undefined ? html`<p>The timeline is missing: the page of this Handset is not built.</p>` : html`<noscript><p>The timeline needs a browser that runs scripts.</p></noscript>`}
</header>
`
  return viewerPage({ title, viewer: viewer ?? NO_VIEWER, head, data: new Map([['trace:', trace]]) })
}

/** Shows only the text, in the browser's own colours. */
const NO_VIEWER: Viewer = {
  script: '',
  style:
    ':root { color-scheme: light dark; --fail: #b3261e; --fault: light-dark(#7d2a97, #d79bea); --fault-fill: #8f36ab; }',
  sha256: '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
}

const clockText = (time: number): string => timeText(time).replace('T', ' ').replace('Z', ' UTC')

const MAX_FINDINGS = 12

const whatWentWrong = ({ events, signatures }: ReportInput, messages: Messages): Html => {
  const all = findingsOf(events, messages)
  if (events.length === 0) return html`<p>Nothing happened.</p>`
  if (all.length === 0)
    return html`<h2>What went wrong</h2><p>Nothing failed here and nothing was refused: look at what the test did and at the RP's own log.</p>`
  const shown = all.slice(-MAX_FINDINGS)
  const earlier = all.length - shown.length
  const reasonOf = (seq: number): Html | string => {
    const found = signatures.find((signature) => signature.seq === seq)
    const text = found === undefined ? '' : signatureText(messages, found.explanation)
    return text === '' ? '' : html`<div class="steps">${text}</div>`
  }
  const block = ({ seq, text, times, fault, lies = [] }: Finding): Html =>
    html`<li${fault === undefined ? '' : html` data-fault`}><a href="#e${exchangeOf(events, seq)}">${seq}</a><div>${text}${times > 1 ? ` (${times} times)` : ''}${lies.map(lieLine)}${comparedSteps(events, seq, messages)}${reasonOf(seq)}</div></li>`
  return html`<h2>What went wrong</h2>
<ul class="findings">${shown.map(block)}</ul>${earlier === 0 ? '' : html`<p>${earlier} more came before; they are red in the timeline.</p>`}`
}

const lieLine = ({ member, sent, honest }: AnswerDifference): Html =>
  html`<div class="lie">${member === '' ? '' : html`<code>${member}</code> `}Sent <b>${sent ?? 'nothing'}</b> · honest <b>${honest ?? 'nothing'}</b></div>`

/** The call that caused an event, because the timeline has rows for calls only. */
const exchangeOf = (events: readonly BenchEvent[], seq: number): number => {
  const cause = events.find((event) => event.seq === seq)?.cause
  const call = events.find((event) => event.kind === 'exchange' && event.request.id === cause)
  return call?.seq ?? seq
}

const comparedSteps = (events: readonly BenchEvent[], seq: number, messages: Messages): Html | string => {
  const failed = failedSteps(events, seq)
  if (failed.length === 0) return ''
  return html`${failed.map((each) => html`<div class="steps"><b>§${each.id}</b> ${messages.steps[each.id]}${evidence(each, messages)}</div>`)}`
}

const evidence = (judged: JudgedStep, messages: Messages): Html => html`${compared(judged, messages)}
${(judged.checks ?? []).map((check) => html`<div class="check ${check.outcome}">${nameOf(check, messages)} <i>${check.outcome}</i>${compared(check, messages)}</div>`)}`

const compared = (judged: JudgedStep | JudgedCheck, messages: Messages): Html | string => {
  const texts = comparedTexts(judged, messages)
  return texts.length === 0 ? '' : html`<dl>${texts.map(([name, text]) => html`<dt>${name}</dt><dd>${text}</dd>`)}</dl>`
}

/** A file name for this report, with words of its name, valid on every file system. */
export const reportFile = (name: string): string => {
  const words = name
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
  return `${words === '' ? 'handset' : words}.report.md`
}

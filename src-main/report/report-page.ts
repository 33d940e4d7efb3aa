import type { BenchEvent, MessageFact } from '../contract/events.ts'
import type { TracedSignature } from '../contract/trace.ts'
import { type Finding, findingsOf } from '../messages/event-findings.ts'
import type { Messages } from '../messages/messages.ts'
import { signatureText } from '../messages/signature-text.ts'
import { comparedSteps, eventBlock } from './event-blocks.ts'
import { type Html, html } from './html.ts'

export type Reported = {
  readonly title: string
  /** What the test said when it failed: what it expected and what came. */
  readonly failure?: string | undefined
  readonly workspace: string
  readonly version: string
  /** Oldest first. */
  readonly events: readonly BenchEvent[]
  /** Why signatures did not match, as far as that was looked into. */
  readonly signatures: readonly TracedSignature[]
  /** How many earlier events a report has no room for; what failed in them is among `events`. */
  readonly leftOut: number
  readonly now: { readonly wall: number; readonly bench: number }
}

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --bad: #b3261e; --dim: #6b7280; --field: #8881; --mark: #fff3bf; }
@media (prefers-color-scheme: dark) { :root { --bad: #ff8a80; --dim: #9ca3af; --mark: #4a3f10; } }
body { font: 14px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; }
h1 { font-size: 1.25rem; margin: 0 0 .25rem; overflow-wrap: anywhere; } h2 { font-size: 1rem; margin: 2rem 0 .5rem; } h3 { font-size: .8rem; margin: .5rem 0; color: var(--dim); }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; } th { color: var(--dim); font-weight: 500; white-space: nowrap; }
ol, .findings { list-style: none; padding: 0; margin: 0; } li { border-bottom: 1px solid var(--line); padding: .3rem 0; }
.line { display: grid; grid-template-columns: 3.5rem 6rem 6rem 1fr; gap: .5rem; overflow-wrap: anywhere; } summary { cursor: pointer; }
summary .what::after { content: ' ▸'; color: var(--dim); } details[open] > summary .what::after { content: ' ▾'; }
.seq, time, .kind { color: var(--dim); font-variant-numeric: tabular-nums; } .trouble .what, .failed > i, td.bad { color: var(--bad); }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(20rem, 1fr)); gap: 1rem; } section { min-width: 0; }
pre { background: var(--field); padding: .6rem; margin: 0; overflow-x: auto; font: 12px/1.5 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
.steps, .phone { margin: .5rem 0 .5rem 4rem; } .phone { border: 1px solid var(--line); border-radius: .75rem; padding: .5rem .9rem; max-width: 28rem; } .phone p { margin: .2rem 0; }
i { color: var(--dim); font-style: normal; margin-left: .5rem; } .step, .check { margin: .3rem 0; } .check { margin-left: 1.5rem; }
.failure { border-left: 3px solid var(--bad); } .findings a { color: var(--dim); display: inline-block; min-width: 3.5rem; } :target { background: var(--mark); }
dl { display: grid; grid-template-columns: 5rem 1fr; margin: .2rem 0 .2rem 1.5rem; } dt { color: var(--dim); } dd { margin: 0; font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 12px; overflow-wrap: anywhere; }
`

/** What happened, in one file that needs nothing else: no script, nothing loaded from anywhere. */
export const reportPage = (reported: Reported, messages: Messages): string => {
  const { title, failure, workspace, version, events, leftOut, now } = reported
  const began = events[0]?.wall ?? now.wall
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${{ html: STYLE }}</style>
<h1>${title}</h1>
${failure === undefined ? '' : html`<h2>What the test said</h2><pre class="failure">${failure}</pre>`}
${leftOut === 0 ? '' : html`<p class="left-out">${leftOut} earlier events are left out. Those in which something failed are kept.</p>`}
${whatWentWrong(reported, messages)}
<h2>Where and when</h2>
<table>
<tr><th>Workspace</th><td>${workspace}</td><th>Handset</th><td>${version}</td></tr>
<tr><th>Real time</th><td>${clockText(began)} to ${clockText(now.wall)}</td><th>Its clock</th><td>${clockText(events[0]?.bench ?? now.bench)} to ${clockText(now.bench)}</td></tr>
</table>
${messageTable(events)}
<h2>What happened</h2>
${events.length === 0 ? html`<p>Nothing.</p>` : html`<ol>${events.map((event) => eventBlock(event, began, messages))}</ol>`}
</html>
`.html
}

const clockText = (time: number): string => {
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? String(time) : date.toISOString().replace('T', ' ').replace('Z', ' UTC')
}

const MOST_FINDINGS = 12

/** What may be the reason, each with the event that shows it. */
const whatWentWrong = ({ events, signatures }: Reported, messages: Messages): Html | string => {
  const all = findingsOf(events, messages)
  if (all.length === 0) {
    return events.length === 0
      ? ''
      : html`<h2>What went wrong</h2><p>Nothing failed here and nothing was refused: look at what the test did and at the RP's own log.</p>`
  }
  const shown = all.slice(-MOST_FINDINGS)
  const earlier = all.length - shown.length
  const reasonOf = (seq: number): Html | string => {
    const found = signatures.find((signature) => signature.seq === seq)
    const text = found === undefined ? '' : signatureText(messages, found.explanation)
    return text === '' ? '' : html`<div class="steps">${text}</div>`
  }
  const block = ({ seq, text, times }: Finding): Html =>
    html`<li><a href="#e${seq}">${seq}</a> ${text}${times > 1 ? ` (${times} times)` : ''}${comparedSteps(events, seq, messages)}${reasonOf(seq)}</li>`
  return html`<h2>What went wrong</h2>
<ul class="findings">${shown.map(block)}</ul>${earlier === 0 ? '' : html`<p>${earlier} more came before; they are red in the list below.</p>`}`
}

/** The last word on each message. */
const messageTable = (events: readonly BenchEvent[]): Html | string => {
  const latest = new Map<string, MessageFact>()
  for (const event of events) if (event.kind === 'message') latest.set(event.msg_id, event)
  if (latest.size === 0) return ''
  const rows = [...latest.values()].map(
    ({ msg_id, ceremony, method, user_id, username, to, error = '' }) =>
      html`<tr><td>${msg_id}</td><td>${ceremony}${method === undefined ? '' : `, ${method}`}</td><td>${user_id}${username === user_id ? '' : ` (${username})`}</td><td class="${to === 'success' ? '' : 'bad'}">${to}</td><td>${error}</td></tr>`,
  )
  return html`<h2>Messages</h2>
<table><tr><th>msg_id</th><th>ceremony</th><th>user</th><th>state</th><th>why</th></tr>${rows}</table>`
}

import type { LoadReport } from '../../core/contract/load-report.ts'
import { type Html, html, plainPage } from './html-template.ts'

const STYLE = `
:root { color-scheme: light dark; --page: #fff; --text: #1a1c20; --line: #8885; --bad: #b3261e; --dim: #5f6672; --a: #1a5fb4; --b: #9a4a00; --c: #1c6b34; }
@media (prefers-color-scheme: dark) { :root { --page: #141518; --text: #e8eaee; --bad: #ff8a80; --dim: #a3abb8; --a: #8ab8ff; --b: #ffb066; --c: #7ed69a; } }
body { background: var(--page); color: var(--text); font: 14px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 68rem; padding: 0 1rem; }
h1 { font-size: 1.25rem; margin: 0 0 .25rem; } h2 { font-size: 1rem; margin: 2rem 0 .5rem; } p { margin: .4rem 0; max-width: 50rem; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); gap: .75rem; margin: 1.25rem 0; } dl div { border: 1px solid var(--line); border-radius: .5rem; padding: .5rem .75rem; }
dt { color: var(--dim); font-size: 12px; } dd { margin: 0; font-size: 1.25rem; font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; } th, td { text-align: right; padding: .25rem 0 .25rem .75rem; border-bottom: 1px solid var(--line); font-variant-numeric: tabular-nums; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; padding-left: 0; } thead th { color: var(--dim); font-weight: 500; } tbody th { font-weight: 400; } tr.whole > * { font-weight: 600; } tr.part th { padding-left: 1rem; }
td.bad, dd.bad, p.bad { color: var(--bad); } figure { margin: 1rem 0 0; } figcaption { color: var(--dim); margin-bottom: .25rem; } svg { width: 100%; height: auto; display: block; font: 11px system-ui, sans-serif; }
.grid { stroke: var(--line); } .tick { fill: var(--dim); } .l0, .l1, .l2 { fill: none; stroke-width: 2; } .l0 { stroke: var(--a); } .l1 { stroke: var(--b); stroke-dasharray: 7 3; } .l2 { stroke: var(--c); stroke-dasharray: 2 3; }
.key { display: inline-block; margin-right: 1.25rem; } .key svg { display: inline-block; width: 28px; height: 8px; margin-right: .4rem; }
`

export const loadPage = (report: LoadReport): string => {
  const { target, asked, counts, latency, failures, server } = report
  const dropped = droppedSentence(report)
  return plainPage(
    `Handset load: ${target.base_url}`,
    STYLE,
    html`<h1>Load on ${target.base_url}</h1>
<p>${new Date(report.began).toISOString().replace('T', ' ').slice(0, 19)} UTC, Handset ${report.handset}. ${askedSentence(asked)}</p>
${report.outcome === 'stopped' ? html`<p class="bad">It was ended by hand: these are the figures up to then.</p>` : ''}
<dl>
${tile('Done', String(counts.done))}
${tile('Each second', String(report.per_second))}
${latency.all === undefined ? '' : [tile('p50', milliseconds(latency.all.p50_ms)), tile('p99', milliseconds(latency.all.p99_ms)), tile('Longest', milliseconds(latency.all.max_ms))]}
${tile('Failed', String(counts.failed), counts.failed > 0)}
${tile('Dropped', String(counts.dropped), counts.dropped > 0)}
</dl>
${dropped === undefined ? '' : html`<p class="bad">${dropped}</p>`}
<p>${clientSentence(report)}</p>
${server?.per_ceremony_ms === undefined ? '' : html`<p>The service used ${milliseconds(server.per_ceremony_ms)} of processor time for each ceremony.</p>`}
<h2>Latency</h2>
<p>Each ceremony counts from the moment at which it was due, so what waits for a slow service is part of it. Its parts count from when they began.</p>
${latencyTable(report)}
${chart(overTime(report))}
${chart(byPercentile(report))}
${chart(throughput(report))}
${failures.length === 0 ? '' : failureTable(failures)}`,
  )
}

const tile = (name: string, value: string, bad = false): Html =>
  html`<div><dt>${name}</dt><dd class="${bad ? 'bad' : ''}">${value}</dd></div>`

const askedSentence = ({ users, rate, duration_ms, mix, push, arrivals, seed, connections }: LoadReport['asked']) =>
  [
    `${rate} ceremonies a second for ${duration_ms / 1000} s, ${arrivals === 'poisson' ? 'at random (Poisson)' : 'at equal distances'}, seed ${seed}`,
    `${users} users, ${mix.register === 0 ? '' : `${percent(mix.register)} registrations, `}sign-ins by ${push ? 'push' : 'QR code'}, at most ${connections} connections`,
  ].join('; ')

const COLUMNS = ['count', 'min_ms', 'mean_ms', 'p50_ms', 'p90_ms', 'p95_ms', 'p99_ms', 'p999_ms', 'max_ms'] as const
const HEADS = ['', 'count', 'min', 'mean', 'p50', 'p90', 'p95', 'p99', 'p99.9', 'max']

const latencyTable = ({ latency, steps }: LoadReport): Html => {
  const cells = (figures: Readonly<Record<(typeof COLUMNS)[number], number>>): readonly Html[] =>
    COLUMNS.map((key) => html`<td>${key === 'count' ? String(figures[key]) : milliseconds(figures[key])}</td>`)
  const rows = (['register', 'auth'] as const).flatMap((kind) => {
    const whole = latency[kind]
    const parts = steps.filter(({ ceremony }) => ceremony === kind)
    return [
      ...(whole === undefined
        ? []
        : [html`<tr class="whole"><th scope="row">${CEREMONY_NAMES[kind]}</th>${cells(whole)}</tr>`]),
      ...parts.map((part) => html`<tr class="part"><th scope="row">${STEP_NAMES[part.step]}</th>${cells(part)}</tr>`),
    ]
  })
  const late =
    latency.late === undefined ? '' : html`<tr><th scope="row">Begun late by the client</th>${cells(latency.late)}</tr>`
  return html`<div class="scroll" role="region" aria-label="Latency" tabindex="0"><table><thead><tr>${HEADS.map((head, i) => (i === 0 ? html`<td></td>` : html`<th scope="col">${head}</th>`))}</tr></thead><tbody>${rows}${late}</tbody></table></div>`
}

const failureTable = (failures: LoadReport['failures']): Html => html`<h2>Failures</h2>
<div class="scroll" role="region" aria-label="Failures" tabindex="0"><table><thead><tr><th scope="col">ceremony</th><th scope="col">part</th><th scope="col">code</th><th scope="col">count</th></tr></thead><tbody>${failures.map(
  ({ ceremony, step, code, count }) =>
    html`<tr><td>${CEREMONY_NAMES[ceremony]}</td><td>${STEP_NAMES[step]}</td><td class="bad">${code}</td><td>${String(count)}</td></tr>`,
)}</tbody></table></div>`

const seconds = (ms: number): string => `${ms / 1000} s`

const overTime = ({ timeline }: LoadReport): Chart => ({
  title: 'Latency by the time of arrival',
  about: 'median, 99th percentile and longest',
  lines: (
    [
      ['p50', 'p50_ms'],
      ['p99', 'p99_ms'],
      ['longest', 'max_ms'],
    ] as const
  ).map(([name, key]) => ({
    name,
    points: timeline.flatMap((slice) => (slice[key] === undefined ? [] : [{ x: slice.at_ms, y: slice[key] }])),
  })),
  xText: seconds,
  yText: milliseconds,
})

/** Latency by percentile, on a scale in which each further nine has the same width, as in HdrHistogram plots. */
const byPercentile = ({ curve, latency }: LoadReport): Chart => {
  const most = Math.max(2, Math.ceil(Math.log10(latency.all?.count ?? 1)))
  const place = (share: number): number => Math.min(most, -Math.log10(1 - share))
  return {
    title: 'Latency by percentile',
    about: 'so many of all ceremonies took no longer',
    lines: [{ name: 'all ceremonies', points: curve.map(({ share, ms }) => ({ x: place(share), y: ms })) }],
    xTicks: Array.from({ length: most + 1 }, (_, i) => i),
    xText: (nines) => (nines === 0 ? '0 %' : `${String(100 - 100 / 10 ** nines).slice(0, nines + 2)} %`),
    yText: milliseconds,
  }
}

const throughput = ({ timeline }: LoadReport): Chart => {
  const slice = ((timeline[1]?.at_ms ?? 1000) - (timeline[0]?.at_ms ?? 0)) / 1000
  const line = (name: string, key: 'arrived' | 'done' | 'failed' | 'dropped') => ({
    name,
    points: timeline.map((each) => ({
      x: each.at_ms,
      y: (key === 'failed' ? each.failed + each.dropped : each[key]) / slice,
    })),
  })
  return {
    title: 'Ceremonies a second by the time of arrival',
    about: 'due, done, and failed or dropped',
    lines: [line('due', 'arrived'), line('done', 'done'), line('failed or dropped', 'failed')],
    xText: seconds,
    yText: (perSecond) => String(Math.round(perSecond * 100) / 100),
  }
}

type Chart = {
  readonly title: string
  readonly about: string
  /** At most three lines, because only three styles are distinct without colour. */
  readonly lines: readonly { readonly name: string; readonly points: readonly Point[] }[]
  readonly xText: (x: number) => string
  readonly yText: (y: number) => string
  /** Ticks of the x axis; round numbers if absent. */
  readonly xTicks?: readonly number[]
}

type Point = { readonly x: number; readonly y: number }

const [WIDTH, HEIGHT] = [960, 260]
const [LEFT, RIGHT, TOP, BOTTOM] = [72, 28, 10, 28]

/** The y axis starts at zero; screen readers get a text instead. */
const chart = ({ title, about, lines, xText, yText, xTicks }: Chart): Html | string => {
  const points = lines.flatMap((line) => line.points)
  if (points.length === 0) return ''
  const [xLow, xHigh] = [Math.min(...points.map(({ x }) => x)), Math.max(...points.map(({ x }) => x))]
  const yTicks = roundTicks(0, Math.max(...points.map(({ y }) => y)))
  const yHigh = yTicks.at(-1) || 1
  const xAt = (x: number): number => LEFT + ((x - xLow) / (xHigh - xLow || 1)) * (WIDTH - LEFT - RIGHT)
  const yAt = (y: number): number => HEIGHT - BOTTOM - (y / yHigh) * (HEIGHT - TOP - BOTTOM)
  const path = (line: readonly Point[]): string =>
    line.map(({ x, y }, i) => `${i === 0 ? 'M' : 'L'}${xAt(x).toFixed(1)} ${yAt(y).toFixed(1)}`).join('')
  const peak = lines.map(({ name, points: own }) =>
    own.length === 0 ? `${name}: none` : `${name} up to ${yText(Math.max(...own.map(({ y }) => y)))}`,
  )
  const columns = (xTicks ?? roundTicks(xLow, xHigh)).filter((x) => x >= xLow && x <= xHigh)
  return html`<figure>
<figcaption><strong>${title}</strong> <span>${about}</span></figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}: ${peak.join(', ')}">
${yTicks.map((y) => html`<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${yAt(y)}" y2="${yAt(y)}"/><text class="tick" x="${LEFT - 8}" y="${yAt(y) + 4}" text-anchor="end">${yText(y)}</text>`)}
${columns.map((x) => html`<text class="tick" x="${xAt(x)}" y="${HEIGHT - 8}" text-anchor="middle">${xText(x)}</text>`)}
${lines.map(({ points: own }, i) => html`<path class="l${i}" d="${path(own)}"/>`)}
</svg>
${lines.length === 1 ? '' : html`<p>${lines.map(({ name }, i) => html`<span class="key"><svg viewBox="0 0 28 8" aria-hidden="true"><path class="l${i}" d="M0 4H28"/></svg>${name}</span>`)}</p>`}
</figure>`
}

/** About five ticks, at distances of 1, 2 or 5 times a power of ten. */
const roundTicks = (low: number, high: number): readonly number[] => {
  const rough = (high - low) / 5 || 1
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5].find((each) => each * power >= rough) ?? 10) * power
  const first = Math.ceil(low / step)
  return Array.from({ length: Math.ceil(high / step) - first + 1 }, (_, i) => (first + i) * step)
}

/** For both page and terminal. */
export const clientSentence = ({ client, latency }: LoadReport): string => {
  const { limit, busy, machine_busy = 0, late_p99_ms } = client
  const late =
    late_p99_ms === undefined ? '' : ` It began 99 % of the arrivals at most ${milliseconds(late_p99_ms)} late.`
  switch (limit) {
    case 'busy':
      return `The client was the limit: its event loop was busy ${percent(busy)} of the time.${late} Lower --rate, or divide the load among several clients.`
    case 'late':
      return `The client was the limit: it began arrivals up to ${milliseconds(latency.late?.max_ms ?? 0)} late, and that is part of the latencies.${late} Something else may use its processor.`
    case 'machine':
      return `The machine was the limit: ${percent(machine_busy)} of its processors were in use, and client and service may share them. Figures of a service alone need a machine of its own.`
    case 'none':
      return `The client was not the limit: its event loop was busy ${percent(busy)} of the time.${late}`
  }
}

export const droppedSentence = ({ counts: { dropped, arrived }, asked: { users } }: LoadReport): string | undefined =>
  dropped === 0
    ? undefined
    : `${dropped} of ${arrived} arrivals were dropped: all ${users} users were still busy with the sign-in before. The latencies say nothing about them; use more --users, or a lower --rate.`

export const STEP_NAMES = {
  device: 'New phone signs in',
  request: 'RP’s request',
  push: 'Push reaches the phone',
  bind: 'Phone takes the message',
  answer: 'Phone signs and sends',
  result: 'RP reads the result',
} as const satisfies Record<LoadReport['steps'][number]['step'], string>

export const CEREMONY_NAMES = { register: 'Registration', auth: 'Sign-in' } as const

export const milliseconds = (ms: number): string =>
  ms >= 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${ms.toFixed(ms >= 100 ? 0 : ms >= 10 ? 1 : 2)} ms`

export const percent = (share: number): string => `${(share * 100).toFixed(share > 0.1 ? 0 : 1)} %`

import { gunzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { REPORT_FAILURE_MAX } from '../../../src-main/core/contract/control/event-routes.ts'
import { loadReportSchema } from '../../../src-main/core/contract/load-report.ts'
import { NAME_MAX } from '../../../src-main/core/contract/schema.ts'
import { findProblem } from '../../../src-main/core/contract/validate.ts'
import { en } from '../../../src-main/core/messages/en/en.ts'
import { connectHandset } from '../../../src-main/sdk/handset.ts'
import { createRpClient } from '../../../src-main/sdk/rp-client.ts'
import { scenarioInReport } from '../../../src-main/testing/scenario/report-scenario.ts'
import { checkPage } from '../../../src-main/views/report/check-reports.ts'
import { clientSentence, loadPage } from '../../../src-main/views/report/load-page.ts'
import { block, code, prose } from '../../../src-main/views/report/markdown.ts'
import {
  githubCommands,
  githubSummary,
  junitReport,
  runAgentReport,
} from '../../../src-main/views/report/run-reports.ts'
import { cast, register } from '../../support/bench.ts'
import { benchOfFile } from '../../support/open-workspaces.ts'
import { readTrace } from '../../support/read-trace.ts'
import { attempt, bad, NASTY, run, scenario } from './made-reports.ts'
import { sampleLoadReport as sample } from './sample-load-report.ts'

/** The events behind the timeline of a report. */
const tracedIn = (html: string): string => {
  const [, base64 = ''] = /<script type="text\/plain" id="trace:">([\w+/=]+)<\/script>/.exec(html) ?? []
  return gunzipSync(Buffer.from(base64, 'base64')).toString('utf8')
}

const NAME = `<img src=x onerror=alert(1)>&"'`

const bench = benchOfFile()
let phone: string
let report: string
beforeAll(async () => {
  const { client } = bench
  const mine = await cast(client, { name: 'Mine' })
  const { rp } = mine
  phone = mine.phone
  await register(client, mine)
  const other = await client.call('phones.create', { body: { name: 'Somebody else’s' } })
  const body = { user_id: 'u-other', username: 'other', poll: false }
  const begun = await client.call('simulator.register', { params: { rp }, body })
  await client.call('phones.scan', { params: { id: other.id }, body: { url: begun.url } })
  await client.call('phones.arm', { params: { id: phone }, body: { fault: 'origin-wrong' } })
  const user = { user_id: 'u-1', username: NAME, method: 'qrcode' as const, poll: false }
  const signIn = await client.call('simulator.sign-in', { params: { rp }, body: user })
  await client.call('phones.scan', { params: { id: phone }, body: { url: signIn.url } })
  await client.call('phones.approve', { params: { id: phone }, body: {} })
  const others = await client.call('leases.create', { body: {} })
  await client.call('leases.delete', { params: { id: others.id } })
  report = (await client.call('events.report', { query: { title: NAME, phone_id: phone } })).html
})
const lastSeq = async () => (await bench.client.call('events.list', { query: { latest: true, limit: 1 } })).last_seq
const firstRp = async () => ({ rp: (await bench.client.call('rps.list')).rps[0]?.id ?? '' })

/** A registration that begins, and no more. */
const begin = async (user_id: string) => {
  const body = { user_id, username: user_id, poll: false }
  return bench.client.call('simulator.register', { params: await firstRp(), body })
}

test('a report has the messages, exchanges, screens and the judge’s words of one phone', () => {
  for (const part of ['origin_mismatch', '7.2.12', 'its clock', 'u-1']) expect(report).toContain(part)
  const traced = tracedIn(report)
  for (const part of ['/rp/assertion/options', 'Mine', '"7.2.12"']) expect(traced).toContain(part)
  for (const text of [report, traced]) {
    expect(text).not.toContain('u-other')
    expect(text).not.toMatch(/\blease\b/)
  }
})

test('a trace of one phone opens, with its title and what happened to this phone alone', async () => {
  const { handset } = await bench.client.call('events.trace', { query: { title: NAME, phone_id: phone } })
  const trace = await readTrace(new Blob([new Uint8Array(Buffer.from(handset, 'base64'))]).stream())
  expect(trace).toMatchObject({ ok: true, value: { header: { title: NAME, workspace: 'main' } } })
  const text = JSON.stringify(trace)
  expect(text).toContain('/rp/attestation/options')
  expect(text).not.toContain('u-other')
})

test('a report of a workspace has everything in it', async () => {
  const { html } = await bench.client.call('events.report', { query: {} })
  expect(tracedIn(html)).toContain('u-other')
  expect(tracedIn(html)).toContain('lease')
})

test('a report shows which fault of the service struck an answer, and the answer without it', async () => {
  const { client } = bench
  const after = await lastSeq()
  await client.call('service.arm', { body: { fault: 'expires-never' } })
  const begun = await begin('u-struck')
  const { html } = await client.call('events.report', { query: { after } })
  expect(html).toContain('Fault of the service in POST /fido/rp/attestation/options: expires-never.')
  expect(html).toMatch(
    new RegExp(`<li data-fault>.*<code>expires_at</code> Sent <b>${begun.expires_at}</b> · honest <b>\\d+</b>`),
  )
  const struck =
    tracedIn(html)
      .split('\n')
      .find((line) => line.includes('"honest"')) ?? ''
  expect(struck.match(/\\"expires_at\\":\d+/g)).toHaveLength(2)
  expect(struck).toContain(`\\"expires_at\\":${begun.expires_at}`)
})

test('a fault of a phone is marked with what it sent beside what is honest, and what is honest bears no mark', async () => {
  const { client } = bench
  const shown = /<li data-fault>.*Fault of the phone: origin-wrong.*Sent <b>[^<]+<\/b> · honest <b>[^<]+<\/b>/
  expect(report).toMatch(shown)
  expect(report.match(/<li data-fault>/g)).toHaveLength(1)
  const { markdown } = await client.call('events.agent-report', { query: { phone_id: phone } })
  expect(markdown).toMatch(/⚡ Fault of the phone: origin-wrong.*\n\n- Sent `[^`]+` · honest `[^`]+`/)
  expect(markdown).toContain(', struck by origin-wrong')
  const after = await lastSeq()
  await begin('u-honest')
  const honest = await client.call('events.agent-report', { query: { after } })
  expect(honest.markdown).not.toMatch(/⚡|struck by|· honest/)
  expect((await client.call('events.report', { query: { after } })).html).not.toContain('<li data-fault>')
})

test('what a test said stands at the head of its report, and what may be the reason next', async () => {
  const { client } = bench
  const failure = 'expected <b>\n\treceived fail'
  const { html } = await client.call('events.report', { query: { phone_id: phone, failure } })
  const order = ['expected &lt;b&gt;', 'Fault of the phone: origin-wrong', 'origin_mismatch', 'id="root"']
  const places = order.map((part) => html.indexOf(part))
  expect(places).toEqual([...places].sort((a, b) => a - b))
  expect(places[0]).toBeGreaterThan(0)
  const links = [...html.matchAll(/href="#e(\d+)"/g)].map(([, seq]) => seq)
  expect(links.length).toBeGreaterThan(1)
  for (const seq of links) expect(tracedIn(html)).toContain(`"seq":${seq},`)
})

const REVERSED = 'a\u202egpj.exe\u200b 👩‍👩‍👧 שלום می\u200cخواهم'
const SHOWN = 'a\\u202egpj.exe\\u200b 👩‍👩‍👧 שלום می\u200cخواهم'

test('a name that is shown backwards can be read in a report, and is in the trace as it came', async () => {
  const { client } = bench
  const after = await lastSeq()
  await begin(REVERSED)
  const { html } = await client.call('events.report', { query: { after, title: REVERSED, failure: REVERSED } })
  for (const place of [`<title>${SHOWN}</title>`, `<h1>${SHOWN}</h1>`, `<pre>${SHOWN}</pre>`])
    expect(html).toContain(place)
  expect(html.split('<div id="root">')[0]).not.toContain('\u202e')
  expect(tracedIn(html)).toContain('a\u202egpj.exe')
  const summary = githubSummary(run({ ...scenario('failed', [bad(REVERSED)]), name: REVERSED }))
  expect(summary.split(SHOWN).length).toBeGreaterThan(2)
  expect(summary).toContain('\n1 scenario in ')
  expect(summary).not.toContain('\u202e')
})

test('an answer that is shown backwards can be read in the page of a check, and its command is copied as it is', () => {
  const page = checkPage({
    ...{ handset: '1.0.0', base_url: 'http://localhost', began: 0, took_ms: 1 },
    cases: [
      {
        ...{ id: 'a', name: 'a', verdict: 'failed', took_ms: 1, text: REVERSED, again: 'handset check' },
        says: { page: 'interface', heading: 'a', sentence: 'a' },
        exchanges: [
          {
            ...{ method: 'POST', url: 'http://localhost/a', request_headers: [], request_body: '', status: 200 },
            ...{ response_headers: [['x-a', REVERSED]], response_body: REVERSED, at: 0, took_ms: 1 },
            curl: `curl -d '<${REVERSED}'`,
          },
        ],
      },
    ],
  })
  expect(page.split(SHOWN)).toHaveLength(4)
  expect(page.split(REVERSED)).toHaveLength(2)
  expect(page).toContain(`<pre>curl -d &#39;&lt;${REVERSED}&#39;</pre>`)
})

test('what went wrong with a signature stands with its refusal, and the secret does not', async () => {
  const { client } = bench
  const after = await lastSeq()
  const params = await firstRp()
  const { key, secret } = await client.call('keys.create', { params, body: {} })
  const wrong = createRpClient({
    baseUrl: bench.bench.baseUrl,
    accessKeyId: key.id,
    secretKey: `${secret}\n`,
    now: () => Date.now(),
  })
  for (let n = 0; n < 3; n++) expect(await wrong.credentials('u-1')).toMatchObject({ error: { code: 40104 } })
  wrong.close()
  const { html } = await client.call('events.report', { query: { after } })
  expect(html.split(en.signingMistakes['secret-with-space'])).toHaveLength(2)
  expect(html).toContain('(3 times)')
  expect(tracedIn(html)).toContain('40104')
  expect(html + tracedIn(html)).not.toContain(secret)
})

test('a title and a failure as long as they may be fit into one call', async () => {
  const query = { title: '🔑'.repeat(NAME_MAX), failure: '🔑'.repeat(REPORT_FAILURE_MAX), phone_id: phone, after: 1e9 }
  const { html } = await bench.client.call('events.report', { query })
  expect(html).toContain(query.failure)
})

test('a message that no phone took is in the report of every phone: it may be what a test waits for', async () => {
  await begin('u-unscanned')
  const { html } = await bench.client.call('events.report', { query: { phone_id: phone } })
  expect(html).toContain('u-unscanned')
  expect(html).not.toContain('u-other')
})

test('a report since an event has nothing from before', async () => {
  const { html } = await bench.client.call('events.report', { query: { after: await lastSeq() } })
  expect(html).toContain('<p>Nothing happened.</p>')
})

test('a report says what it leaves out, and keeps what failed before the rest', async () => {
  const { token } = bench.bench
  const { id } = await bench.client.call('workspaces.create', { body: {} })
  const crowd = await connectHandset({ controlUrl: bench.client.workspace(id).controlUrl, token })
  const rp = await crowd.rp()
  const own = await crowd.phone()
  const message = await rp.register({ user_id: 'u-early', username: 'early' })
  await own.scan(message.url)
  await own.reject()
  await crowd.expire((await rp.register({ user_id: 'u-late', username: 'late' })).msg_id)
  const MORE_THAN_A_REPORT = 3100
  for (let i = 0; i < MORE_THAN_A_REPORT; i += 50)
    await Promise.all(Array.from({ length: 50 }, () => rp.credentials('u-early')))
  const { html } = await crowd.client.call('events.report', { query: {} })
  expect(html).toMatch(/<p class="left-out">\d+ earlier events are left out\./)
  expect(html).not.toContain('Nothing failed here')
  expect(html).toContain('The registration of u-early failed.')
  expect(html).toContain('The registration of u-late expired')
  const { html: later } = await crowd.client.call('events.report', { query: { after: await crowd.lastSeq() } })
  expect(later).not.toContain('left out')
})

test('a report runs nothing but the viewer, loads nothing and holds no secret', async () => {
  expect(report).not.toMatch(/<(img|link|iframe|object|embed)\b|<[a-z][^>]*\son\w+=|url\(|@import/i)
  expect(report.match(/<script[^>]*>/g)).toEqual(['<script type="text/plain" id="trace:">', '<script type="module">'])
  expect(report).toContain('&lt;img src=x onerror=alert(1)&gt;&amp;&quot;&#39;')
  expect(report).toContain(`content="default-src &#39;none&#39;; script-src &#39;sha256-`)
  for (const secret of [bench.bench.rp?.secretKey ?? '', bench.bench.token]) {
    expect(secret.length).toBeGreaterThan(20)
    expect(report + tracedIn(report)).not.toContain(secret)
  }
})

test('a run says first how it ended, then of each failure where, what and how to repeat it', () => {
  const markdown = runAgentReport(run(scenario('failed', [bad(NASTY)])))
  expect(markdown).toMatch(/^# ✗ 1 failed/)
  expect(markdown).toMatch(
    /\n## Signs in\n\n```+\nat {8}tests\/a\.yaml:3\n[\s\S]*\nreplay {4}npx handset run --replay /,
  )
})

const FORGED = '\n```\n\n```yaml handset-scenario seed=1\nname: x\nsteps:\n  - exec: { program: evil }\n```\n'

test('what comes from elsewhere can neither begin a scenario nor be read as Markdown', () => {
  for (const written of [code(FORGED), block(FORGED), prose(FORGED), code('`'.repeat(7)), block('~~~~\n````')]) {
    const own = block('name: own', 'yaml handset-scenario seed=5')
    const found = scenarioInReport(`${written}\n\n${own}\n`)
    expect(found.ok && [found.value.seed, found.value.yaml.trim()]).toEqual([5, 'name: own'])
  }
  expect(prose('<b>*x*</b> _y_ origin_mismatch [a](b)')).toBe(
    '\\<b\\>\\*x\\*\\</b\\> \\_y\\_ origin_mismatch \\[a\\](b)',
  )
})

test('JUnit survives every character: what XML has none for is written as JSON writes it', () => {
  const xml = junitReport(run(scenario('failed', [bad(NASTY)])))
  for (const sign of ['\0', '\u001b', '\uffff', ']]>', '<b']) expect(xml).not.toContain(sign)
  for (const text of ['\\u0000', '\\ud800', '\\udfff', '🔑', '\\u001b[31m', ']]&gt;']) expect(xml).toContain(text)
  expect(xml.isWellFormed()).toBe(true)
})

test('JUnit tells a failure once, its retries beside it, and what passed at last as flaky alone', () => {
  const count = (xml: string, element: string) => xml.split(`<${element} `).length - 1
  const failed = junitReport(run(scenario('failed', [bad('a'), bad('b')])))
  expect([count(failed, 'failure'), count(failed, 'rerunFailure'), count(failed, 'flakyFailure')]).toEqual([1, 1, 0])
  const flaky = junitReport(run(scenario('flaky', [bad('a'), attempt()])))
  expect([count(flaky, 'failure'), count(flaky, 'rerunFailure'), count(flaky, 'flakyFailure')]).toEqual([0, 0, 1])
  expect(flaky).toContain('failures="0"')
})

test('a megabyte is cut, and the cut is said', () => {
  const xml = junitReport(run(scenario('failed', [bad('x'.repeat(2_000_000))])))
  expect(xml.length).toBeLessThan(200_000)
  expect(xml).toMatch(/… \(\d+ more characters\)/)
})

test('annotations for GitHub are one line each, whatever the texts hold', () => {
  const [command = ''] = githubCommands(run(scenario('failed', [bad('a\n::error::b, 100%')])))
  expect(command).toMatch(/^::error file=tests\/a\.yaml,line=3,title=Signs in::[^\n]*a%0A::error::b, 100%25$/)
  expect(githubCommands(run(scenario('flaky', [bad('a'), attempt()])))[0]).toMatch(/^::warning /)
  expect(githubCommands(run(...Array.from({ length: 30 }, () => scenario('failed', [bad('a')])))).length).toBe(10)
})

test('the summary for GitHub names what failed, and is cut where there is too much', () => {
  const many = Array.from({ length: 1000 }, () => scenario('failed', [bad('<script>'.repeat(5000))]))
  const summary = githubSummary(run(...many))
  expect(summary).toContain('And 950 more.')
  expect(summary).not.toContain('<script>')
  // What GitHub takes of one step.
  expect(summary.length).toBeLessThan(1024 * 1024)
})

test('the sample is a report', () => {
  expect(findProblem(sample, loadReportSchema)).toBe(undefined)
})

test('the page escapes what a service said, and loads nothing', () => {
  const page = loadPage(sample)
  expect(page).toContain('http://localhost:7420/&lt;b&gt;')
  expect(page).not.toContain('<b>')
  expect(page).not.toMatch(/<script|<link|src=|url\(|@import/)
  expect(page).toContain("default-src 'none'")
})

test('a load in which nothing was done has a page all the same', () => {
  const { all: _, register: __, auth: ___, ...late } = sample.latency
  const timeline = sample.timeline.map(({ at_ms }) => ({ at_ms, arrived: 0, done: 0, failed: 0, dropped: 0 }))
  const page = loadPage({ ...sample, latency: late, steps: [], curve: [], timeline, server: undefined as never })
  expect(page).toContain('</html>')
  expect(page).not.toMatch(/NaN|undefined|Infinity/)
})

test('a chart has no point off its axes', () => {
  const page = loadPage(sample)
  expect(page).not.toMatch(/NaN|undefined|Infinity/)
  const heights = [...page.matchAll(/[ML]([\d.]+) ([\d.-]+)/g)].map(([, , y]) => Number(y))
  expect(heights.length).toBeGreaterThan(100)
  for (const y of heights) expect(y >= 0 && y <= 260).toBe(true)
})

test('each limit has a sentence of its own', () => {
  const sentences = (['none', 'busy', 'late', 'machine'] as const).map((limit) =>
    clientSentence({ ...sample, client: { ...sample.client, limit } }),
  )
  expect(new Set(sentences).size).toBe(4)
  expect(sentences.filter((sentence) => !sentence.endsWith('.'))).toEqual([])
})

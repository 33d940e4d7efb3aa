import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { errors } from '../../../src-main/core/contract/errors.ts'
import { type BenchEvent, EVENT_KINDS, eventSchemas } from '../../../src-main/core/contract/events.ts'
import { makeSchemaCheck } from '../../../src-main/core/contract/make-check.ts'
import { object, text } from '../../../src-main/core/contract/schema.ts'
import { TRACE_LIMITS, TRACE_VERSION } from '../../../src-main/core/contract/trace.ts'
import { findProblem } from '../../../src-main/core/contract/validate.ts'
import { en } from '../../../src-main/core/messages/en/en.ts'
import { traceTitle } from '../../../src-main/core/messages/trace-title.ts'
import { zh } from '../../../src-main/core/messages/zh/zh.ts'
import { isObject } from '../../../src-main/core/protocol/json.ts'
import { saveTrace } from '../../../src-main/sdk/save-trace.ts'
import { createHar } from '../../../src-main/views/report/har.ts'
import { scanLastEvents } from '../../../src-main/views/trace/read-trace.ts'
import { ALICE, cast, codeOf, register } from '../../support/bench.ts'
import { benchOfFile } from '../../support/open-workspaces.ts'
import { readTrace } from '../../support/read-trace.ts'
import { secretsIn } from '../../support/secrets-in.ts'

const bench = benchOfFile()
let whole: Uint8Array<ArrayBuffer>
let recorded: readonly BenchEvent[]
const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
beforeAll(async () => {
  const { client } = bench
  await register(client, await cast(client))
  const signed = `FIDO-HMAC-SHA256 Credential=x/20300101/fido-server/x, SignedHeaders=host, Signature=${'0'.repeat(64)}`
  for (const traceparent of [PARENT.replace('-01', ''), PARENT]) {
    await fetch(`${bench.bench.baseUrl}/rp/credentials?user_id=u-1`, {
      headers: { traceparent, authorization: signed },
    })
  }
  recorded = (await client.call('events.list', { query: { limit: 10_000 } })).events
  whole = await saveTrace(client, { title: 'A registration', workspace: 'main', saved: 1 })
})
const open = (bytes: Uint8Array, limits: Partial<typeof TRACE_LIMITS> = {}) =>
  readTrace(new Blob([new Uint8Array(bytes)]).stream(), { ...TRACE_LIMITS, ...limits })
const HEADER = { format: 'handset-trace', version: 1, handset: '1', title: 't', workspace: 'w', saved: 1 }
const packed = (...lines: readonly unknown[]) => gzipSync(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))

test('a trace opens with all events that the bench recorded, in their order', async () => {
  const trace = await open(whole)
  expect(trace.ok && trace.value.events).toEqual(recorded)
  expect(trace.ok && trace.value.header).toMatchObject({
    ...HEADER,
    handset: '0.0.0',
    title: 'A registration',
    workspace: 'main',
  })
})

test('a trace without a title has that of its workspace, in the language of its reader', async () => {
  const { client } = bench
  const { handset } = await client.call('events.trace')
  const saved = await saveTrace(client, { workspace: 'main', saved: 1 })
  for (const bytes of [Buffer.from(handset, 'base64'), saved]) {
    const trace = await open(new Uint8Array(bytes))
    if (!trace.ok) throw new Error(trace.error.code)
    const { header } = trace.value
    expect(header.rps).toEqual((await client.call('rps.list')).rps)
    for (const texts of [en, zh])
      expect(traceTitle(header, texts)).toBe(texts.defaultTitles.workspace({ workspace: 'main' }))
    expect(traceTitle({ ...header, title: 'A registration' }, zh)).toBe('A registration')
  }
  expect(traceTitle({ title: '', workspace: 'main' }, zh)).not.toContain('Workspace')
})

test('a trace holds no secret of its workspace: no access key, token, hash or private key', async () => {
  const { client } = bench
  const chip = await cast(client, { storage: 'chip', account: { name: 'Carol', phone: '13812345670' } })
  await register(client, chip)
  const { code } = await client.call('session.invite', { body: {} })
  const secrets = [...secretsIn(await client.call('workspace.export')), bench.bench.token, code]
  expect(secrets.length).toBeGreaterThan(14)
  const trace = await open(await saveTrace(client, { title: 't', workspace: 'main', saved: 1 }))
  const text = JSON.stringify(trace)
  expect(text).toContain('Carol')
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
})

test('the traceparent of the RP stands beside its exchange, in a trace and in an archive; a malformed one does not', async () => {
  const trace = await open(whole)
  const [malformed, good] = (trace.ok ? trace.value.events : []).slice(-2)
  expect(malformed).toMatchObject({ kind: 'exchange' })
  expect(malformed).not.toHaveProperty('traceparent')
  expect(good).toMatchObject({ traceparent: PARENT })
  const { log } = createHar(recorded, '1') as { readonly log: { readonly entries: readonly object[] } }
  expect(log.entries.at(-2)).not.toHaveProperty('_traceparent')
  expect(log.entries.at(-1)).toMatchObject({ _traceparent: PARENT })
})

const VERSIONS = Array.from({ length: TRACE_VERSION }, (_, i) => i + 1)

test('there is a file of each version of the format, so that who raises it adds one', () => {
  const files = readdirSync(join(import.meta.dirname, '../../vectors/traces')).filter((name) =>
    name.endsWith('.handset'),
  )
  expect(files.sort()).toEqual(VERSIONS.map((version) => `version-${version}.handset`).sort())
})

test.each(VERSIONS)('a trace that was written with version %i opens', async (version) => {
  const trace = await open(readFileSync(join(import.meta.dirname, `../../vectors/traces/version-${version}.handset`)))
  expect(trace.ok && [trace.value.header.version, trace.value.events.length > 30]).toEqual([version, true])
})

test('a trace that is cut anywhere is refused as damaged, or as none where not even its head is whole', async () => {
  for (const share of [0, 0.01, 0.3, 0.6, 0.99]) {
    const cut = await open(whole.slice(0, Math.floor(whole.length * share)))
    expect(cut.ok ? 'ok' : cut.error.code).toMatch(/^(damaged|no_trace)$/)
  }
  const changed = whole.with(Math.floor(whole.length / 2), (whole[Math.floor(whole.length / 2)] ?? 0) ^ 0xff)
  expect((await open(changed)).ok).toBe(false)
})

test.each([
  ['text', new TextEncoder().encode('name: x'), { code: 'no_trace' }],
  ['nothing', new Uint8Array(0), { code: 'no_trace' }],
  ['another format', packed({ format: 'har' }), { code: 'no_trace' }],
  ['a header without a title', packed({ ...HEADER, title: 1 }), { code: 'unfit', line: 1, field: 'title' }],
  ['a line that is no object', packed(HEADER, 5), { code: 'unfit', line: 2, field: '' }],
  ['a line that is no JSON', gzipSync(`${JSON.stringify(HEADER)}\n{"event"\n`), { code: 'damaged', events: 0 }],
  ['a header of a later version', packed({ format: 'handset-trace', version: 3 }), { code: 'newer', version: 3 }],
  ['an event without a kind', packed(HEADER, { event: {} }), { code: 'unfit', line: 2, field: 'kind' }],
  ['an event that is no object', packed(HEADER, { event: 1 }), { code: 'unfit', line: 2, field: 'event' }],
  ['no UTF-8', gzipSync(Buffer.from([0xff, 0x0a])), { code: 'no_trace' }],
] as const)('%s is refused with its reason', async (_, bytes, problem) => {
  expect(await open(bytes)).toEqual({ ok: false, error: problem })
})

test.each([
  ['a number that is none', 'seq', 'x'],
  ['a time that no date shows', 'wall', 1e20],
  ['a method that is a command', 'request.method', 'POST;touch owned'],
  ['a target that leads elsewhere', 'request.target', '@evil.example/'],
  ['a header’s name of two lines', 'request.headers[0][0]', [['X\n', '']]],
  ['a header’s value of two lines', 'request.headers[0][1]', [['X', 'a\r\nb']]],
  ['a header without a value', 'request.headers[0]', [['X']]],
  ['the name of an answer’s header of two lines', 'response.headers[0][0]', [['X\r\nY', '']]],
  ['the status 42', 'response.status', 42],
  ['the status 1001', 'response.status', 1001],
])('an event with %s is refused with its line and its field', async (_, field, value) => {
  const event = recorded.find((each) => each.kind === 'exchange')
  const path = field.replace(/\[.*/, '').split('.')
  const opened = await open(packed(HEADER, { event: changed(event, path, value) }))
  expect(opened).toEqual({ ok: false, error: { code: 'unfit', line: 2, field } })
})

test('what a later program of the same format adds is passed over', async () => {
  const [event] = recorded
  const trace = await open(packed(HEADER, { shot: 'x' }, { event: { ...event, kind: 'later' } }, { event }))
  expect(trace.ok && trace.value.events).toEqual([event])
})

test('what unpacks to more than a bench keeps is refused before it is unpacked', async () => {
  const bomb = gzipSync(`${JSON.stringify(HEADER)}\n${' '.repeat(8 * 1024 * 1024)}`)
  expect(bomb.length).toBeLessThan(20_000)
  expect(await open(bomb, { bytes: 1024 * 1024 })).toMatchObject({ error: { code: 'too_large', bytes: 1024 * 1024 } })
})

test('the last events of a large trace are heard without reading those before them', async () => {
  const clock = {
    v: 1,
    workspace: 'w',
    kind: 'clock',
    actor: { kind: 'control' },
    change: 'set',
    frozen: true,
    speed: 1,
  }
  const events = Array.from({ length: 20_000 }, (_, i) => ({ ...clock, seq: i + 1, wall: i, bench: i, now: i }))
  const unfit = events.map((event, i) => (i === 5000 ? { ...event, seq: 'x' } : event))
  const file = packed(HEADER, ...unfit.map((event) => ({ event })))
  expect(await open(file)).toMatchObject({ ok: false, error: { code: 'unfit' } })
  const heard: unknown[] = []
  const reader = {
    began: (event: BenchEvent) => void heard.push(event),
    event: (event: BenchEvent) => void heard.push(event),
  }
  expect(await scanLastEvents(new Blob([file]).stream(), { reader, last: 5 })).toMatchObject({ ok: true })
  expect(heard).toEqual([events[0], ...events.slice(-5)])
})

test('more events than can be shown are refused when the first of them is one too many', async () => {
  const [event] = recorded
  const many = packed(HEADER, ...Array.from({ length: 5 }, () => ({ event })))
  expect(await open(many, { events: 4 })).toMatchObject({ error: { code: 'too_large', events: 4 } })
  expect(await open(many, { events: 5 })).toMatchObject({ ok: true })
})

test('a line without an end is refused before it fills the memory', async () => {
  const piece = new Uint8Array(4 * 1024 * 1024).fill(0x20)
  let pieces = 0
  const endless = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => {
      pieces += 1
      controller.enqueue(pieces === 1 ? new TextEncoder().encode(`${JSON.stringify(HEADER)}\n`) : piece)
    },
  })
  expect(await readTrace(endless)).toMatchObject({ error: { code: 'too_large' } })
  expect(pieces).toBeLessThan(40)
})

test('lines that a bench wrote until it was killed open up to the last whole one, and others do not', async () => {
  const [first, second] = recorded
  const lines = (header: object) =>
    new TextEncoder().encode(
      [header, { event: first }, { event: second }]
        .map((line) => JSON.stringify(line))
        .join('\n')
        .slice(0, -9),
    )
  const trace = await open(lines({ ...HEADER, live: true }))
  expect(trace.ok && trace.value.events).toEqual([first])
  expect(await open(lines(HEADER))).toEqual({ ok: false, error: { code: 'damaged', events: 1 } })
})

test('an archive of the exchanges has each once, with its headers, bodies and status', () => {
  const { log } = createHar(recorded, '1') as {
    log: { entries: { request: { url: string }; response: { status: number }; _code: number }[] }
  }
  const exchanges = recorded.filter(({ kind }) => kind === 'exchange')
  expect(log.entries.length).toBe(exchanges.length)
  expect(log.entries.at(-1)).toMatchObject({
    request: { method: 'GET', queryString: [{ name: 'user_id', value: 'u-1' }] },
    _code: errors.malformed_authorization.code,
  })
})

type Kind = (typeof EVENT_KINDS)[number]

const events = gunzipSync(readFileSync(join(import.meta.dirname, '../../vectors/traces/version-1.handset')))
  .toString()
  .split('\n')
  .flatMap((line): readonly { readonly kind: Kind }[] => (line.includes('"event"') ? [JSON.parse(line).event] : []))

const checks = eventSchemas.map((schema) => ({ schema, check: makeSchemaCheck(schema) }))
const of = ({ kind }: { readonly kind: Kind }) => {
  const found = checks[EVENT_KINDS.indexOf(kind)]
  if (found === undefined) throw new Error(`no kind ${kind}`)
  return found
}

/** All places in a value. */
const pathsOf = (value: unknown, path: readonly string[] = []): readonly (readonly string[])[] => [
  path,
  ...(typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, part]) => pathsOf(part, [...path, key]))
    : []),
]

const changed = (value: unknown, [first, ...rest]: readonly string[], to: unknown): unknown => {
  if (first === undefined) return to
  if (Array.isArray(value)) return value.map((part, i) => (String(i) === first ? changed(part, rest, to) : part))
  return isObject(value) ? { ...value, [first]: changed(value[first], rest, to) } : to
}

test('no kind of event is in the contract that no bench records', async () => {
  const client = bench.client.workspace((await bench.client.call('workspaces.create', {})).id)
  const parts = await cast(client)
  await register(client, parts)
  await client.call('service.arm', { body: { fault: 'url-to-another-host' } })
  await codeOf(client.call('simulator.sign-in', { params: { rp: parts.rp }, body: { ...ALICE, method: 'push' } }))
  await client.call('clock.advance', { body: { ms: 1 } })
  const { events } = await client.call('events.list', { query: { limit: 10_000 } })
  expect(EVENT_KINDS.filter((kind) => events.every((event) => event.kind !== kind))).toEqual([])
})

test('a changed event fits its check exactly when it fits the contract', () => {
  const someEvent = fc.constantFrom(...events)
  const value = fc.oneof(fc.constantFrom(undefined, null, '', 'x', -1, 0, 1.5, 1e300, true, [], {}), fc.string())
  let unfit = 0
  fc.assert(
    fc.property(someEvent, fc.nat(), value, (event, n, to) => {
      const paths = pathsOf(event)
      const other = JSON.parse(JSON.stringify(changed(event, paths[n % paths.length] ?? [], to)) ?? 'null')
      const { schema, check } = of(event)
      const problem = findProblem(other, schema)
      if (problem !== undefined) unfit += 1
      expect(check(other) === undefined).toBe(problem === undefined)
    }),
    { numRuns: 400, seed: 1 },
  )
  expect(unfit).toBeGreaterThan(80)
})

test('a keyword that no check knows is a mistake in the contract, not an open door', () => {
  expect(() => makeSchemaCheck(object({ a: text(undefined, { minLength: 2 }) }))).toThrow('minLength')
})

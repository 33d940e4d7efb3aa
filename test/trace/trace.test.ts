import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { errors } from '../../src-main/contract/errors.ts'
import type { BenchEvent } from '../../src-main/contract/events.ts'
import { harOf } from '../../src-main/report/har.ts'
import { saveTrace } from '../../src-main/sdk/save-trace.ts'
import { MOST_BYTES, readTrace } from '../../src-main/trace/read-trace.ts'
import { cast, register, startTestBench, type TestBench } from '../support/bench.ts'

let bench: TestBench
let whole: Uint8Array<ArrayBuffer>
let recorded: readonly BenchEvent[]
beforeAll(async () => {
  bench = await startTestBench()
  const { client } = bench
  await register(client, await cast(client))
  const parent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const signed = `FIDO-HMAC-SHA256 Credential=x/20300101/fido-server/x, SignedHeaders=host, Signature=${'0'.repeat(64)}`
  await fetch(`${bench.bench.baseUrl}/rp/credentials?user_id=u-1`, {
    headers: { traceparent: parent, authorization: signed },
  })
  recorded = (await client.call('events.list', { query: { limit: 10_000 } })).events
  whole = await saveTrace(client, { title: 'A registration', saved: 1 })
})
afterAll(() => bench.close())

const open = (bytes: Uint8Array, most = MOST_BYTES) => readTrace(new Blob([new Uint8Array(bytes)]).stream(), most)
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

test('a trace holds no secret, and the traceparent of the RP beside its exchange', async () => {
  const trace = await open(whole)
  const text = JSON.stringify(trace)
  const { rps } = await bench.client.call('rps.list')
  const params = { rp: rps[0]?.id ?? '' }
  const { keys } = await bench.client.call('keys.list', { params })
  const { secret } = await bench.client.call('keys.reveal', { params: { ...params, key: keys[0]?.id ?? '' } })
  expect(text).not.toContain(secret)
  expect(text).not.toContain(bench.bench.token)
  expect(text).toContain('00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01')
})

test('a trace that was written with version 1 opens', async () => {
  const trace = await open(readFileSync(join(import.meta.dirname, '../vectors/traces/version-1.handset')))
  expect(trace.ok && [trace.value.header.version, trace.value.events.length > 30]).toEqual([1, true])
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
  ['a newer format', packed({ ...HEADER, version: 2 }), { code: 'newer', version: 2 }],
  ['a header without a title', packed({ ...HEADER, title: 1 }), { code: 'unfit', line: 1, field: 'title' }],
  ['a line that is no object', packed(HEADER, 5), { code: 'unfit', line: 2, field: '' }],
  ['a line that is no JSON', gzipSync(`${JSON.stringify(HEADER)}\n{"event"\n`), { code: 'damaged', events: 0 }],
  ['no UTF-8', gzipSync(Buffer.from([0xff, 0x0a])), { code: 'no_trace' }],
] as const)('%s is refused with its reason', async (_, bytes, problem) => {
  expect(await open(bytes)).toEqual({ ok: false, error: problem })
})

test('an event that could not be shown is refused with its line', async () => {
  const [event] = recorded
  expect(await open(packed(HEADER, { event: { ...event, seq: 'x' } }))).toMatchObject({
    error: { code: 'unfit', line: 2 },
  })
})

test('what a later program of the same format adds is passed over', async () => {
  const [event] = recorded
  const trace = await open(packed(HEADER, { shot: 'x' }, { event: { ...event, kind: 'later' } }, { event }))
  expect(trace.ok && trace.value.events).toEqual([event])
})

test('what unpacks to more than a bench keeps is refused before it is unpacked', async () => {
  const bomb = gzipSync(`${JSON.stringify(HEADER)}\n${' '.repeat(8 * 1024 * 1024)}`)
  expect(bomb.length).toBeLessThan(20_000)
  expect(await open(bomb, 1024 * 1024)).toEqual({ ok: false, error: { code: 'too_large', bytes: 1024 * 1024 } })
})

test('an archive of the exchanges has each once, with its headers, bodies and status', () => {
  const { log } = harOf(recorded, '1') as {
    log: { entries: { request: { url: string }; response: { status: number }; _code: number }[] }
  }
  const exchanges = recorded.filter(({ kind }) => kind === 'exchange')
  expect(log.entries.length).toBe(exchanges.length)
  expect(log.entries.at(-1)).toMatchObject({
    request: { method: 'GET', queryString: [{ name: 'user_id', value: 'u-1' }] },
    _code: errors.malformed_authorization.code,
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCounter, createHistogram, MOST_SERIES } from '../../src-main/metrics/instruments.ts'
import { createMetrics } from '../../src-main/metrics/metrics.ts'
import { cast, register, startTestBench, type TestBench } from '../support/bench.ts'
import { parseMetrics } from './parse-metrics.ts'

const METRICS_TOKEN = 'prometheus-may-read-this-0123'
let bench: TestBench
let baseUrl: string
beforeAll(async () => {
  bench = await startTestBench({ metricsToken: METRICS_TOKEN })
  baseUrl = new URL(bench.bench.baseUrl).origin
})
afterAll(() => bench.close())

const read = async (token = METRICS_TOKEN): Promise<Response> =>
  fetch(`${baseUrl}/metrics`, { headers: { authorization: `Bearer ${token}` } })

describe('what a bench did', () => {
  test('[serve.metrics] stands in its metrics: requests by route and code, states, verdicts, latencies, the process', async () => {
    const made = await cast(bench.client)
    await register(bench.client, made)
    await bench.client.call('rps.get', { params: { rp: 'nobody' } }).catch(() => undefined)
    const response = await read()
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const { valueAt, typeOf } = parseMetrics(await response.text())
    const begun = { interface: 'rp', route: '/fido/rp/attestation/options', method: 'POST', status: '200', code: '0' }
    expect(valueAt('handset_requests_total', begun)).toBe(1)
    const refused = { interface: 'control', route: 'rps.get', method: 'GET', status: '404', code: '40404' }
    expect(valueAt('handset_requests_total', refused)).toBe(1)
    expect(valueAt('handset_messages_total', { ceremony: 'registration', state: 'success' })).toBe(1)
    expect(valueAt('handset_verdicts_total', { ceremony: 'registration', verdict: 'accepted', word: '' })).toBe(1)
    const { interface: side, route } = begun
    expect(valueAt('handset_request_seconds_count', { interface: side, route })).toBe(1)
    expect(valueAt('handset_request_seconds_bucket', { interface: side, route, le: '+Inf' })).toBe(1)
    expect(typeOf('handset_request_seconds')).toBe('histogram')
    expect(valueAt('process_resident_memory_bytes', {})).toBeGreaterThan(10_000_000)
    expect(valueAt('handset_build_info', { version: '0.0.0' })).toBe(1)
    // No pool where there is no database server.
    expect(typeOf('handset_database_connections')).toBe(undefined)
  })

  test('[serve.metrics] name no workspace, user, key or secret', async () => {
    const { id } = await bench.client.call('workspaces.create', { body: { id: 'a-secret-project' } })
    await cast(bench.client.workspace(id))
    const text = await (await read()).text()
    for (const word of ['a-secret-project', 'alice', 'Alice', bench.bench.token, bench.bench.rp?.accessKeyId ?? '?']) {
      expect(text).not.toContain(word)
    }
  })

  test('[serve.metrics] are closed without a token, and the token for them opens nothing else', async () => {
    expect((await fetch(`${baseUrl}/metrics`)).status).toBe(401)
    expect((await read('another-token-0123456789ab')).status).toBe(401)
    expect((await read(bench.bench.token)).status).toBe(200)
    const control = await fetch(`${baseUrl}/control/v1/info`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
    expect(control.status).toBe(401)
  })
})

test('[serve.metrics] a caller that makes up methods, codes and routes grows nothing without end', () => {
  const metrics = createMetrics('1')
  const hear = metrics.reading(() => undefined)
  for (let n = 0; n < 3 * MOST_SERIES; n++) {
    hear({ level: 'info', event: 'request refused', method: `M${n}`, status: 400, code: 90_000 + n })
    hear({ level: 'info', event: 'rp request', route: `/${n}`, method: 'GET', status: 200, code: 0, took_us: 5 })
  }
  const { samples } = parseMetrics(metrics.text({ pool: undefined, workspaces: 1 }))
  expect(samples.filter(({ name }) => name === 'handset_requests_total').length).toBeLessThanOrEqual(MOST_SERIES + 1)
  const total = samples.reduce((sum, { name, value }) => (name === 'handset_requests_total' ? sum + value : sum), 0)
  expect(total).toBe(6 * MOST_SERIES)
})

test('a label may hold anything, and a histogram’s buckets add up', () => {
  const counter = createCounter({ name: 'c_total', help: 'Two\nlines \\ of help.', labels: ['a'] })
  counter.add(['quote " back \\ line \n end'], 2)
  const histogram = createHistogram({ name: 'h', help: 'H.', labels: [] })
  for (const seconds of [0.001, 0.002, 0.3, 60]) histogram.observe([], seconds)
  const { valueAt } = parseMetrics(counter.text() + histogram.text())
  expect(valueAt('c_total', { a: 'quote " back \\ line \n end' })).toBe(2)
  const le = (most: string) => valueAt('h_bucket', { le: most })
  expect([le('0.001'), le('0.0025'), le('0.5'), le('10'), le('+Inf')]).toEqual([1, 2, 3, 3, 4])
  expect(valueAt('h_sum', {})).toBeCloseTo(60.303)
})

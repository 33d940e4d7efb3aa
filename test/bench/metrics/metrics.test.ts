import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createRandom } from '../../../src-main/bench/harness/random.ts'
import * as meters from '../../../src-main/bench/metrics/metrics.ts'
import type { LogLine } from '../../../src-main/core/protocol/log.ts'
import { StoreUnavailable } from '../../../src-main/core/protocol/store-unavailable.ts'
import { createServer, type HttpServer, type ServerOptions } from '../../../src-main/http/server.ts'
import { openStore } from '../../../src-main/service/store/open-store.ts'
import type { Store } from '../../../src-main/service/store/store.ts'
import { cast, register, startTestBench, type TestBench } from '../../support/bench.ts'
import { ask, speak } from '../../support/service/raw-http.ts'
import { rpClient } from '../../support/service/rp-client.ts'
import { type Running, startService } from '../../support/service/start-service.ts'
import { taken } from '../../support/taken.ts'
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

test('[serve.metrics] what a bench did stands in its metrics: requests by route and code, states, verdicts, latencies, the process', async () => {
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

test('[serve.metrics] the metrics of a bench name no workspace, user, key or secret', async () => {
  const { id } = await bench.client.call('workspaces.create', { body: { id: 'a-secret-project' } })
  await cast(bench.client.workspace(id))
  const text = await (await read()).text()
  for (const word of ['a-secret-project', 'alice', 'Alice', bench.bench.token, bench.bench.rp?.accessKeyId ?? '?']) {
    expect(text).not.toContain(word)
  }
})

test('[serve.metrics] the metrics of a bench are closed without a token, and the token for them opens nothing else', async () => {
  expect((await fetch(`${baseUrl}/metrics`)).status).toBe(401)
  expect((await read('another-token-0123456789ab')).status).toBe(401)
  expect((await read(bench.bench.token)).status).toBe(200)
  const control = await fetch(`${baseUrl}/control/v1/info`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
  expect(control.status).toBe(401)
})

test('[serve.metrics] a caller that makes up methods, codes and routes grows nothing without end', () => {
  const metrics = meters.createMetrics('1')
  const hear = metrics.reading(() => undefined)
  for (let n = 0; n < 3 * meters.MAX_SERIES; n++) {
    hear({ level: 'info', event: 'request refused', method: `M${n}`, status: 400, code: 90_000 + n })
    hear({ level: 'info', event: 'rp request', route: `/${n}`, method: 'GET', status: 200, code: 0, took_us: 5 })
  }
  const { samples } = parseMetrics(metrics.text({ pool: undefined, workspaces: 1 }))
  expect(samples.filter(({ name }) => name === 'handset_requests_total').length).toBeLessThanOrEqual(
    meters.MAX_SERIES + 1,
  )
  const total = samples.reduce((sum, { name, value }) => (name === 'handset_requests_total' ? sum + value : sum), 0)
  expect(total).toBe(6 * meters.MAX_SERIES)
})

test('a label may hold anything, and a histogram’s buckets add up', () => {
  const counter = meters.createCounter({ name: 'c_total', help: 'Two\nlines \\ of help.', labels: ['a'] })
  for (let n = 0; n < 2; n++) counter.add(['quote " back \\ line \n end'])
  const histogram = meters.createHistogram({ name: 'h', help: 'H.', labels: [] })
  for (const seconds of [0.001, 0.002, 0.3, 60]) histogram.observe([], seconds)
  const { valueAt } = parseMetrics(counter.text() + histogram.text())
  expect(valueAt('c_total', { a: 'quote " back \\ line \n end' })).toBe(2)
  const le = (most: string) => valueAt('h_bucket', { le: most })
  expect([le('0.001'), le('0.0025'), le('0.5'), le('10'), le('+Inf')]).toEqual([1, 2, 3, 3, 4])
  expect(valueAt('h_sum', {})).toBeCloseTo(60.303)
})

/** Its samples are what Node records: times from one to the next, in ms. */
const fakeLoop = () => {
  const histograms: number[][] = []
  let change = (): void => undefined
  const delay = meters.createDelayMonitor({
    watch: () => {
      const samples: number[] = []
      histograms.push(samples)
      return {
        get count() {
          return samples.length
        },
        percentile: () => Math.max(...samples) * 1e6,
        reset: () => void samples.splice(0),
      }
    },
    every: (ms, run) => {
      expect(ms).toBe(meters.DELAY_WINDOW_MS)
      change = run
    },
  })
  return { delay, sample: (ms: number) => histograms.forEach((each) => void each.push(ms)), change: () => change() }
}

test('[serve.metrics] an idle event loop is not late: what lies between two samples is no delay', () => {
  const { delay, sample } = fakeLoop()
  expect(delay.p99()).toBe(0)
  sample(19.9)
  expect(delay.p99()).toBe(0)
  sample(20.2)
  expect(delay.p99()).toBeCloseTo(0.0002)
  sample(120)
  expect(delay.p99()).toBeCloseTo(0.1)
})

test('[serve.metrics] a delay is seen by each reader, for at least one window and at most two', () => {
  const { delay, sample, change } = fakeLoop()
  sample(120)
  expect([delay.p99(), delay.p99()].map((s) => s.toFixed(3))).toEqual(['0.100', '0.100'])
  change()
  expect(delay.p99()).toBeCloseTo(0.1)
  sample(70)
  change()
  expect(delay.p99()).toBeCloseTo(0.05)
  sample(20)
  change()
  expect(delay.p99()).toBe(0)
})

test('[serve.metrics] two that read the metrics see the same delay of the event loop', async () => {
  const metrics = meters.createMetrics('1')
  const read = () =>
    parseMetrics(metrics.text({ pool: undefined, workspaces: 1 })).valueAt('nodejs_eventloop_delay_p99_seconds', {})
  // From here on the event loop is watched.
  read()
  // Two samples, and a loop that does not turn for 300 ms between them.
  await expect
    .poll(() => {
      const end = performance.now() + 300
      while (performance.now() < end);
      return read()
    })
    .toBeGreaterThan(0.2)
  expect(read()).toBeGreaterThan(0.2)
})

const HOST = [['Host', 'localhost']] as const
const LATE_MS = 200
const away = async (): Promise<never> => {
  throw new StoreUnavailable('away', false)
}

/** Everything that was counted, and how long it took. */
const countsOf = (lines: readonly LogLine[]) => {
  const metrics = meters.createMetrics('1')
  const hear = metrics.reading(() => undefined)
  for (const line of lines) hear(line)
  const { samples } = parseMetrics(metrics.text({ pool: undefined, workspaces: 1 }))
  const of = (wanted: string) => samples.filter(({ name }) => name === wanted)
  return {
    requests: of('handset_requests_total').map(({ labels, value }) => ({ ...labels, count: value })),
    timed: of('handset_request_seconds_count').map(({ labels, value }) => ({ ...labels, count: value })),
    seconds: of('handset_request_seconds_sum').reduce((sum, { value }) => sum + value, 0),
  }
}

describe('an RP’s request that finds the database gone on its way', () => {
  let running: Running
  let isAway = false
  let lines: LogLine[] = []
  beforeEach(async () => {
    isAway = false
    lines = []
    const store = taken(await openStore({ kind: 'memory' }))
    const insert: Store['messages']['insert'] = async (...record) => {
      if (!isAway) return store.messages.insert(...record)
      return new Promise<never>((_, reject) => setTimeout(() => reject(new StoreUnavailable('away', false)), LATE_MS))
    }
    running = await startService({ openStore: { ...store, messages: { ...store.messages, insert } }, log: lines })
  })
  afterEach(() => running.stop())

  test('[serve.metrics] is counted once, with its route, and with the time from its arrival', async () => {
    const rp = rpClient(running, await running.makeRp())
    isAway = true
    lines.splice(0)
    expect((await rp.register('u1')).json.code).toBe(50302)
    const { requests, timed, seconds } = countsOf(lines)
    const asked = { interface: 'rp', route: '/fido/rp/attestation/options' }
    expect(requests).toEqual([{ ...asked, method: 'POST', status: '503', code: '50302', count: 1 }])
    expect(timed).toEqual([{ ...asked, count: 1 }])
    expect(seconds).toBeGreaterThan((LATE_MS - 5) / 1_000)
    const [exchange] = running.events('exchange')
    expect(exchange?.took_us).toBeGreaterThan((LATE_MS - 5) * 1_000)
  })

  test('[serve.metrics] a page, a preflight and a route that there is not are counted once each', async () => {
    const { port } = running
    lines.splice(0)
    const asked = [
      ['GET', '/fido/m', 200],
      ['GET', '/app/openapi.json', 200],
      ['OPTIONS', '/app/inbox', 204],
      ['GET', '/fido/nothing', 404],
    ] as const
    for (const [method, target, status] of asked) {
      const headers = [['Host', `localhost:${port}`], ...(method === 'OPTIONS' ? PREFLIGHT(port) : [])] as const
      expect([target, (await ask({ port, method, target, headers })).status]).toEqual([target, status])
    }
    expect(lines.map(({ event, method, status }) => [event, method, status])).toEqual([
      ['rp request', 'GET', 200],
      ['app request', 'GET', 200],
      ['app request', 'OPTIONS', 204],
      ['rp request', 'GET', 404],
    ])
  })
})

const PREFLIGHT = (port: number) =>
  [
    ['Origin', `http://localhost:${port}`],
    ['Access-Control-Request-Method', 'GET'],
  ] as const

describe('a request that its mount never answers', () => {
  let server: HttpServer
  afterEach(() => server.close())
  const start = async (options: Pick<ServerOptions, 'mounts' | 'workspaceExists'>) => {
    const lines: LogLine[] = []
    server = createServer({ ...options, random: createRandom({ seed: 1 }), log: (line) => lines.push(line) })
    return { port: taken(await server.listen({ port: 0, hosts: ['127.0.0.1'] })).port, lines }
  }
  const mount = (answer: () => Promise<never>) =>
    ({ prefix: '/fido', bodyLimit: () => 64, answer, routeOf: () => '/fido/{known}' }) as const

  const bug = async (): Promise<never> => {
    throw new Error('bug')
  }
  const cases: readonly (readonly [string, Parameters<typeof start>[0], number])[] = [
    ['whose workspace cannot be asked for', { mounts: [mount(away)], workspaceExists: away }, 50302],
    ['that the store refuses', { mounts: [mount(away)], workspaceExists: () => true }, 50302],
    ['that meets a bug', { mounts: [mount(bug)], workspaceExists: () => true }, 50001],
    ['of a workspace that is not there', { mounts: [mount(away)], workspaceExists: () => false }, 40401],
  ]
  test.each(cases)('[serve.metrics] %s is counted and timed once, under its route', async (_, options, code) => {
    const { port, lines } = await start(options)
    expect((await ask({ port, method: 'GET', target: '/fido/a', headers: HOST })).json.code).toBe(code)
    const { requests, timed } = countsOf(lines)
    expect(requests).toMatchObject([{ interface: 'none', route: '/fido/{known}', code: String(code), count: 1 }])
    expect(timed).toEqual([{ interface: 'none', route: '/fido/{known}', count: 1 }])
  })

  test('[serve.metrics] that is refused at its first line or by its head is counted and timed once', async () => {
    const { port, lines } = await start({ mounts: [mount(away)], workspaceExists: () => true })
    await ask({ port, method: 'GET', target: '/nowhere', headers: HOST })
    await ask({ port, method: 'GET', target: '/fido/a', headers: [] })
    await speak(port, 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n')
    await speak(port, 'GET /fido HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\n\r\n')
    const { requests, timed } = countsOf(lines)
    expect(requests.reduce((sum, { count }) => sum + count, 0)).toBe(4)
    expect(timed.reduce((sum, { count }) => sum + count, 0)).toBe(4)
  })
})

test('[serve.metrics] a call of the control interface that is refused before it is carried out is counted and timed once', async () => {
  const { bench: own, log, close } = await startTestBench()
  const from = log.length
  // Without a Host header.
  expect((await ask({ port: own.port, method: 'GET', target: '/control/v1/rps', headers: [] })).json.code).toBe(40005)
  await close()
  const { requests, timed } = countsOf(log.slice(from))
  expect(requests).toMatchObject([{ interface: 'control', route: 'rps.list', status: '400', count: 1 }])
  expect(timed).toEqual([{ interface: 'control', route: 'rps.list', count: 1 }])
})

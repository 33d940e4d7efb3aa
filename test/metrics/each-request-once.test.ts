import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startBench } from '../../src-main/bench.ts'
import { createRandom } from '../../src-main/harness/random.ts'
import { createServer, type HttpServer, type ServerOptions } from '../../src-main/http/server.ts'
import { createMetrics } from '../../src-main/metrics/metrics.ts'
import type { LogLine } from '../../src-main/protocol/log.ts'
import { StoreUnavailable } from '../../src-main/protocol/store-unavailable.ts'
import { openStore } from '../../src-main/service/store/open-store.ts'
import type { Store } from '../../src-main/service/store/store.ts'
import { ask, speak } from '../support/service/raw-http.ts'
import { rpClient } from '../support/service/rp-client.ts'
import { type Running, startService } from '../support/service/start-service.ts'
import { taken } from '../support/taken.ts'
import { parseMetrics } from './parse-metrics.ts'

const HOST = [['Host', 'localhost']] as const
const LATE_MS = 200
const away = async (): Promise<never> => {
  throw new StoreUnavailable('away', false)
}

/** Everything that was counted, and how long it took. */
const countsOf = (lines: readonly LogLine[]) => {
  const metrics = createMetrics('1')
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
  const lines: LogLine[] = []
  const bench = taken(
    await startBench({
      ...{ port: 0, hosts: [], prefix: '/fido', version: '1.2.3', pageFolder: '/nowhere' },
      seedData: { rps: [], phones: [] },
      log: (line) => void lines.push(line),
    }),
  )
  const { port } = bench
  // Without a Host header.
  expect((await ask({ port, method: 'GET', target: '/control/v1/rps', headers: [] })).json.code).toBe(40005)
  await bench.close()
  const { requests, timed } = countsOf(lines)
  expect(requests).toMatchObject([{ interface: 'control', route: 'rps.list', status: '400', count: 1 }])
  expect(timed).toEqual([{ interface: 'control', route: 'rps.list', count: 1 }])
})

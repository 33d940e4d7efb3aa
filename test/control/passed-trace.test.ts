import { beforeAll, expect, test } from 'vitest'
import { createControlClient } from '../../src-main/sdk/client.ts'
import { cast, register } from '../support/bench.ts'
import { benchOfFile } from '../support/open-workspaces.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const TRACEPARENT = `00-${TRACE}-00f067aa0ba902b7-01`
const bench = benchOfFile()
let made: Awaited<ReturnType<typeof cast>>
beforeAll(async () => {
  made = await cast(bench.client)
})

/** Each call of this client belongs to the trace. */
const traced = (traceparent: string) =>
  createControlClient({
    controlUrl: bench.bench.controlUrl,
    token: bench.bench.token,
    fetch: (input, init) => fetch(input, { ...init, headers: { ...init?.headers, traceparent } }),
  })

const exchangesSince = async (after: number) =>
  (await bench.client.call('events.list', { query: { after, kind: 'exchange' } })).events.flatMap((event) =>
    event.kind === 'exchange' ? [{ side: event.interface, traceparent: event.traceparent }] : [],
  )

test('[serve.log] what a command makes the RP and the phones call belongs to the command’s trace, in events and in the log', async () => {
  const { last_seq } = await bench.client.call('overview')
  const from = bench.log.length
  await register(traced(TRACEPARENT), made)
  const lines = bench.log.slice(from).filter(({ event }) => /^(rp|app|control) request$/.test(event))
  const exchanges = await exchangesSince(last_seq)
  expect(new Set(exchanges.map(({ side }) => side))).toEqual(new Set(['rp', 'app']))
  expect(new Set(exchanges.map(({ traceparent }) => traceparent))).toEqual(new Set([TRACEPARENT]))
  expect(new Set(lines.map(({ trace_id }) => trace_id))).toEqual(new Set([TRACE]))
})

test('a command in no trace, or in one that is none, brings none with it', async () => {
  const { last_seq } = await bench.client.call('overview')
  await register(traced('00-nonsense-01'), made)
  expect(new Set((await exchangesSince(last_seq)).map(({ traceparent }) => traceparent))).toEqual(new Set([undefined]))
})

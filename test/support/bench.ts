import { type Bench, startBench } from '../../src-main/bench/assembly/bench.ts'
import { DEMO_RP } from '../../src-main/bench/control/seed-data.ts'
import type { LogLine } from '../../src-main/core/protocol/log.ts'
import { type Body, type ControlClient, ControlError, createControlClient } from '../../src-main/sdk/client.ts'

export const START = Date.UTC(2030, 0, 1, 12)

type BenchOptions = Partial<Omit<Parameters<typeof startBench>[0], 'dataDirectory' | 'hosts' | 'log' | 'version'>>

/** A whole bench, in memory, on a free port, spoken to like anybody does. */
export const startTestBench = async ({ data, seed, ...more }: BenchOptions & { readonly data?: string } = {}) => {
  const log: LogLine[] = []
  const started = await startBench({
    ...{ port: 0, hosts: [], allowHosts: [], prefix: '/fido', version: '0.0.0', pageFolder: '/nowhere' },
    seedData: { rps: [DEMO_RP], phones: [] },
    log: (line) => void log.push(line),
    ...(seed === undefined ? {} : { seed, clock: { now: START, frozen: true } }),
    ...more,
    ...(data === undefined ? {} : { dataDirectory: data }),
  })
  if (!started.ok) throw new Error(JSON.stringify(started.error))
  const bench: Bench = started.value
  const client = createControlClient({ controlUrl: bench.controlUrl, token: bench.token })
  return { bench, client, log, close: () => bench.close() }
}

export type TestBench = Awaited<ReturnType<typeof startTestBench>>

/** The demo RP and one phone. */
export const cast = async (client: ControlClient, phone: Partial<Body<'phones.create'>> = {}) => {
  const { rps } = await client.call('rps.list')
  const rp = rps[0]
  if (rp === undefined) throw new Error('there is no RP')
  const made = await client.call('phones.create', {
    body: { name: 'Alice’s phone', account: { name: 'Alice', phone: '13812345678' }, ...phone },
  })
  return { rp: rp.id, phone: made.id }
}

export const ALICE = { user_id: 'u-1', username: 'alice' }

/** A registration by QR code, to the end. */
export const register = async (
  client: ControlClient,
  { rp, phone }: { readonly rp: string; readonly phone: string },
) => {
  const attempt = await client.call('simulator.register', { params: { rp }, body: { ...ALICE, poll: false } })
  await client.call('phones.scan', { params: { id: phone }, body: { url: attempt.url } })
  await client.call('phones.approve', { params: { id: phone }, body: {} })
  return client.call('simulator.poll', { params: { rp, msg_id: attempt.msg_id } })
}

/** The code with which a call is refused, or 0. */
export const codeOf = async (call: Promise<unknown>): Promise<number> => {
  try {
    await call
    return 0
  } catch (error) {
    if (error instanceof ControlError) return error.code
    throw error
  }
}

import { startBench } from '../../src-main/bench.ts'
import type { Bench } from '../../src-main/bench-settings.ts'
import { DEMO_RP, type SeedData } from '../../src-main/control/seed-data.ts'
import type { ClockSetting } from '../../src-main/harness/clock.ts'
import type { LogLine } from '../../src-main/protocol/log.ts'
import { type Body, type ControlClient, ControlError, createControlClient } from '../../src-main/sdk/client.ts'
import type { ForwardSettings } from '../../src-main/service/forward/forward-settings.ts'
import type { WantedTls } from '../../src-main/tls/tls-identity.ts'

export const START = Date.UTC(2030, 0, 1, 12)

/** A whole bench, in memory, on a free port, spoken to like anybody does. */
export const startTestBench = async (
  options: {
    readonly seed?: number
    readonly port?: number
    readonly data?: string
    readonly seedData?: SeedData
    readonly clock?: ClockSetting
    readonly allowHosts?: readonly string[]
    readonly tls?: WantedTls
    readonly metricsToken?: string
    readonly publicUrl?: string
    readonly prefix?: string
    readonly forward?: ForwardSettings
    readonly pageFolder?: string
  } = {},
) => {
  const log: LogLine[] = []
  const {
    seed,
    port = 0,
    data,
    clock,
    tls,
    metricsToken,
    publicUrl,
    prefix = '/fido',
    pageFolder = '/nowhere',
    forward,
    allowHosts = [],
    seedData = { rps: [DEMO_RP], phones: [] },
  } = options
  const started = await startBench({
    port,
    hosts: [],
    allowHosts,
    prefix,
    version: '0.0.0',
    pageFolder,
    seedData,
    log: (line) => void log.push(line),
    ...(seed === undefined ? {} : { seed, clock: { now: START, frozen: true } }),
    ...(clock === undefined ? {} : { clock }),
    ...(tls === undefined ? {} : { tls }),
    ...(metricsToken === undefined ? {} : { metricsToken }),
    ...(publicUrl === undefined ? {} : { publicUrl }),
    ...(forward === undefined ? {} : { forward }),
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

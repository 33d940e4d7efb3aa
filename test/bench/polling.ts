import { createRpClient } from '../../src-main/sdk/rp.ts'
import { signRequest } from '../../src-main/sdk/sign-request.ts'
import { taken } from '../support/taken.ts'
import { cpuMs, type Ready, startChild, startHandset, startLogging } from './child.ts'
import { load } from './load.ts'

/** One server under load for a while: what it answered, and what of a processor it used. */
export type Sample = {
  readonly perSecond: number
  /** Processor time of the server for each answer; undefined where the system does not tell. */
  readonly cpuMicros: number | undefined
  /** Its share of one processor: about 100 % when it, and not the client, is what limits. */
  readonly busy: number | undefined
}

export type PollingRound = { readonly bare: Sample; readonly handset: Sample; readonly logging: Sample }

type Server = { readonly port: number; readonly pid: number; readonly ready?: Ready; stop(): Promise<void> }

/** A poll of a result that is not there yet, signed: what a service of this kind answers most. */
const signedPoll = (ready: Ready, msgId: string, at: number): Buffer => {
  const { host, pathname } = new URL(ready.base_url)
  const target = `${pathname}/rp/attestation/result?msg_id=${msgId}`
  const key = { accessKeyId: ready.access_key_id, secretKey: ready.secret_key }
  const { headers } = taken(signRequest({ method: 'GET', host, target, body: new Uint8Array(0) }, key, at))
  return Buffer.from(`GET ${target} HTTP/1.1\r\n${headers.map((pair) => pair.join(': ')).join('\r\n')}\r\n\r\n`)
}

/** People who wait, and seconds in which they ask. */
const MESSAGES = 16
const DATES = 16

/** New messages for each round, so that none expires, and their polls signed beforehand: no two are the same. */
const pollsOf = async (ready: Ready, round: number): Promise<readonly Buffer[]> => {
  const { base_url, access_key_id, secret_key } = ready
  const rp = createRpClient({ baseUrl: base_url, accessKeyId: access_key_id, secretKey: secret_key, now: Date.now })
  const ids: string[] = []
  for (let n = 0; n < MESSAGES; n++) {
    const message = await rp.register({ user_id: `bench-${round}-${n}`, username: 'bench' })
    if (!message.ok) throw new Error(message.error.error)
    ids.push(message.value.msg_id)
  }
  rp.close()
  const now = Date.now()
  return Array.from({ length: DATES }, (_, second) =>
    ids.map((id) => signedPoll(ready, id, now + second * 1000)),
  ).flat()
}

/**
 * Rounds in which each server has its turn, each round beginning with another one, so that a machine that slows down
 * slows them all. Every server is a process of its own, and the client is this one.
 */
export const comparePolling = async (options: {
  readonly rounds: number
  readonly seconds: number
  readonly connections: number
  readonly root?: string
}): Promise<readonly PollingRound[]> => {
  const { rounds, seconds, connections } = options
  const bare = await startChild<{ readonly port: number }>('test/bench/bare-server.mjs', [])
  const [plain, logging] = await Promise.all([startHandset([], options.root), startLogging([], options.root)])
  const servers = {
    bare: { port: bare.ready.port, pid: bare.child.pid ?? 0, stop: bare.stop },
    handset: serverOf(plain),
    logging: serverOf(logging),
  } as const satisfies Record<keyof PollingRound, Server>
  const measure = async (server: Server, round: number): Promise<Sample> => {
    // The bare one answers anything, so it is asked the same.
    const requests = await pollsOf(server.ready ?? plain.ready, round)
    const before = cpuMs(server.pid)
    const {
      perSecond,
      requests: answered,
      seconds: took,
    } = await load({
      port: server.port,
      requests,
      connections,
      seconds,
    })
    const after = cpuMs(server.pid)
    if (before === undefined || after === undefined) return { perSecond, cpuMicros: undefined, busy: undefined }
    return { perSecond, cpuMicros: ((after - before) * 1000) / answered, busy: (after - before) / (took * 10) }
  }
  const names = ['bare', 'handset', 'logging'] as const
  const result: PollingRound[] = []
  try {
    for (let round = -1; round < rounds; round++) {
      const samples: Partial<Record<keyof PollingRound, Sample>> = {}
      for (let turn = 0; turn < names.length; turn++) {
        const name = names[(round + 1 + turn) % names.length] ?? 'bare'
        samples[name] = await measure(servers[name], round)
      }
      // The first round only warms up.
      if (round >= 0) result.push(samples as PollingRound)
    }
  } finally {
    await Promise.all(Object.values(servers).map((server) => server.stop()))
  }
  return result
}

const serverOf = ({ ready, stop }: { readonly ready: Ready; stop(): Promise<void> }): Server => ({
  port: Number(new URL(ready.base_url).port),
  pid: ready.pid,
  ready,
  stop,
})

import { signRequest } from '../../src-main/sdk/sign-request.ts'
import { taken } from '../support/taken.ts'
import { cpuMs, startChild } from './child.ts'
import { load } from './load.ts'
import { quantile } from './statistics.ts'

export type ProxySample = {
  readonly perSecond: number
  /** Processor time of what stands between, for each answer; undefined where the system does not tell, or nothing does. */
  readonly cpuMicros: number | undefined
  readonly busy: number | undefined
  /** Of one request after the other, in milliseconds. */
  readonly p99: number
}

export type ProxyRound = { readonly direct: ProxySample; readonly bare: ProxySample; readonly handset: ProxySample }

const KEY = { accessKeyId: 'bench', secretKey: 'a secret of the bench, not of anybody' }
const TARGET = '/fido/rp/attestation/result'

/** Polls as an RP signs them, for the host that it knows. */
const pollsAt = (port: number): readonly Buffer[] =>
  Array.from({ length: 256 }, (_, n) => {
    const target = `${TARGET}?msg_id=message-${n}`
    const host = `127.0.0.1:${port}`
    const { headers } = taken(signRequest({ method: 'GET', host, target, body: new Uint8Array(0) }, KEY, Date.now()))
    return Buffer.from(`GET ${target} HTTP/1.1\r\n${headers.map((pair) => pair.join(': ')).join('\r\n')}\r\n\r\n`)
  })

/** One target; directly, through a bare proxy and through `handset proxy`, which verifies, signs again and records each. */
export const compareProxying = async ({
  rounds,
  seconds,
}: {
  readonly rounds: number
  readonly seconds: number
}): Promise<readonly ProxyRound[]> => {
  const target = await startChild<{ readonly port: number }>('test/bench/bare-server.mjs', [])
  const { port } = target.ready
  const [bare, handset] = await Promise.all([
    startChild<{ readonly port: number }>('test/bench/bare-proxy.mjs', [String(port)]),
    startChild<{ readonly base_url: string }>('src-main/bin.mjs', [
      ...['proxy', '--target', `http://127.0.0.1:${port}/fido`, '--port', '0', '--json'],
      ...['--access-key', `${KEY.accessKeyId}:${KEY.secretKey}`],
    ]),
  ])
  const ways = {
    direct: { port, pid: undefined },
    bare: { port: bare.ready.port, pid: bare.child.pid },
    handset: { port: Number(new URL(handset.ready.base_url).port), pid: handset.child.pid },
  }
  const measure = async ({
    port,
    pid,
  }: {
    readonly port: number
    readonly pid: number | undefined
  }): Promise<ProxySample> => {
    const requests = pollsAt(port)
    const before = pid === undefined ? undefined : cpuMs(pid)
    const { perSecond, requests: answered, seconds: took } = await load({ port, requests, connections: 16, seconds })
    const after = pid === undefined ? undefined : cpuMs(pid)
    const latencies: number[] = []
    await load({ port, requests, connections: 1, seconds, heard: (ms) => latencies.push(ms) })
    const used = before === undefined || after === undefined ? undefined : after - before
    return {
      perSecond,
      cpuMicros: used === undefined ? undefined : (used * 1000) / answered,
      busy: used === undefined ? undefined : used / (took * 10),
      p99: quantile(latencies, 0.99),
    }
  }
  const names = ['direct', 'bare', 'handset'] as const
  const result: ProxyRound[] = []
  try {
    // The first round only warms up.
    for (let round = -1; round < rounds; round++) {
      const samples: Partial<Record<keyof ProxyRound, ProxySample>> = {}
      for (let turn = 0; turn < names.length; turn++) {
        const name = names[(round + 1 + turn) % names.length] ?? 'bare'
        samples[name] = await measure(ways[name])
      }
      if (round >= 0) result.push(samples as ProxyRound)
    }
  } finally {
    await Promise.all([bare.stop(), handset.stop(), target.stop()])
  }
  return result
}

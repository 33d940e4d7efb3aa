import { createRpClient } from '../../src-main/sdk/rp-client.ts'
import { signRequest } from '../../src-main/sdk/sign-request.ts'
import { taken } from '../support/taken.ts'
import { type Ready, startChild, startLogging } from './child.ts'
import { load } from './load.ts'
import { median, quantile } from './statistics.ts'

const CONNECTIONS = 16
const SECONDS = 2
const SLICES = 10

type Key = { readonly accessKeyId: string; readonly secretKey: string }

const signedGet = (host: string, target: string, key: Key, at: number): Buffer => {
  const { headers } = taken(signRequest({ method: 'GET', host, target, body: new Uint8Array(0) }, key, at))
  return Buffer.from(`GET ${target} HTTP/1.1\r\n${headers.map((pair) => pair.join(': ')).join('\r\n')}\r\n\r\n`)
}

/** People who wait, and seconds in which they ask. */
const MESSAGES = 16
const DATES = 16

/** Polls of results that are not there yet, signed beforehand: no two are the same. */
const pollsOf = async ({ base_url, access_key_id, secret_key }: Ready): Promise<readonly Buffer[]> => {
  const key = { accessKeyId: access_key_id, secretKey: secret_key }
  const { host, pathname } = new URL(base_url)
  const rp = createRpClient({ baseUrl: base_url, ...key, now: Date.now })
  const targets: string[] = []
  for (let n = 0; n < MESSAGES; n++) {
    const { msg_id } = taken(await rp.register({ user_id: `bench-${n}`, username: 'bench' }))
    targets.push(`${pathname}/rp/attestation/result?msg_id=${msg_id}`)
  }
  rp.close()
  const now = Date.now()
  return Array.from({ length: DATES }, (_, second) =>
    targets.map((target) => signedGet(host, target, key, now + second * 1000)),
  ).flat()
}

const startBare = (root?: string) =>
  startChild<{ readonly port: number }>('test/benchmarks/bare-server.mjs', [], { quiet: true, root })

/** How often a service that logs answers polls, to how often bare node:http answers the same requests. */
export const pollShare = async (root?: string): Promise<number> => {
  const [bare, logging] = await Promise.all([startBare(), startLogging([], root)])
  try {
    const ports = [bare.ready.port, Number(new URL(logging.ready.base_url).port)]
    const shares: number[] = []
    // In turn and in slices, so that both meet what else the machine does. The first ones only warm up.
    for (const seconds of [SECONDS / 2, ...Array.from({ length: SLICES }, () => SECONDS / SLICES)]) {
      const requests = await pollsOf(logging.ready)
      const rates: number[] = []
      for (const port of ports) {
        rates.push((await load({ port, requests, connections: CONNECTIONS, seconds })).perSecond)
      }
      const [ofBare = Number.NaN, ofService = Number.NaN] = rates
      shares.push(ofService / ofBare)
    }
    return median(shares.slice(1))
  } finally {
    await Promise.all([bare.stop(), logging.stop()])
  }
}

const KEY = { accessKeyId: 'bench', secretKey: 'a secret of the bench, not of anybody' }

/** What stands before a target of bare node:http: nothing, a bare proxy, or one that verifies, signs again and records. */
const WAYS = {
  'The target itself': undefined,
  'A bare node:http proxy': (port: number) =>
    startChild<{ readonly port: number }>('test/benchmarks/bare-proxy.mjs', [String(port)]),
  'handset proxy': async (port: number, root?: string) => {
    const args = ['proxy', '--target', `http://127.0.0.1:${port}/fido`, '--port', '0', '--json']
    const key = ['--access-key', `${KEY.accessKeyId}:${KEY.secretKey}`]
    const proxy = await startChild<{ readonly base_url: string }>('src-main/bin.mjs', [...args, ...key], { root })
    return { ...proxy, ready: { port: Number(new URL(proxy.ready.base_url).port) } }
  },
} as const

export type Way = keyof typeof WAYS
export const ways = Object.keys(WAYS) as readonly Way[]

/** Polls on this way: how many a second with many connections, and how long one takes alone, in ms. */
export const proxied = async (
  way: Way,
  root?: string,
): Promise<{ readonly perSecond: number; readonly p99: number }> => {
  const target = await startBare()
  const between = await WAYS[way]?.(target.ready.port, root)
  try {
    const { port } = between?.ready ?? target.ready
    const requests = Array.from({ length: 256 }, (_, n) =>
      signedGet(`127.0.0.1:${port}`, `/fido/rp/attestation/result?msg_id=message-${n}`, KEY, Date.now()),
    )
    await load({ port, requests, connections: CONNECTIONS, seconds: SECONDS / 2 })
    const { perSecond } = await load({ port, requests, connections: CONNECTIONS, seconds: SECONDS })
    const took: number[] = []
    await load({ port, requests, connections: 1, seconds: SECONDS, heard: (ms) => took.push(ms) })
    return { perSecond, p99: quantile(took, 0.99) }
  } finally {
    await Promise.all([between?.stop(), target.stop()])
  }
}

import { createRpClient } from '../../src-main/sdk/rp.ts'
import { signRequest } from '../../src-main/sdk/sign-request.ts'
import { type Ready, startChild, startHandset } from './child.ts'
import { load } from './load.ts'

export type PollingPair = { readonly bare: number; readonly handset: number }

/** A poll of a result that is not there yet, signed: what a service of this kind answers most. */
const signedPoll = (ready: Ready, msgId: string): Buffer => {
  const { host, pathname } = new URL(ready.base_url)
  const target = `${pathname}/rp/attestation/result?msg_id=${msgId}`
  const key = { accessKeyId: ready.access_key_id, secretKey: ready.secret_key }
  const { headers } = signRequest({ method: 'GET', host, target, body: new Uint8Array(0) }, key, Date.now())
  return Buffer.from(`GET ${target} HTTP/1.1\r\n${headers.map((pair) => pair.join(': ')).join('\r\n')}\r\n\r\n`)
}

/** Pairs in turn, each beginning with the other one, so that a machine that slows down slows both. */
export const comparePolling = async (options: {
  readonly pairs: number
  readonly seconds: number
  readonly connections: number
}): Promise<readonly PollingPair[]> => {
  const bare = await startChild<{ readonly port: number }>('test/bench/bare-server.mjs', [])
  const handset = await startHandset()
  const { base_url, access_key_id, secret_key } = handset.ready
  const rp = createRpClient({ baseUrl: base_url, accessKeyId: access_key_id, secretKey: secret_key, now: Date.now })
  const port = Number(new URL(base_url).port)
  const pairs: PollingPair[] = []
  try {
    for (let i = -1; i < options.pairs; i++) {
      const message = await rp.register({ user_id: `bench-${i}`, username: 'bench' })
      if (!message.ok) throw new Error(message.error.error)
      const request = (): Buffer => signedPoll(handset.ready, message.value.msg_id)
      const measure = async (at: number): Promise<number> =>
        (await load({ port: at, request, connections: options.connections, seconds: options.seconds })).perSecond
      const first = i % 2 === 0 ? await measure(port) : await measure(bare.ready.port)
      const second = i % 2 === 0 ? await measure(bare.ready.port) : await measure(port)
      // The first pair only warms up.
      if (i >= 0) pairs.push(i % 2 === 0 ? { handset: first, bare: second } : { handset: second, bare: first })
    }
  } finally {
    rp.close()
    await Promise.all([bare.stop(), handset.stop()])
  }
  return pairs
}

import { onTestFinished } from 'vitest'
import { DEMO_RP } from '../../src-main/bench/control/seed-data.ts'
import { createRpClient, type RpClientOptions } from '../../src-main/sdk/rp-client.ts'
import type { ForwardSettings } from '../../src-main/service/forward/forward-rp.ts'
import { startTestBench } from './bench.ts'

export const KEY = { id: 'proxied', secret: 'a-secret-that-only-the-rp-and-the-service-have' }
const RP = { ...DEMO_RP, name: 'Your RP', keys: [KEY] }

/** A bench of our own in the place of a real service. */
export const startTarget = async (more: { readonly tls?: 'generated' } = {}) => {
  const target = await startTestBench({ seedData: { rps: [RP], phones: [] }, ...more })
  onTestFinished(target.close)
  return target
}

/** What `handset proxy` starts; with `keyed` it has the access key. */
export const startProxy = async ({
  keyed = true,
  prefix = '/fido',
  ...forward
}: Partial<ForwardSettings> & { readonly prefix?: string } = {}) => {
  const proxy = await startTestBench({
    prefix,
    allowHosts: ['fido.example.test'],
    seedData: { rps: keyed ? [RP] : [], phones: [] },
    forward: { patienceMs: 5_000, keyed, ...forward },
  })
  onTestFinished(proxy.close)
  return proxy
}

/** An RP that signs with the key, or a wrong one. */
export const rpAt = (baseUrl: string, more: Partial<RpClientOptions> = {}) => {
  const rp = createRpClient({ baseUrl, accessKeyId: KEY.id, secretKey: KEY.secret, now: Date.now, ...more })
  onTestFinished(rp.close)
  return rp
}

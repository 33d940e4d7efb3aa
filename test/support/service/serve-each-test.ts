import { afterEach, beforeEach } from 'vitest'
import { rpClient } from './rp-client.ts'
import { type SoftPhone, softPhone } from './soft-phone.ts'
import { type Running, startService, type TestRp } from './start-service.ts'

export let running: Running
export let shop: TestRp
export let rp: ReturnType<typeof rpClient>
export let phone: SoftPhone

/** Each test of the file has a service with one RP and one phone. */
export const serveEachTest = (options: Parameters<typeof startService>[0] = {}): void => {
  beforeEach(async () => {
    running = await startService(options)
    shop = await running.makeRp()
    rp = rpClient(running, shop)
    phone = await softPhone(running)
  })
  afterEach(() => running.stop())
}

import { connectHandset } from '../../src-main/sdk/index.ts'

/** A worker of a test suite that is in the middle of a test: it makes a phone, starts a sign-in, and never ends. */
const { HANDSET_CONTROL_URL: controlUrl = '', HANDSET_TOKEN: token = '' } = process.env
const handset = await connectHandset({ controlUrl, token })
const lease = await handset.lease({ name: 'Killed', ttlMs: 0 })
const phone = await lease.phone({ name: 'Alice', passkeys: [{ user_id: 'u-1' }] })
await (await handset.rp()).signIn({ user_id: 'u-1', username: 'alice', method: 'push' })
await phone.waitForPush()
console.info('under way')

// A lease does not keep a process.
setInterval(() => undefined, 60_000)

import { connectHandset, type Handset, type Lease, PhoneError, startHandset } from 'handset'
import { createControlClient } from 'handset/client'
import { createRp, ResultError } from 'handset/rp'

/** What a user of the package writes; it is compiled, and never run. */
export const use = async (): Promise<string> => {
  const own: Handset = await startHandset({ seed: 1, profile: { message_ttl_s: 60 }, onLog: (line) => line.length })
  const handset = await connectHandset({ controlUrl: own.controlUrl, token: own.token })
  const lease: Lease = await handset.lease({ name: 'A test', ttlMs: 0 })
  const phone = await lease.phone({ passkeys: [{ user_id: 'u', storage: 'chip' }] })
  const rp = createRp({ baseUrl: own.baseUrl, accessKeyId: 'a', secretKey: 'b' })
  const message = await rp.signIn({ user_id: 'u', username: 'u', method: 'push' })
  const prompt = await phone.waitForPush({ msgId: message.msg_id })
  const userId: string = (await message.verified({ signal: AbortSignal.timeout(1000) })).user_id
  const { to } = await handset.waitFor({ kind: 'message', to: 'success' }, { timeoutMs: 5 })
  const state: 'init' | 'bind' | 'success' | 'fail' | 'timeout' = to
  const { phones } = await createControlClient(own).call('phones.list')
  const codes: readonly string[] = [PhoneError, ResultError].map((made) => made.name)
  return `${prompt.rp.name} ${userId} ${state} ${phones[0]?.name} ${codes}`
}

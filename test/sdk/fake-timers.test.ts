import { expect, onTestFinished, test, vi } from 'vitest'
import { startHandset } from '../../src-main/sdk/index.ts'

test('with fake timers an RP signs with the real time, polls, and phones wait, as without', async () => {
  vi.useFakeTimers({ now: 0 })
  onTestFinished(() => void vi.useRealTimers())
  const handset = await startHandset()
  onTestFinished(() => handset.close())
  const rp = await handset.rp()
  const lease = await handset.lease({ name: 'A test with fake timers' })
  const phone = await lease.phone({ passkeys: [{ user_id: 'u-1' }] })
  const message = await rp.signIn({ user_id: 'u-1', username: 'u-1', method: 'push' })
  const result = message.verified({ intervalMs: 10 })
  await handset.waitFor({ kind: 'exchange', interface: 'rp' }, { after: await handset.lastSeq() })
  await phone.waitForPush()
  await phone.approve()
  expect(await result).toMatchObject({ status: 'success' })
  await expect(phone.waitForPush({ timeoutMs: 20 })).rejects.toMatchObject({ name: 'WaitError' })
  await lease.end()
  expect(Date.now()).toBe(0)
})

import { expect, test } from '../../../src-main/sdk/playwright.ts'

test('it expects more of one phone than there is', async ({ phone }) => {
  expect((await phone.state()).credentials_total).toBe(1)
})

test('it expects more of two phones than there is', async ({ phone, workspace }) => {
  const other = await workspace.phone()
  expect([(await phone.state()).network, (await other.state()).network]).toEqual(['online', 'offline'])
})

test('it waits for a push, and the site shows a code', async ({ workspace }) => {
  const phone = await workspace.phone({ passkeys: [{ user_id: 'u-1' }] })
  await (await workspace.rp()).signIn({ user_id: 'u-1', username: 'alice', method: 'qrcode' })
  await phone.waitForPush({ timeoutMs: 10 })
})

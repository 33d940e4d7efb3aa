import { expect, test } from '../../../src-main/sdk/playwright.ts'

test('it expects more of one phone than there is', async ({ phone }) => {
  expect((await phone.state()).credentials_total).toBe(1)
})

test('it expects more of two phones than there is', async ({ phone, workspace }) => {
  const other = await workspace.phone()
  expect([(await phone.state()).network, (await other.state()).network]).toEqual(['online', 'offline'])
})

test('it waits for a push, and the site shows a code', async ({ phone, workspace }) => {
  const rp = await workspace.rp()
  const { url } = await rp.register({ user_id: 'u-1', username: 'alice' })
  await phone.scan(url)
  await phone.approve()
  await rp.signIn({ user_id: 'u-1', username: 'alice', method: 'qrcode' })
  await phone.waitForPush({ timeoutMs: 10 })
})

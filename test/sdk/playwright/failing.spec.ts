import { expect, test } from '../../../src-main/sdk/playwright.ts'

test('it expects more of one phone than there is', async ({ phone }) => {
  expect((await phone.state()).credentials_total).toBe(1)
})

test('it expects more of two phones than there is', async ({ phone, workspace }) => {
  const other = await workspace.phone()
  expect([(await phone.state()).network, (await other.state()).network]).toEqual(['online', 'offline'])
})

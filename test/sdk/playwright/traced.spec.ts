import { expect, test } from '../../../src-main/sdk/playwright.ts'

test.use({ trace: 'on' })

test('a user registers by a code', async ({ phone, workspace }) => {
  const registration = await (await workspace.rp()).register({ user_id: 'traced', username: 'traced' })
  await phone.scan(registration.url)
  await phone.approve()
  const other = await workspace.phone({ name: 'Other' })
  await expect(other.scan('no code')).rejects.toThrow()
})

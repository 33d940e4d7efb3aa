import { randomUUID } from 'node:crypto'
import { expect, test } from 'handset/playwright'

/** The page under test: somebody else's, and without anything made for tests. */
const shop = test.extend<{ user: string }>({ user: async ({}, use) => use(`user-${randomUUID()}`) })

shop.beforeEach(async ({ page, user }) => {
  await page.goto('/')
  await page.getByLabel('User').fill(user)
})

shop('registers by the code on the page', async ({ page, phone }) => {
  await page.getByRole('button', { name: 'Register' }).click()
  await phone.scan(page.getByRole('img'))
  await phone.approve()
  await expect(page.getByRole('status')).toHaveText('done')
})

shop.describe('with a passkey', () => {
  shop.beforeEach(async ({ workspace, phone, user }) => {
    const rp = await workspace.rp()
    const message = await rp.register({ user_id: user, username: user })
    await phone.scan(message.url)
    await phone.approve()
  })

  shop('signs in by the code on the page', async ({ page, phone }) => {
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await phone.scan(page.getByRole('img'))
    await phone.approve()
    await expect(page.getByRole('status')).toHaveText('done')
  })

  shop('signs in by push', async ({ page, phone, user }) => {
    await page.getByRole('button', { name: 'Sign in by push' }).click()
    expect((await phone.waitForPush()).user.username).toBe(user)
    await phone.approve()
    await expect(page.getByRole('status')).toHaveText('done')
  })

  shop('is refused', async ({ page, phone }) => {
    await page.getByRole('button', { name: 'Sign in by push' }).click()
    await phone.waitForPush()
    await phone.reject()
    await expect(page.getByRole('status')).toHaveText('refused')
  })

  shop('lets it expire', async ({ page, phone, workspace }) => {
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await workspace.expire(await phone.scan(page.getByRole('img')))
    await expect(page.getByRole('status')).toHaveText('expired')
  })

  shop('lets nobody in when the service names another user', async ({ page, phone, service, user }) => {
    await service.arm('user-of-another', { scope: { user_id: user } })
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await phone.scan(page.getByRole('img'))
    await phone.approve()
    await expect(page.getByRole('status')).toHaveText('refused')
  })

  shop('does not fall for another origin', async ({ page, phone }) => {
    await phone.arm('origin-wrong')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await phone.scan(page.getByRole('img'))
    await expect(phone.approve()).rejects.toMatchObject({ code: 'origin_mismatch' })
    await expect(page.getByRole('status')).toHaveText('refused')
  })
})

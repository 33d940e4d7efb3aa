import type { Page } from '@playwright/test'
import { taken } from '../support/taken.ts'
import { expect, test } from './support/bench.ts'
import { press, reach } from './support/hands.ts'

/** What was copied stays in the page: no clipboard can be read here. */
const copying = async (page: Page) => {
  await page.addInitScript(() => {
    Object.assign(globalThis, { copied: '' })
    const clipboard = { writeText: async (copied: string) => void Object.assign(globalThis, { copied }) }
    Object.defineProperty(navigator, 'clipboard', { value: clipboard })
  })
  return () => page.evaluate(() => (globalThis as unknown as { copied: string }).copied)
}

const connectView = (page: Page) => {
  const root = page.getByRole('region', { name: 'Connect your server' })
  const steps = root.getByRole('region', { name: 'How far your server has come' })
  return {
    root,
    steps,
    step: (name: string) => steps.getByRole('listitem').filter({ hasText: name }),
    /** The steps by their state, in their order. */
    states: () => steps.getByRole('listitem').evaluateAll((all) => all.map((step) => step.dataset.state)),
    close: root.getByRole('button', { name: 'Back to the timeline' }),
  }
}

test('a bench without calls says what it is and how to begin, until an RP has called @long', async ({ open, page }) => {
  const desk = await open()
  const cards = page.getByRole('region', { name: 'First steps' })
  await expect(cards).toContainText('Your server → this service → these phones.')
  await cards.getByRole('button', { name: /^Try it/ }).click()
  await expect(desk.rp.registrationCode).toBeVisible()
  await expect(cards).toBeHidden()
  await desk.phone('Alice').answer()
  await expect(desk.rp.heading).toHaveText('Your phone is registered')

  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('first steps')
  await page.keyboard.press('Enter')
  await expect(cards).toBeVisible()
  await cards.getByRole('button', { name: /^Show it/ }).click()
  await expect(page).toHaveURL(/\/present\/key$/)
  await page.keyboard.press('Escape')
  await cards.getByRole('button', { name: 'Hide the first steps' }).click()
  await expect(cards).toBeHidden()
  await expect(desk.timeline.row('Ask to register')).toBeVisible()
})

test('a server comes to its first sign-in with what the page gives it', async ({ open, bench, page }) => {
  const copied = await copying(page)
  await bench.addPhone()
  const other = await bench.control.call('rps.create', { body: { name: 'Other', rp_id: 'localhost' } })
  const made = await bench.control.call('keys.create', { params: { rp: other.id }, body: {} })
  const stranger = bench.rpWith({ accessKeyId: made.key.id, secretKey: made.secret })
  const desk = await open()
  const connect = connectView(page)
  await page.getByRole('button', { name: /^Connect your server/ }).click()
  await expect(page).toHaveURL(new RegExp(`/connect/${bench.rp.id}$`))
  await expect(page).toHaveTitle(/^Connect your server · /)
  await connect.root.getByRole('tab', { name: 'Node' }).click()
  await expect(page).toHaveURL(/\/node$/)
  await stranger.credentials('alice')
  await desk.rp.register()
  await expect.poll(connect.states).toEqual(['next', 'later', 'later', 'later'])

  // The secret is on the page only when somebody wants to see it.
  const shown = connect.root.locator('[data-part="connect-environment"]')
  await expect(shown).toContainText('••••')
  const copy = connect.root.getByRole('button', { name: 'Copy the environment' })
  const width = await copy.evaluate((element) => element.getBoundingClientRect().width)
  await copy.click({ position: { x: width - 6, y: 14 } })
  await expect.poll(copied).toContain('SECRET_KEY=')
  // A second click in the same place finds no other button under the pointer.
  await expect(connect.root.getByText('Copied', { exact: true })).toBeVisible()
  await page.mouse.down()
  await page.mouse.up()
  await expect(connect.root.getByRole('button', { name: 'Hide the secret' })).toHaveCount(0)
  const environment = await copied()
  const secret = /SECRET_KEY=(\S+)/.exec(environment)?.[1] ?? ''
  await expect(shown).not.toContainText(secret)
  await connect.root.getByRole('button', { name: 'Show the secret' }).click()
  await expect(shown).toHaveText(environment)

  await connect.root.getByRole('button', { name: 'Copy sign.mjs' }).click()
  await expect.poll(copied).toContain('createHmac')
  // test/long/first-sign-in.test.ts runs what was copied like this.
  await expect(connect.root.locator('[data-part="connect-run"]')).toHaveText('node sign.mjs')
  const accessKeyId = /ACCESS_KEY_ID=(\S+)/.exec(environment)?.[1] ?? ''
  const serverWith = (key: Partial<Parameters<typeof bench.rpWith>[0]>) =>
    bench.rpWith({ accessKeyId, secretKey: secret, ...key })
  await serverWith({ accessKeyId: 'unknown' }).credentials('alice')
  await expect(connect.step('Reached')).toContainText('The access key is unknown or disabled.')
  await expect(connect.step('Reached')).toContainText('does not name a key of this RP')
  await serverWith({ secretKey: `${secret}0` }).credentials('alice')
  await expect(connect.step('Signed')).toContainText('Copy the environment above again')
  await expect.poll(connect.states).toEqual(['done', 'refused', 'later', 'later'])
  await bench.signForAnotherHost('localhost')
  await expect(connect.step('Signed')).toContainText('The host was signed without its port.')
  await expect(connect.step('Signed')).toContainText('Make this line the same in your code.')

  const server = serverWith({})
  const registered = taken(await server.register({ user_id: 'u-1', username: 'alice' })).msg_id
  const scan = connect.steps.getByRole('button', { name: 'Scan with Alice’s phone' })
  await scan.click()
  await expect.poll(connect.states).toEqual(['done', 'done', 'done', 'next'])
  await desk.phone('Alice').touch()
  await expect.poll(async () => taken(await server.registrationResult(registered)).status).toBe('success')
  const { msg_id } = taken(await server.authenticate({ user_id: 'u-1', username: 'alice', method: 'qrcode' }))
  await expect(connect.step('First sign-in')).toContainText('shows a code to sign in')
  await stranger.credentials('alice')
  await scan.click()
  await desk.phone('Alice').touch()
  await expect.poll(async () => taken(await server.authenticationResult(msg_id)).status).toBe('success')
  await expect.poll(connect.states).toEqual(['done', 'done', 'done', 'done'])
  await expect(connect.steps).toContainText('Your server signs people in.')
  // Another program of the same RP needs a phone, too.
  await server.register({ user_id: 'bo', username: 'bo' })
  await expect(scan).toBeVisible()
  server.close()

  await page.reload()
  await expect.poll(connect.states).toEqual(['done', 'done', 'done', 'done'])
  await expect(connect.root.getByRole('tab', { name: 'Node' })).toHaveAttribute('aria-selected', 'true')
  await connect.root.getByRole('combobox', { name: 'Relying party' }).selectOption('Other')
  await expect.poll(connect.states).toEqual(['done', 'done', 'next', 'later'])
  stranger.close()
})

test('the keyboard alone leads to the page, its languages and an explanation @long', async ({ open, bench, page }) => {
  await bench.addPhone()
  const desk = await open()
  const connect = connectView(page)
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('connect')
  await page.keyboard.press('Enter')
  await expect(connect.root).toBeFocused()
  await reach(page, connect.root.getByRole('tab', { name: 'curl' }))
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(connect.root.locator('[data-part="connect-program"]')).toContainText('def sign(')
  await expect(page).toHaveURL(/\/python$/)

  await bench.signForAnotherHost('localhost')
  await expect(connect.step('Signed')).toContainText('The host was signed without its port.')
  await press(page, connect.root.getByRole('button', { name: 'Show the call' }))
  await expect(desk.inspector.tab('Signature')).toHaveAttribute('aria-selected', 'true')
  await expect(page).toHaveURL(/\/e\/\d+\/signature$/)
  await page.goBack()
  await expect(connect.step('Signed')).toHaveAttribute('data-state', 'refused')
  await page.goBack()
  await expect(desk.timeline.root).toBeVisible()
  await page.goForward()
  await connect.close.press('Enter')
  await expect(desk.timeline.root).toBeVisible()

  // The language and the shell of last time are there again.
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('connect')
  await page.keyboard.press('Enter')
  await expect(connect.root.getByRole('tab', { name: 'Python' })).toHaveAttribute('aria-selected', 'true')
  const environment = connect.root.locator('[data-part="connect-environment"]')
  await expect(environment).toContainText('export BASE_URL=')
  await connect.root.getByRole('radio', { name: 'bash' }).press('ArrowRight')
  await expect(environment).toContainText("$env:BASE_URL = 'http")
  await page.reload()
  await expect(connect.root.getByRole('radio', { name: 'PowerShell' })).toBeChecked()
})

test('an RP without a key, and one that is not there, say so @long', async ({ open, bench, page }) => {
  const bare = await bench.control.call('rps.create', { body: { name: 'Bare', rp_id: 'localhost' } })
  await open()
  const connect = connectView(page)
  const at = (rp: string) => page.url().replace(/(\/w\/[^/]+).*$/, `$1/connect/${rp}/go`)
  await page.goto(at(bare.id))
  await connect.root.getByRole('button', { name: 'New key' }).click()
  await expect(connect.root.locator('[data-part="connect-environment"]')).toContainText('export ACCESS_KEY_ID=ak_')
  await expect(connect.root.locator('[data-part="connect-program"]')).toContainText('package main')
  await page.goto(at('rp_nothing'))
  await expect(connect.root).toContainText('This workspace has no such RP.')
})

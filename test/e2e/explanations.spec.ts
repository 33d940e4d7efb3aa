import { en } from '../../src-main/core/messages/en/en.ts'
import { expect, test } from './support/bench.ts'
import type { Desk } from './support/pages/desk.ts'

test('an explanation stands at the right, names the fault and tries without it', async ({ open, bench, page }) => {
  const phone = await bench.registered()
  await bench.arm(phone, 'origin-wrong', 3)
  const desk = await open()
  // The smallest window in which all of it stands side by side.
  await page.setViewportSize({ width: 1100, height: 800 })
  const alice = desk.phone('Alice')
  await desk.rp.signInByCode()
  await alice.answer()
  await expect(desk.rp.why).toBeVisible()
  // Long ago, as far as the timeline goes.
  const { key, secret } = await bench.control.call('keys.create', { params: { rp: bench.rp.id }, body: {} })
  const rp = bench.rpWith({ accessKeyId: key.id, secretKey: secret })
  for (let n = 0; n < 40; n++) await rp.credentials('nobody')
  rp.close()
  await expect(desk.timeline.row('Signs challenge')).not.toBeInViewport()
  await desk.rp.why.click()
  await expect(desk.timeline.row('Signs challenge')).toBeInViewport({ ratio: 1 })
  await expect(desk.rp.tryAgain).toBeInViewport()
  const { inspector } = desk
  const left = async () => (await inspector.root.boundingBox())?.x
  await expect.poll(left).toBeGreaterThan(400)
  await expect.poll(async () => (await inspector.root.boundingBox())?.height).toBeGreaterThan(600)
  await expect(inspector.panel).toContainText('A fault was armed on Alice’s phone')
  await expect(inspector.panel.locator('mark[data-look="got"]')).toBeVisible()
  await expect(inspector.panel).toContainText('Second opinion')

  await page.setViewportSize({ width: 1440, height: 900 })
  await page.keyboard.press('d')
  await expect.poll(left).toBe(0)
  await page.keyboard.press('d')
  await expect.poll(left).toBeGreaterThan(400)

  await inspector.panel.getByRole('button', { name: 'Disarm and try again' }).click()
  await expect(inspector.root).toBeHidden()
  await expect(desk.rp.signInCode).toBeVisible()
  await expect(desk.statusBar).toContainText('No faults')
  await alice.answer()
  await expect(desk.rp.heading).toHaveText('Good to see you, alice')
})

test('the brackets go from one failed step to the next @long', async ({ open, bench, page }) => {
  const phone = await bench.registered('origin-wrong')
  await bench.arm(phone, 'rp-id-hash-wrong')
  const desk = await open()
  const alice = desk.phone('Alice')
  await desk.rp.signInByCode()
  await alice.answer()
  await desk.rp.why.click()
  const failed = desk.inspector.stepsThat('failed')
  await expect(failed).toHaveCount(2)
  const [first, second] = [await failed.first().innerText(), await failed.nth(1).innerText()]
  await expect(desk.inspector.chosen).toHaveText(first, { useInnerText: true })
  await page.keyboard.press(']')
  await expect(desk.inspector.chosen).toHaveText(second, { useInnerText: true })
  await page.keyboard.press('[')
  await expect(desk.inspector.chosen).toHaveText(first, { useInnerText: true })
})

test('a request that was signed wrong says by which mistake, and where it differs', async ({ open, bench }) => {
  const desk = await open()
  await bench.signForAnotherHost('localhost')
  await desk.timeline.row('List passkeys').click()
  await expect(desk.inspector.tab('Signature')).toHaveAttribute('aria-selected', 'true')
  await expect(
    desk.inspector.panel.getByRole('heading', { name: en.signingMistakes['host-without-port'] }),
  ).toBeVisible()
  await expect(desk.inspector.panel).toContainText('Line 4 of the canonical request is the first that differs.')
  await desk.inspector.close.click()

  const { keys } = await bench.control.call('keys.list', { params: { rp: bench.rp.id } })
  const rp = bench.rpWith({ accessKeyId: keys[0]?.id ?? '', secretKey: 'not the secret' })
  await expect(rp.credentials('alice')).resolves.toMatchObject({ ok: false, error: { code: 40104 } })
  rp.close()
  await expect(desk.timeline.row('List passkeys')).toHaveCount(2)
  await desk.timeline.row('List passkeys').last().click()
  await desk.inspector.panel.getByRole('textbox').fill('GET\n/rp/credentials\nuser_id=alice\n')
  await expect(desk.inspector.panel).toContainText('Line 2 of the canonical request is the first that differs.')
})

test('an untrusted attestation says in its step which root fails, and why @long', async ({ open, bench }) => {
  const account = { name: 'Alice', phone: '13812345678' }
  const phone = await bench.control.call('phones.create', { body: { name: 'Alice', model: 'granite-one', account } })
  await bench.control.call('profile.patch', { body: { attestation: 'require-trusted' } })
  await bench.control.call('phones.arm', { params: { id: phone.id }, body: { fault: 'chain-untrusted', times: 1 } })
  const desk = await open()
  const alice = desk.phone('Alice')
  await desk.rp.register()
  await alice.answer()
  await desk.rp.why.click()
  const reasons = desk.inspector.panel.locator('[data-outcome="failed"] [data-part="step-reason"]')
  await expect(reasons).toHaveCount(2)
  await expect(reasons.first()).toContainText(en.failures.attestation_untrusted)
  await expect(reasons.last()).toContainText(en.failures.attestation_chain_key_identifier_mismatch)
})

const explained = async (desk: Desk, nth: number, what: readonly (string | RegExp)[]) => {
  await desk.timeline
    .row('Ask to sign in')
    .nth(nth - 1)
    .click()
  for (const text of what) await expect(desk.inspector.panel).toContainText(text)
  await expect(desk.inspector.panel.getByText('What to do:')).toBeVisible()
}

test('a call that is refused says what came, what was expected and what to do @long', async ({ open, bench }) => {
  const desk = await open()
  const { base_url } = (await bench.control.call('overview')).addresses
  const { key, secret } = await bench.control.call('keys.create', { params: { rp: bench.rp.id }, body: {} })
  const ask = async (ago: number) => {
    const rp = bench.rpWith({ accessKeyId: key.id, secretKey: secret }, ago)
    await rp.send('POST', '/rp/assertion/options', { user_id: 'u' })
    rp.close()
  }
  await fetch(`${base_url}/rp/assertion/options`, { method: 'POST', body: '{}' })
  await explained(desk, 1, ['40101', 'content-type', 'Authorization: SVC-HMAC-SHA256'])
  await expect(desk.inspector.tab('Signature')).toHaveCount(0)

  await ask(3_600_000)
  await explained(desk, 2, ['40106', /\d{8}T\d{6}Z.*\d{8}T\d{6}Z/s, en.advice.clock_skew])
  await desk.inspector.tab('Signature').click()
  await expect(desk.inspector.panel.getByRole('heading', { level: 2 })).toHaveText(en.errors.clock_skew)

  await ask(0)
  await explained(desk, 3, ['40003', 'user_id', 'username'])
})

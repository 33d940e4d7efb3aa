import { en } from '../../src-main/messages/en/en.ts'
import { expect, test } from './support/bench.ts'

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

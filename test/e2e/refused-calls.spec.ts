import { en } from '../../src-main/messages/en/en.ts'
import { signRequest } from '../../src-main/sdk/sign-request.ts'
import { expect, test } from './support/bench.ts'
import type { Desk } from './support/pages/desk.ts'
import type { Setting } from './support/setting.ts'

/** A foreign RP asks for a sign-in, signed so long ago or not at all, and without a user name. */
const ask = async (bench: Setting, away?: number) => {
  const { base_url } = (await bench.control.call('overview')).addresses
  const url = new URL(`${base_url}/rp/assertion/options`)
  const text = '{"user_id":"u"}'
  const made = await bench.control.call('keys.create', { params: { rp: bench.rp.id }, body: {} })
  const request = signRequest(
    { method: 'POST', host: url.host, target: url.pathname, body: new TextEncoder().encode(text) },
    { accessKeyId: made.key.id, secretKey: made.secret },
    Date.now() - (away ?? 0),
  )
  if (!request.ok) throw new Error(request.error.code)
  const { headers } = request.value
  await fetch(url, {
    method: 'POST',
    body: text,
    headers: [
      ['Content-Type', 'application/json'],
      ...(away === undefined ? [] : headers.filter(([name]) => name !== 'Host').map(([...pair]) => pair)),
    ],
  })
}

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
  await ask(bench)
  await explained(desk, 1, ['40101', 'content-type', 'Authorization: SVC-HMAC-SHA256'])
  await expect(desk.inspector.tab('Signature')).toHaveCount(0)

  await ask(bench, 3_600_000)
  await explained(desk, 2, ['40106', /\d{8}T\d{6}Z.*\d{8}T\d{6}Z/s, en.advice.clock_skew])
  await desk.inspector.tab('Signature').click()
  await expect(desk.inspector.panel.getByRole('heading', { level: 2 })).toHaveText(en.errors.clock_skew)

  await ask(bench, 0)
  await explained(desk, 3, ['40003', 'user_id', 'username'])
})

test('an RP whose key is deleted during a sign-in says that it lost the result @long', async ({ open, bench }) => {
  await bench.registered()
  const { control, rp } = bench
  const desk = await open()
  await desk.rp.startAgain.click()
  await desk.rp.signInByPush()
  await expect(desk.rp.step('init')).toHaveAttribute('aria-current', 'step')
  const params = { rp: rp.id }
  for (const { id } of (await control.call('keys.list', { params })).keys) {
    await control.call('keys.patch', { params: { ...params, key: id }, body: { state: 'disabled' } })
  }
  await expect(desk.rp.root).toContainText('40103')
  await expect(desk.rp.heading).toHaveText('We could not sign you in')
  await expect(desk.rp.root).toContainText('Enable a key of this relying party in the console, then try again.')
  const alice = desk.phone('Alice')
  await alice.push.click()
  await alice.touch()
  await expect(alice.heading).toHaveText('You’re signed in')
  await expect(desk.rp.heading).toHaveText('We could not sign you in')
})

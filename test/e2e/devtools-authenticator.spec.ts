import { taken } from '../support/taken.ts'
import { type AuthenticatorKind, addAuthenticator } from './support/devtools-authenticator.ts'
import { ACCOUNT, eventsOf, expect, type Shop, test } from './support/devtools-bench.ts'
import type { WebPhone } from './support/devtools-phone.ts'

const ALICE = { user_id: 'u-alice', username: 'alice@shop.example', credential_name: 'The browser' }

/** A registration by code, to the verdict. */
const register = async ({ client }: Shop, phone: WebPhone) => {
  const { msg_id } = taken(await client.register(ALICE))
  const answer = await phone.answer(msg_id)
  return { answer, result: taken(await client.registrationResult(msg_id)) }
}

/** What the service keeps of each: the browser says it, not we. */
const AUTHENTICATORS: Readonly<Record<AuthenticatorKind, Readonly<Record<string, unknown>>>> = {
  platform: { attestation_format: 'packed', transports: ['internal'], user_verified: true, backup_eligible: false },
  synced: { attestation_format: 'packed', transports: ['internal'], user_verified: true, backup_state: true },
  plainKey: { attestation_format: 'packed', transports: ['usb'], user_verified: false, backup_eligible: false },
  u2fKey: { attestation_format: 'fido-u2f', transports: ['usb'], user_verified: false, backup_eligible: false },
}

for (const [kind, expected] of Object.entries(AUTHENTICATORS)) {
  test(`a browser’s ${kind} authenticator registers, then signs in by code and by push`, async ({
    bench,
    openBoth,
  }) => {
    const { shop, authenticator, phone } = await openBoth(kind as AuthenticatorKind)
    const registered = await register(shop, phone)
    expect(registered.answer).toEqual({ status: 200, code: 0, data: { status: 'success', error: '' } })
    expect(registered.result).toEqual({ status: 'success', svc_user: 'Alice (138****5678)', error: '' })
    const [held] = await authenticator.credentials()
    const { credentials } = await bench.control.call('credentials.list')
    expect(credentials).toEqual([expect.objectContaining({ id: held?.id, name: 'The browser', ...expected })])

    const byCode = taken(await shop.client.authenticate({ ...ALICE, method: 'qrcode' }))
    await expect(phone.answer(byCode.msg_id)).resolves.toMatchObject({
      data: { status: 'success' },
    })
    await expect
      .poll(async () => taken(await shop.client.authenticationResult(byCode.msg_id)))
      .toMatchObject({
        status: 'success',
        user_id: 'u-alice',
      })

    await expect(phone.openInbox()).resolves.toMatchObject({ status: 200 })
    const byPush = taken(await shop.client.authenticate({ ...ALICE, method: 'push' }))
    const push = await phone.nextPush()
    expect(push).toMatchObject({ msg_id: byPush.msg_id, url: byPush.url })
    await expect(phone.answer(push.msg_id)).resolves.toMatchObject({ data: { status: 'success' } })
    await expect
      .poll(async () => taken(await shop.client.authenticationResult(byPush.msg_id)))
      .toMatchObject({
        status: 'success',
        user_id: 'u-alice',
      })

    const opinions = (await eventsOf(bench.control)).flatMap((event) =>
      event.kind === 'verdict' ? [event.second_opinion] : [],
    )
    expect(opinions.map((opinion) => ({ heard: opinion?.heard, accepts: opinion?.accepts }))).toEqual(
      Array.from({ length: 3 }, () => ({ heard: true, accepts: true })),
    )
  })
}

test('a push that came while the page was away waits in the inbox, and is not told twice', async ({ openBoth }) => {
  const { shop, phone } = await openBoth()
  await register(shop, phone)
  const missed = taken(await shop.client.authenticate({ ...ALICE, method: 'push' }))
  await phone.openInbox()
  const first = await phone.nextPush()
  expect(first.msg_id).toBe(missed.msg_id)

  // A second stream that resumes behind it hears only what is new.
  await phone.openInbox(first.id)
  const fresh = taken(await shop.client.authenticate({ ...ALICE, method: 'push' }))
  await expect(phone.nextPush()).resolves.toMatchObject({ msg_id: fresh.msg_id })
  await expect(phone.nextPush()).resolves.toMatchObject({ msg_id: fresh.msg_id })
})

test('the browser recognises the excluded credential and the phone says so', async ({ openBoth }) => {
  const { shop, authenticator, phone } = await openBoth()
  await register(shop, phone)
  const { msg_id } = taken(await shop.client.register(ALICE))
  await expect(phone.answer(msg_id)).rejects.toThrow('InvalidStateError')
  await phone.reject(msg_id, 'already_registered')
  await expect
    .poll(async () => taken(await shop.client.registrationResult(msg_id)))
    .toMatchObject({
      status: 'fail',
      error: expect.stringMatching(/^already_registered: /),
    })
  await expect.poll(() => authenticator.credentials()).toHaveLength(1)
})

test('an unrecognised finger is enough unless verification is required', async ({ bench, openBoth }) => {
  const { shop, authenticator, phone } = await openBoth()
  await register(shop, phone)
  await bench.control.call('profile.patch', { body: { user_verification: 'required' } })
  await authenticator.recognise(false)
  const { msg_id } = taken(await shop.client.authenticate({ ...ALICE, method: 'qrcode' }))
  await expect(phone.answer(msg_id)).rejects.toThrow('NotAllowedError')
  await expect.poll(async () => taken(await shop.client.authenticationResult(msg_id))).toMatchObject({ status: 'bind' })
  await authenticator.recognise(true)
  await expect(phone.answer(msg_id)).resolves.toMatchObject({ data: { status: 'success' } })
})

test('a page of one RP cannot answer for another', async ({ page, origin, foreignOrigin, openShop, openPhone }) => {
  const shop = await openShop('The shop', origin)
  await openShop('Another shop', foreignOrigin)
  await addAuthenticator(page, 'platform')
  const phone = await openPhone(foreignOrigin)
  await expect(phone.signIn(ACCOUNT)).resolves.toMatchObject({ code: 0 })
  const { result } = await register(shop, phone)
  expect(result).toMatchObject({ status: 'fail', error: expect.stringMatching(/^origin_mismatch: /) })
})

test.describe('a page of a foreign origin', () => {
  test('is refused before it asks, and learns nothing', async ({
    bench,
    foreignOrigin,
    origin,
    openShop,
    openPhone,
  }) => {
    await openShop('The shop', origin)
    const phone = await openPhone(foreignOrigin)
    await expect(phone.signIn(ACCOUNT)).resolves.toEqual({ blocked: 'TypeError' })
    const exchanges = (await eventsOf(bench.control)).filter(({ kind }) => kind === 'exchange')
    expect(exchanges).toMatchObject([
      { interface: 'app', request: { method: 'OPTIONS' }, response: { status: 403, code: 40303 } },
    ])
    expect(JSON.stringify(exchanges)).not.toMatch(/access-control-allow/i)
    await expect.poll(async () => (await bench.control.call('devices.list')).devices).toEqual([])
  })

  test('is refused where browsers do not ask first', async ({ bench, page, appUrl, foreignOrigin }) => {
    await page.goto(foreignOrigin)
    const sent = await page.evaluate(
      ([url, account]) =>
        fetch(`${url}/devices`, {
          method: 'POST',
          mode: 'no-cors',
          body: JSON.stringify({ account, device_name: 'A simple request' }),
        }).then(({ type }) => type),
      [appUrl, ACCOUNT] as const,
    )
    expect(sent).toBe('opaque')
    await expect
      .poll(async () => (await eventsOf(bench.control)).filter(({ kind }) => kind === 'exchange'))
      .toMatchObject([{ interface: 'app', request: { method: 'POST' }, response: { status: 403, code: 40303 } }])
    await expect.poll(async () => (await bench.control.call('devices.list')).devices).toEqual([])
  })
})

test('the RP’s interface lets no page read, not even one of the RP’s origin', async ({
  bench,
  page,
  baseUrl,
  origin,
  openShop,
}) => {
  await openShop('The shop', origin)
  await page.goto(origin)
  const read = page.evaluate((url) => fetch(`${url}/rp/credentials?user_id=u`).then(({ status }) => status), baseUrl)
  await expect(read).rejects.toThrow('Failed to fetch')
  const exchanges = (await eventsOf(bench.control)).filter(({ kind }) => kind === 'exchange')
  expect(exchanges).toMatchObject([{ interface: 'rp', response: { code: 40101 } }])
  expect(JSON.stringify(exchanges)).not.toMatch(/access-control-allow/i)
})

import { taken } from '../support/taken.ts'
import type { AuthenticatorKind } from './support/devtools-authenticator.ts'
import { eventsOf, expect, type Shop, test } from './support/devtools-bench.ts'
import type { WebPhone } from './support/devtools-phone.ts'

const ALICE = { user_id: 'u-alice', username: 'alice@shop.example', credential_name: 'The browser' }
const SIGNED_IN = { status: 'success', user_id: 'u-alice' }

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
  test(`a browser’s ${kind} authenticator registers, and signs in by code and push`, async ({ bench, openBoth }) => {
    const { shop, authenticator, phone } = await openBoth(kind as AuthenticatorKind)
    const registered = await register(shop, phone)
    expect(registered.answer).toEqual({ status: 200, code: 0, data: { status: 'success', error: '' } })
    expect(registered.result).toEqual({ status: 'success', svc_user: 'Alice (138****5678)', error: '' })
    const [held] = await authenticator.credentials()
    const { credentials } = await bench.control.call('credentials.list')
    expect(credentials).toEqual([expect.objectContaining({ id: held?.id, name: 'The browser', ...expected })])

    const byCode = taken(await shop.client.authenticate({ ...ALICE, method: 'qrcode' }))
    await expect(phone.answer(byCode.msg_id)).resolves.toMatchObject({ data: { status: 'success' } })
    const resultOf = async (id: string) => taken(await shop.client.authenticationResult(id))
    await expect.poll(() => resultOf(byCode.msg_id)).toMatchObject(SIGNED_IN)

    await expect(phone.openInbox()).resolves.toBe(200)
    const byPush = taken(await shop.client.authenticate({ ...ALICE, method: 'push' }))
    const push = await phone.nextPush()
    expect(push).toMatchObject({ msg_id: byPush.msg_id, url: byPush.url })
    await expect(phone.answer(push.msg_id)).resolves.toMatchObject({ data: { status: 'success' } })
    await expect.poll(() => resultOf(byPush.msg_id)).toMatchObject(SIGNED_IN)

    const opinions = (await eventsOf(bench.control)).flatMap((event) =>
      event.kind === 'verdict' ? [event.second_opinion] : [],
    )
    expect(opinions.map((opinion) => ({ heard: opinion?.heard, accepts: opinion?.accepts }))).toEqual(
      Array.from({ length: 3 }, () => ({ heard: true, accepts: true })),
    )
  })
}

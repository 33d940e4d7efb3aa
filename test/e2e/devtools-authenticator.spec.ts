import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { taken } from '../support/taken.ts'
import { expect, test } from './support/bench.ts'
import { webPhone } from './support/devtools-phone.ts'

const ALICE = { user_id: 'u-alice', username: 'alice@shop.example', credential_name: 'The browser' }
const SIGNED_IN = { status: 'success', user_id: 'u-alice' }

const EXTENSIONS = { extensions: ['credProps', 'credProtect', 'minPinLength', 'prf', 'largeBlob'] } as const

/** A phone of today: passkeys in the device, and a finger on it. */
const PHONE = {
  ...({ protocol: 'ctap2', ctap2Version: 'ctap2_1', transport: 'internal' } as const),
  ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true, hasPrf: true, hasLargeBlob: true },
} as const

/** The browser's own authenticators, and what the service keeps of each: the browser says it, not we. */
const AUTHENTICATORS = [
  ['platform', PHONE, { attestation_format: 'packed', transports: ['internal'], user_verified: true }],
  ['synced', { ...PHONE, defaultBackupEligibility: true, defaultBackupState: true }, { backup_state: true }],
  // A key at the port that can neither store nor recognise, and the oldest one: CTAP1.
  ['plain', { protocol: 'ctap2', transport: 'usb' }, { transports: ['usb'], user_verified: false }],
  ['U2F', { protocol: 'u2f', transport: 'usb' }, { attestation_format: 'fido-u2f', backup_eligible: false }],
] as const

/** Made by DevTools; every touch comes by itself. Gives the IDs of its credentials. */
const addAuthenticator = async (page: Page, options: (typeof AUTHENTICATORS)[number][1]) => {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable', { enableUI: false })
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', { options })
  return async () => {
    const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId })
    return credentials.map(({ credentialId }) => Buffer.from(credentialId, 'base64').toString('base64url'))
  }
}

/** Another web server on this machine: an origin of its own with an empty page. */
const withOrigin = test.extend<{ readonly origin: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern.
  origin: async ({}, use) => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
      response.end('<!doctype html><html lang="en"><title>A phone</title><h1>A phone</h1></html>')
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    await use(`http://localhost:${(server.address() as AddressInfo).port}`)
    server.close()
    server.closeAllConnections()
  },
})

for (const [kind, options, expected] of AUTHENTICATORS) {
  withOrigin(`a browser’s ${kind} authenticator registers, and signs in`, async ({ bench, page, origin }) => {
    const { control } = bench
    const shop = { name: 'The shop', rp_id: 'localhost', origins: [origin] }
    const params = { rp: (await control.call('rps.create', { body: shop })).id }
    const { key, secret } = await control.call('keys.create', { params, body: {} })
    await control.call('profile.patch', { body: EXTENSIONS })
    const rp = bench.rpWith({ accessKeyId: key.id, secretKey: secret })
    const idsIn = await addAuthenticator(page, options)
    await page.goto(origin)
    const phone = await page.evaluateHandle(webPhone, control.controlUrl.replace(/\/control\/v1$/, '/app'))
    // These are acts: what each comes to does not change afterwards.
    const act = phone.evaluate.bind(phone)
    const answer = (msgId: string) => act((it, id) => it.answer(id), msgId)
    const account = { name: 'Alice', phone: '13812345678' }
    await expect(act((it, given) => it.signIn(given), account)).resolves.toMatchObject({ code: 0 })

    const { msg_id } = taken(await rp.register(ALICE))
    const registered = { status: 200, code: 0, data: { status: 'success', error: '' } }
    await expect(answer(msg_id)).resolves.toEqual(registered)
    const result = { status: 'success', svc_user: 'Alice (138****5678)', error: '' }
    await expect(rp.registrationResult(msg_id).then(taken)).resolves.toEqual(result)
    const [id] = await idsIn()
    await expect
      .poll(async () => (await control.call('credentials.list')).credentials)
      .toMatchObject([{ id, name: 'The browser', ...expected }])

    const resultOf = async (msgId: string) => taken(await rp.authenticationResult(msgId))
    const byCode = taken(await rp.authenticate({ ...ALICE, method: 'qrcode' }))
    await expect(answer(byCode.msg_id)).resolves.toMatchObject({ data: { status: 'success' } })
    await expect.poll(() => resultOf(byCode.msg_id)).toMatchObject(SIGNED_IN)

    await expect(act((it) => it.openInbox())).resolves.toBe(200)
    const byPush = taken(await rp.authenticate({ ...ALICE, method: 'push' }))
    const push = await act((it) => it.nextPush())
    expect(push).toMatchObject({ msg_id: byPush.msg_id, url: byPush.url })
    await expect(answer(push.msg_id)).resolves.toMatchObject({ data: { status: 'success' } })
    await expect.poll(() => resultOf(byPush.msg_id)).toMatchObject(SIGNED_IN)
    rp.close()

    const { events } = await control.call('events.list')
    const opinions = events.flatMap((event) => (event.kind === 'verdict' ? [event.second_opinion] : []))
    const steps = events.flatMap((event) => (event.kind === 'verdict' ? event.steps : []))
    const outputs = steps.filter(({ id }) => id === '7.1.28' || id === '7.2.23')
    const signIn = ['prf_output', 'large_blob_output']
    const checked = outputs.map(({ checks = [] }) => checks.map(({ check }) => check))
    expect(checked).toEqual([['cred_props_output', ...signIn], signIn, signIn])
    expect(opinions).toMatchObject(Array.from({ length: 3 }, () => ({ heard: true, accepts: true })))
  })
}

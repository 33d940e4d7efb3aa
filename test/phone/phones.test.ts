import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PhoneState } from '../../src-main/phone/phone-state.ts'
import { drawScene, toRgba } from '../support/camera/draw-codes.ts'
import { type PhoneBench, startPhoneBench } from '../support/phone-bench.ts'

let bench: PhoneBench
beforeEach(async () => {
  bench = await startPhoneBench()
})
afterEach(() => bench.close())

const promptOf = (state: PhoneState): string => state.prompts.at(-1)?.id ?? 'none'

describe('a phone', () => {
  it('signs in with a proof of the account secret when it is made', async () => {
    const phone = await bench.make()
    expect(phone).toMatchObject({
      name: 'Phone A',
      signed_in: true,
      network: 'online',
      account: { name: 'Alice', phone: '138****5678' },
      screen: { kind: 'home' },
    })
    const { account } = JSON.parse(bench.service.calls[0]?.body ?? '') as { account: { proof: string } }
    expect(account.proof).toMatch(/^[A-Za-z0-9_-]{43}$/)
  })

  it('scans a registration, asks its person and registers when approved', async () => {
    const phone = await bench.make({ storage: 'chip' })
    const message = bench.service.registration()
    const scanned = await bench.phones.scan(bench.ref(phone), { url: message.url })
    expect(scanned).toMatchObject({
      ok: true,
      value: {
        screen: {
          kind: 'request',
          prompt: {
            msg_id: message.id,
            kind: 'registration',
            came_by: 'scan',
            rp: { id: 'localhost', name: 'Demo Bank' },
            user: { username: 'alice', display_name: 'Alice' },
            credential_name: 'Quiet Otter 42',
            origin: 'http://localhost:7420',
            storage: 'chip',
          },
        },
      },
    })
    const approved = await bench.phones.approve({ ...bench.ref(phone), prompt: promptOf(bench.stateOf(phone.id)) })
    expect(approved).toMatchObject({ ok: true, value: { screen: { kind: 'success' }, prompts: [] } })
    expect(message.state).toBe('success')
    expect(bench.stateOf(phone.id).credentials).toMatchObject([
      { name: 'Quiet Otter 42', rp_id: 'localhost', username: 'alice', storage: 'chip' },
    ])
  })

  it('signs in by a code with the credential that it registered', async () => {
    const phone = await bench.make({ behaviour: { answer: 'approve' } })
    await bench.phones.scan(bench.ref(phone), { url: bench.service.registration().url })
    const message = bench.service.authentication()
    const scanned = await bench.phones.scan(bench.ref(phone), { url: message.url })
    expect(scanned).toMatchObject({ ok: true, value: { screen: { kind: 'success' } } })
    expect(message.state).toBe('success')
  })

  it('shows a push as a notification and signs in once it is opened and approved', async () => {
    const phone = await bench.make({ behaviour: { answer: 'approve' } })
    await bench.phones.scan(bench.ref(phone), { url: bench.service.registration().url })
    await bench.phones.patch(bench.ref(phone), { behaviour: { answer: 'ask' } })
    await bench.until(phone, ({ inbox }) => inbox === 'open')
    const message = bench.service.authentication()
    bench.service.push(message, '13812345678')
    const pushed = await bench.until(phone, ({ notifications }) => notifications.length > 0)
    expect(pushed.notifications).toMatchObject([{ msg_id: message.id, rp: { name: 'Demo Bank' } }])
    const opened = await bench.phones.open({ ...bench.ref(phone), msg_id: message.id })
    expect(opened).toMatchObject({ ok: true, value: { notifications: [], screen: { kind: 'request' } } })
    await bench.phones.approve({ ...bench.ref(phone), prompt: promptOf(bench.stateOf(phone.id)) })
    expect(message.state).toBe('success')
  })

  it('rejects with no_matching_credential when it has none', async () => {
    const phone = await bench.make()
    const message = bench.service.authentication({
      publicKey: { allowCredentials: [{ type: 'public-key', id: 'AAAA' }] },
    })
    const scanned = await bench.phones.scan(bench.ref(phone), { url: message.url })
    expect(scanned).toMatchObject({ ok: true, value: { screen: { kind: 'refused', word: 'no_matching_credential' } } })
    expect(message.error).toBe('no_matching_credential: Rejected.')
  })

  it('says no for its person', async () => {
    const phone = await bench.make()
    const message = bench.service.registration()
    await bench.phones.scan(bench.ref(phone), { url: message.url })
    const rejected = await bench.phones.reject({ ...bench.ref(phone), prompt: promptOf(bench.stateOf(phone.id)) })
    expect(rejected).toMatchObject({ ok: true, value: { screen: { kind: 'refused', word: 'user_rejected' } } })
    expect(message).toMatchObject({ state: 'fail', error: 'user_rejected: Rejected.' })
  })

  it('reads the code in a picture that it is held over', async () => {
    const phone = await bench.make()
    const { url, id } = bench.service.registration()
    const picture = toRgba(drawScene({ width: 320, height: 320, codes: [{ text: url, size: 240, rotation: 30 }] }))
    const scanned = await bench.phones.scan(bench.ref(phone), { picture })
    expect(scanned).toMatchObject({ ok: true, value: { screen: { kind: 'request', prompt: { msg_id: id } } } })
  })

  it.each([
    [{ url: 'https://restaurant.example/menu' }, 'not_ours'],
    [{ url: 'https://restaurant.example/m#rAAECAwQFBgcICQoLDA0ODw' }, 'foreign_code'],
    [{ picture: new Uint8Array([1, 2, 3]) }, 'unreadable_picture'],
    [{ picture: { width: 2, height: 2, rgba: new Uint8Array(16) } }, 'no_code'],
  ])('shows why it does not take %j', async (input, word) => {
    const phone = await bench.make()
    expect(await bench.phones.scan(bench.ref(phone), input)).toMatchObject({ ok: false, error: { word } })
    expect(bench.stateOf(phone.id).screen).toMatchObject({ kind: 'problem', word })
    expect(bench.facts.at(-1)).toMatchObject({ change: 'problem', phone_id: phone.id })
  })
})

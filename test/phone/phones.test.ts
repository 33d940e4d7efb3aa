import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PhoneState } from '../../src-main/phone/phone-state.ts'
import { type PhoneBench, shows, startPhoneBench } from '../support/phone-bench.ts'

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
    expect(scanned).toMatchObject(
      shows({
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
      }),
    )
    const approved = await bench.phones.approve({ ...bench.ref(phone), prompt: promptOf(bench.stateOf(phone.id)) })
    expect(approved).toMatchObject(shows({ screen: { kind: 'success' }, prompts: [] }))
    expect(message.state).toBe('success')
    expect(bench.stateOf(phone.id).credentials).toMatchObject([
      { name: 'Quiet Otter 42', rp_id: 'localhost', username: 'alice', storage: 'chip' },
    ])
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

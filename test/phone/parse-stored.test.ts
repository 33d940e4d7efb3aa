import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseStoredWorkspace } from '../../src-main/phone/parse-stored.ts'
import type { StoredWorkspace } from '../../src-main/phone/storage/phone-storage.ts'
import { inOneGo } from '../../src-main/protocol/slices.ts'
import { ALICE, type PhoneBench, startPhoneBench } from '../support/phone-bench.ts'

let bench: PhoneBench
let good: StoredWorkspace
beforeAll(async () => {
  bench = await startPhoneBench()
  const phone = await bench.make({ storage: 'chip', model: 'granite-one' })
  await bench.register(phone, 'chip')
  bench.service.push(bench.service.authentication(), ALICE.phone)
  await bench.until(phone, ({ notifications }) => notifications.length === 1)
  await bench.phones.scan(bench.ref(phone), { url: bench.service.authentication().url })
  await bench.phones.arm(bench.ref(phone), { fault: 'push-lost', times: 2 })
  await bench.phones.create('main', { name: 'Phone B', behaviour: { answer: 'ignore' } })
  good = JSON.parse(JSON.stringify(await bench.phones.snapshot('main')))
})
afterAll(() => bench.close())

type Changed = Record<string, unknown>

const withPhone = (change: (phone: Changed) => Changed): unknown => ({
  ...good,
  phones: good.phones.map((phone, i) =>
    i > 0 ? phone : { ...phone, json: JSON.stringify(change(JSON.parse(phone.json) as Changed)) },
  ),
})

const withChip = (change: (kept: { credential: Changed }) => unknown): unknown => ({
  ...good,
  phones: good.phones.map((phone) => ({
    ...phone,
    chip: phone.chip.map((kept) => ({ ...kept, json: JSON.stringify(change(JSON.parse(kept.json))) })),
  })),
})

/** The phone has scanned a code, which asks it something. */
const promptOf = (phone: Changed): Changed => (phone.prompts as Changed[])[0] ?? {}
const asked = (phone: Changed) => ({ kind: 'request', prompt: promptOf(phone).prompt })
const planned = (phone: Changed, plan: Changed) => ({ ...phone, prompts: [{ ...promptOf(phone), planned: plan }] })
const prepared = (phone: Changed, answer: Changed) => ({ ...phone, prompts: [{ ...promptOf(phone), answer }] })

describe('phones from a file', () => {
  it('are taken as a snapshot gave them', () => {
    expect(inOneGo(parseStoredWorkspace(good))).toEqual({ ok: true, value: good })
    expect(good.phones[0]?.chip).toHaveLength(1)
    const rich = withPhone((phone) =>
      prepared(
        { ...phone, ...planned(phone, { answer: 'approve' }), screen: { ...asked(phone), note: 'offline' } },
        {
          ...{ kind: 'authentication', body: {}, credential_id: 'x', storage: 'chip' },
        },
      ),
    )
    expect(inOneGo(parseStoredWorkspace(rich))).toMatchObject({ ok: true })
  })

  it.each<[string, () => unknown]>([
    ['nothing', () => null],
    ['a list', () => []],
    ['phones that are no list', () => ({ phones: {} })],
    ['a phone that is no JSON', () => ({ phones: [{ id: 'phn_1', json: '{', chip: [] }] })],
    ['a phone without a chip', () => ({ phones: [{ ...good.phones[0], chip: undefined }] })],
    ['the same phone twice', () => ({ phones: [good.phones[0], good.phones[0]] })],
    [
      'the same credential twice in a chip',
      () => ({ phones: good.phones.map((phone) => ({ ...phone, chip: [...phone.chip, ...phone.chip] })) }),
    ],
    [
      'a credential under another id',
      () => ({
        phones: good.phones.map((phone) => ({ ...phone, chip: phone.chip.map((one) => ({ ...one, id: 'x' })) })),
      }),
    ],
    ['a phone under another id', () => ({ phones: [{ ...good.phones[0], id: 'phn_other' }] })],
    ['makers that are none', () => ({ ...good, makers: '{}' })],
    ['an unknown model', () => withPhone((phone) => ({ ...phone, model: 'brick' }))],
    ['a secret of another length', () => withPhone((phone) => ({ ...phone, account: { ...ALICE, secret: 'AAAA' } }))],
    ['a token that fits no header', () => withPhone((phone) => ({ ...phone, device: { id: 'dev_1', token: 'a\nb' } }))],
    ['a behaviour that is none', () => withPhone((phone) => ({ ...phone, behaviour: { answer: 'perhaps' } }))],
    ['a screen that is none', () => withPhone((phone) => ({ ...phone, screen: { kind: 'constructor' } }))],
    ['a note that is none', () => withPhone((phone) => ({ ...phone, screen: { ...asked(phone), note: 5 } }))],
    ['a planned answer that is none', () => withPhone((phone) => planned(phone, { answer: 'perhaps' }))],
    ['an answer without a body', () => withPhone((phone) => prepared(phone, { credential_id: 'x' }))],
    [
      'an extension that is none',
      () => withChip((kept) => ({ ...kept, credential: { ...kept.credential, extensions: { credProtect: 9 } } })),
    ],
    ['a request without a prompt', () => withPhone((phone) => ({ ...phone, screen: { kind: 'request' } }))],
    ['a prompt that is none', () => withPhone((phone) => ({ ...phone, prompts: [{}] }))],
    ['a notification that is none', () => withPhone((phone) => ({ ...phone, notifications: [{}] }))],
    ['an event id that fits no header', () => withPhone((phone) => ({ ...phone, last_event_id: '\u0000' }))],
    [
      'a credential without a key',
      () => withChip((kept) => ({ ...kept, credential: { ...kept.credential, privateKey: null } })),
    ],
    [
      'a credential without an id',
      () => withChip((kept) => ({ ...kept, credential: { ...kept.credential, id: '?' } })),
    ],
  ])('are refused with %s', (_, input) => {
    expect(inOneGo(parseStoredWorkspace(input()))).toMatchObject({
      ok: false,
      error: { params: { field: expect.stringMatching(/^phones/) } },
    })
  })
})

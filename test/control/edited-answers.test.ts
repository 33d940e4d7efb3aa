import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Body } from '../../src-main/contract/control/routes.ts'
import type { ExchangeFact } from '../../src-main/contract/events.ts'
import type { AnswerEdits, AnswerSigning } from '../../src-main/contract/resending.ts'
import { sha256 } from '../../src-main/control/tokens.ts'
import { decodeAuthenticatorData } from '../../src-main/explain/authenticator-data.ts'
import { fromBase64url, toHex, utf8 } from '../../src-main/protocol/bytes.ts'
import { ALICE, cast, codeOf, startTestBench, type TestBench } from '../support/bench.ts'

let bench: TestBench
let phone: string
let rp: string
let seqs: { readonly registration: string; readonly authentication: string }

const eventOf = async (seq: string | number): Promise<ExchangeFact> => {
  const { events } = await bench.client.call('events.list', { query: { after: Number(seq) - 1, limit: 1 } })
  const [event] = events
  if (event?.kind !== 'exchange') throw new Error(`${seq} is no exchange`)
  return event
}

const lastAnswer = async (): Promise<string> => {
  const { events } = await bench.client.call('events.list', { query: { kind: 'exchange', limit: 1000 } })
  const isAnswer = /\/(attestation|assertion)$/
  return String(events.findLast((one) => one.kind === 'exchange' && isAnswer.test(one.request.route ?? ''))?.seq)
}

const answer = (edits: AnswerEdits, signing: AnswerSigning = 'anew', ceremony: keyof typeof seqs = 'authentication') =>
  bench.client.call('events.answer', {
    params: { seq: seqs[ceremony] },
    body: { edits, signing } as Body<'events.answer'>,
  })

/** The answers of a new phone to a registration and a sign-in. */
const play = async (user: typeof ALICE, account: { readonly name: string; readonly phone: string }) => {
  const { phone, rp } = await cast(bench.client, { model: 'granite-one', storage: 'chip', account })
  const approve = async (url: string): Promise<string> => {
    await bench.client.call('phones.scan', { params: { id: phone }, body: { url } })
    await bench.client.call('phones.approve', { params: { id: phone }, body: {} })
    return lastAnswer()
  }
  const begun = await bench.client.call('simulator.register', { params: { rp }, body: user })
  const registration = await approve(begun.url)
  const signIn = await bench.client.call('simulator.sign-in', { params: { rp }, body: { ...user, method: 'qrcode' } })
  return { phone, rp, seqs: { registration, authentication: await approve(signIn.url) } }
}

beforeAll(async () => {
  bench = await startTestBench({ seed: 24 })
  const played = await play(ALICE, { name: 'Alice', phone: '13812345678' })
  phone = played.phone
  rp = played.rp
  seqs = played.seqs
})
afterAll(() => bench.close())

it.each(['registration', 'authentication'] as const)(
  'a %s without an edit is answered again, accepted, and says which answer it repeats',
  async (ceremony) => {
    const again = await answer({}, 'anew', ceremony)
    expect(again).toMatchObject({ accepted: true, code: 0 })
    expect((await eventOf(again.seq)).resent).toEqual({ from: Number(seqs[ceremony]), edited: [], signing: 'anew' })
  },
)

const otherHash = toHex(new Uint8Array(sha256('phishing.example')))

describe('a sign-in', () => {
  it.each<[string, AnswerEdits, AnswerSigning, string]>([
    [
      'an origin, signed anew',
      { client_data: [{ name: 'origin', value: 'https://evil.example' }] },
      'anew',
      'origin_mismatch',
    ],
    [
      'an origin, under the honest signature',
      { client_data: [{ name: 'origin', value: 'https://evil.example' }] },
      'kept',
      'origin_mismatch',
    ],
    ['a type that is gone', { client_data: [{ name: 'type' }] }, 'anew', 'type_missing'],
    ['a type that is no text', { client_data: [{ name: 'type', json: '["a"]' }] }, 'anew', 'type_missing'],
    ['the hash of another RP ID', { rp_id_hash: otherHash }, 'anew', 'rp_id_hash_mismatch'],
    ['flags without user presence', { flags: 0x04 }, 'anew', 'user_presence_missing'],
    ['a counter that falls', { counter: 0 }, 'anew', 'counter_regression'],
    ['a flag, under the honest signature', { flags: 0x01 }, 'kept', 'signature_invalid'],
    ['the id of another credential', { credential_id: 'AAAAAAAAAAAAAAAAAAAAAA' }, 'anew', 'credential_not_allowed'],
    ['another user handle', { user_handle: 'c29tZWJvZHk' }, 'anew', 'user_handle_mismatch'],
    [
      'one octet of the authenticator data',
      { authenticator_data_bytes: [{ at: 0, take: 1, put: '00' }] },
      'anew',
      'rp_id_hash_mismatch',
    ],
    [
      'an octet behind the authenticator data',
      { authenticator_data_bytes: [{ at: 37, take: 0, put: 'ff' }] },
      'anew',
      'trailing_bytes',
    ],
    [
      'a signature that is cut off',
      { signature_bytes: [{ at: 8, take: 200, put: '' }] },
      'anew',
      'malformed_signature',
    ],
  ])('with %s', async (_, edits, signing, word) => {
    expect(await answer(edits, signing)).toMatchObject({ accepted: false, failure: { word } })
  })

  it('with an edit that the judge has nothing against is accepted when the key signs it, and refused when not', async () => {
    const edits = { client_data: [{ name: 'extra', json: '{"a":[1]}' }] }
    expect(await answer(edits, 'anew')).toMatchObject({ accepted: true })
    expect(await answer(edits, 'kept')).toMatchObject({ accepted: false, failure: { word: 'signature_invalid' } })
  })

  it('keeps all that was not edited as fresh as the phone makes it', async () => {
    const again = await answer({ flags: 0x1d })
    const { body } = (await eventOf(again.seq)).request
    const bytes = fromBase64url(JSON.parse(body).response.response.authenticatorData)
    const data = bytes.ok ? decodeAuthenticatorData(bytes.value).value : undefined
    expect(bytes.ok && bytes.value[32]).toBe(0x1d)
    const { rps } = await bench.client.call('rps.list')
    expect(toHex(data?.rpIdHash ?? utf8(''))).toBe(toHex(new Uint8Array(sha256(rps[0]?.rp_id ?? ''))))
  })
})

describe('a registration', () => {
  it.each<[string, AnswerEdits, AnswerSigning, string]>([
    ['an AAGUID, signed anew', { aaguid: 'ff'.repeat(16) }, 'anew', 'attestation_certificate_aaguid_mismatch'],
    ['a key that is no CBOR', { public_key: 'ff' }, 'anew', 'cbor_indefinite_length'],
    [
      'an id that is not the attested one',
      { attested_credential_id: '00'.repeat(16) },
      'anew',
      'credential_id_mismatch',
    ],
    ['a flag, under the honest signature', { flags: 0x5d }, 'kept', 'attestation_signature_invalid'],
    [
      'octets that are no attestation object',
      { attestation_object_bytes: [{ at: 0, take: 40_000, put: 'ff' }] },
      'anew',
      'cbor_indefinite_length',
    ],
  ])('with %s', async (_, edits, signing, word) => {
    expect(await answer(edits, signing, 'registration')).toMatchObject({ accepted: false, failure: { word } })
  })
})

describe('what cannot be answered again is refused', () => {
  const refused = (edits: unknown, seq = seqs.authentication) =>
    codeOf(bench.client.call('events.answer', { params: { seq }, body: { edits } as Body<'events.answer'> }))

  it.each([
    ['half an octet', { rp_id_hash: 'abc' }],
    ['nine bits', { flags: 256 }],
    ['a counter of five octets', { counter: 2 ** 32 }],
    ['a field that no answer has', { colour: 1 }],
    ['too many members', { client_data: Array.from({ length: 33 }, (_, i) => ({ name: `m${i}`, value: '' })) }],
    ['octets before the first one', { signature_bytes: [{ at: -1, take: 1, put: '' }] }],
  ])('%s', async (_, edits) => {
    expect(await refused(edits)).toBe(40002)
  })

  it('the request of an RP, and an exchange that is no longer kept', async () => {
    const { events } = await bench.client.call('events.list', { query: { kind: 'exchange' } })
    const ofRp = events.find((event) => event.kind === 'exchange' && event.interface === 'rp')
    expect(await refused({}, String(ofRp?.seq))).toBe(40902)
    expect(await refused({}, '999999')).toBe(40404)
  })

  it('by a phone that rejects, and the next answer of that phone is honest', async () => {
    await bench.client.call('phones.patch', { params: { id: phone }, body: { behaviour: { answer: 'reject' } } })
    expect(await refused({ counter: 0 })).toBe(40906)
    await bench.client.call('phones.patch', { params: { id: phone }, body: { behaviour: { answer: 'approve' } } })
    const { url, msg_id } = await bench.client.call('simulator.sign-in', {
      params: { rp },
      body: { ...ALICE, method: 'qrcode', poll: false },
    })
    await bench.client.call('phones.scan', { params: { id: phone }, body: { url } })
    expect(await bench.client.call('simulator.poll', { params: { rp, msg_id }, body: {} })).toMatchObject({
      status: 'success',
    })
  })

  it('by a phone that is signed out', async () => {
    const bob = await play({ user_id: 'u-2', username: 'bob' }, { name: 'Bob', phone: '13900001111' })
    await bench.client.call('phones.sign-out', { params: { id: bob.phone }, body: {} })
    expect(await refused({}, bob.seqs.authentication)).toBe(40902)
  })
})

import { beforeAll, expect, it } from 'vitest'
import { sha256 } from '../../../src-main/bench/control/tokens.ts'
import type { Body } from '../../../src-main/core/contract/control/routes.ts'
import type { ExchangeFact } from '../../../src-main/core/contract/events.ts'
import type { AnswerEdits, AnswerSigning } from '../../../src-main/core/contract/resending.ts'
import { decodeAuthenticatorData } from '../../../src-main/core/judge/authenticator-data.ts'
import { fromBase64url, toHex, utf8 } from '../../../src-main/core/protocol/bytes.ts'
import { ALICE, cast, codeOf } from '../../support/bench.ts'
import { benchOfFile } from '../../support/open-workspaces.ts'

const bench = benchOfFile({ seed: 24 })
let phone: string
let rp: string
let seqs: { readonly registration: string; readonly authentication: string }
/** A registration that the demo RP asked for, signed as it should be. */
let honest: string
let secret: string

const lastSeq = async (): Promise<string> => {
  const { events } = await bench.client.call('events.list', { query: { kind: 'exchange', limit: 1, latest: true } })
  return String(events[0]?.seq)
}

const eventOf = async (seq: number | string | undefined): Promise<ExchangeFact & { readonly seq: number }> => {
  const { events } = await bench.client.call('events.list', { query: { after: Number(seq) - 1, limit: 1 } })
  const [event] = events
  if (event?.kind !== 'exchange') throw new Error(`${seq} is no exchange`)
  return event
}

const resend = (body: Body<'events.resend'> = {}, seq = honest) =>
  bench.client.call('events.resend', { params: { seq }, body })

beforeAll(async () => {
  const played = await play(ALICE, { name: 'Alice', phone: '13812345678' })
  phone = played.phone
  rp = played.rp
  seqs = played.seqs
  await bench.client.call('simulator.register', { params: { rp }, body: { ...ALICE, poll: false } })
  honest = await lastSeq()
  const { access_key_id: key = '' } = await eventOf(Number(honest))
  secret = (await bench.client.call('keys.reveal', { params: { rp, key }, body: {} })).secret
})

it('a request that is sent again is signed again, accepted, and says what it came from', async () => {
  const again = await resend()
  expect(again).toMatchObject({ status: 200, code: 0 })
  const event = await eventOf(again.seq)
  expect(event.resent).toEqual({ from: Number(honest), edited: [], signing: 'anew' })
  expect(event.rp_id).toBe(rp)
  expect((await eventOf(Number(honest))).resent).toBeUndefined()
})

it.each([
  ['before_edits', 40104],
  ['other_secret', 40104],
  ['unknown_key', 40103],
  ['old_date', 40106],
  ['no_date', 40105],
  ['none', 40101],
] as const)('signed wrong on purpose (%s), it is refused with %i', async (signing, code) => {
  const body = JSON.stringify({ ...ALICE, username: 'mallory' })
  const again = await resend({ signing, body })
  expect(again).toMatchObject({ status: 401, code })
  expect((await eventOf(again.seq)).resent).toEqual({ from: Number(honest), edited: ['body'], signing })
  expect(JSON.stringify(again)).not.toContain(secret)
})

it('with its old signature it is accepted while nothing is edited, and refused when something is', async () => {
  expect(await resend({ signing: 'kept' })).toMatchObject({ code: 0 })
  expect(await resend({ signing: 'kept', body: '{}' })).toMatchObject({ code: 40104 })
})

it('method, path, query, headers and body are edited, and what the original signed is signed again', async () => {
  const got = await resend({ method: 'GET', target: '/fido/rp/credentials?user_id=u%2D1', body: '', headers: [] })
  expect(got).toMatchObject({ status: 200, code: 0 })
  const { request, resent } = await eventOf(got.seq)
  expect(request).toMatchObject({ method: 'GET', target: '/fido/rp/credentials?user_id=u%2D1', body: '' })
  expect(resent?.edited).toEqual(['method', 'target', 'headers', 'body'])
  const wrong = await resend({ headers: [{ name: 'Content-Type', value: 'text/plain; note="é中"' }] })
  expect(wrong).toMatchObject({ status: 415 })
  const { headers } = (await eventOf(wrong.seq)).request
  expect(headers).toContainEqual(['Content-Type', Buffer.from('text/plain; note="é中"').toString('latin1')])
})

it('the secret is in no answer and no event', async () => {
  const { events } = await bench.client.call('events.list', { query: { limit: 10_000 } })
  expect(JSON.stringify(events)).not.toContain(secret)
})

const allResent = async (): Promise<number> => {
  const { events } = await bench.client.call('events.list', { query: { kind: 'exchange', limit: 10_000 } })
  return events.filter((event) => event.kind === 'exchange' && event.resent !== undefined).length
}
const refusedWith = async (body: unknown, seq = honest): Promise<number> => {
  const before = await allResent()
  const code = await codeOf(resend(body as Body<'events.resend'>, seq))
  expect(await allResent()).toBe(before)
  return code
}

it.each([
  ['another host', { target: 'http://example.com/fido/rp/credentials' }],
  ['another host without a scheme', { target: '//example.com/fido/rp/credentials' }],
  ['the control interface', { target: '/control/v1/rps' }],
  ['another workspace', { target: '/w/other/fido/rp/credentials' }],
  ['a path that leads out', { target: '/fido/rp/../../control/v1/rps' }],
  ['an encoded path that leads out', { target: '/fido/rp/%2E%2e/m' }],
  ['a page of the service', { target: '/fido/m' }],
  ['a header about the connection', { headers: [{ name: 'Transfer-Encoding', value: 'chunked' }] }],
  ['a length', { headers: [{ name: 'content-length', value: '3' }] }],
  ['a header of two lines', { headers: [{ name: 'X-A', value: 'a\r\nX-B: b' }] }],
  ['a header without a name', { headers: [{ name: '', value: 'a' }] }],
  ['a method that opens a tunnel', { method: 'CONNECT' }],
  ['a body over the limit', { body: 'x'.repeat(128 * 1024 + 1) }],
  ['an unknown way of signing', { signing: 'twice' }],
  ['a query that cannot be signed', { target: '/fido/rp/credentials?user_id=%zz' }],
])('what cannot be sent is refused before anything is: %s', async (_, body) => {
  expect(await refusedWith(body)).toBe(40002)
})

it('what cannot be sent is refused before anything is: a key that is not there', async () => {
  expect(await refusedWith({ access_key_id: 'ak_nobody' })).toBe(40404)
})

it('what cannot be sent is refused before anything is: an event that is no longer kept, and one that is no RP’s request', async () => {
  expect(await refusedWith({}, '999999')).toBe(40404)
  const { events } = await bench.client.call('events.list', { query: { kind: 'exchange' } })
  const ofApp = events.find((event) => event.kind === 'exchange' && event.interface === 'app')
  expect(await refusedWith({}, String(ofApp?.seq))).toBe(40902)
})

it('what cannot be sent is refused before anything is: a call far over every limit', async () => {
  expect(await refusedWith({ body: '\u0001'.repeat(300 * 1024) })).toBe(41301)
})

it('a body over the service’s own limit arrives there and is refused there', async () => {
  const again = await resend({ body: JSON.stringify({ ...ALICE, note: 'x'.repeat(70_000) }) })
  expect(again).toMatchObject({ status: 413, code: 41301 })
})

it('an answer that breaks off is said to have broken off, and its exchange is there', async () => {
  await bench.client.call('conditions.patch', { body: { rp: { lose_next: 1 } } })
  const again = await resend()
  expect(again).toMatchObject({ status: 0, code: 0, unanswered: { code: 'not_answered' } })
  expect((await eventOf(again.seq)).conditions).toMatchObject({ lost: true })
})

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
  // Polls would come between what the tests compare.
  const asked = { ...user, poll: false }
  const begun = await bench.client.call('simulator.register', { params: { rp }, body: asked })
  const registration = await approve(begun.url)
  const body = { ...asked, method: 'qrcode' } as const
  const signIn = await bench.client.call('simulator.sign-in', { params: { rp }, body })
  return { phone, rp, seqs: { registration, authentication: await approve(signIn.url) } }
}

it.each(['registration', 'authentication'] as const)(
  'a %s without an edit is answered again, accepted, and says which answer it repeats',
  async (ceremony) => {
    const again = await answer({}, 'anew', ceremony)
    expect(again).toMatchObject({ accepted: true, code: 0 })
    expect((await eventOf(again.seq)).resent).toEqual({ from: Number(seqs[ceremony]), edited: [], signing: 'anew' })
  },
)

const otherHash = toHex(new Uint8Array(sha256('phishing.example')))

it.each<[string, AnswerEdits, string]>([
  ['an origin', { client_data: [{ name: 'origin', value: 'https://evil.example' }] }, 'origin_mismatch'],
  ['a type that is gone', { client_data: [{ name: 'type' }] }, 'type_missing'],
  ['the hash of another RP ID', { rp_id_hash: otherHash }, 'rp_id_hash_mismatch'],
  ['flags without user presence', { flags: 0x04 }, 'user_presence_missing'],
  ['a counter that falls', { counter: 0 }, 'counter_regression'],
  ['the id of another credential', { credential_id: 'AAAAAAAAAAAAAAAAAAAAAA' }, 'credential_not_allowed'],
  ['another user handle', { user_handle: 'c29tZWJvZHk' }, 'user_handle_mismatch'],
  ['another octet', { authenticator_data_bytes: [{ at: 0, take: 1, put: '00' }] }, 'rp_id_hash_mismatch'],
  ['an octet more', { authenticator_data_bytes: [{ at: 37, take: 0, put: 'ff' }] }, 'trailing_bytes'],
  ['a signature cut off', { signature_bytes: [{ at: 8, take: 200, put: '' }] }, 'malformed_signature'],
])('a sign-in with %s', async (_, edits, word) => {
  expect(await answer(edits)).toMatchObject({ accepted: false, failure: { word } })
})

it('a sign-in with an edit that the judge has nothing against is accepted when the key signs it, and refused when not', async () => {
  const edits = { client_data: [{ name: 'extra', json: '{"a":[1]}' }] }
  expect(await answer(edits, 'anew')).toMatchObject({ accepted: true })
  expect(await answer(edits, 'kept')).toMatchObject({ accepted: false, failure: { word: 'signature_invalid' } })
})

it('a sign-in keeps all that was not edited as fresh as the phone makes it', async () => {
  const again = await answer({ flags: 0x1d })
  const { body } = (await eventOf(again.seq)).request
  const bytes = fromBase64url(JSON.parse(body).response.response.authenticatorData)
  const data = bytes.ok ? decodeAuthenticatorData(bytes.value).value : undefined
  expect(bytes.ok && bytes.value[32]).toBe(0x1d)
  const { rps } = await bench.client.call('rps.list')
  expect(toHex(data?.rpIdHash ?? utf8(''))).toBe(toHex(new Uint8Array(sha256(rps[0]?.rp_id ?? ''))))
})

const garbled = { attestation_object_bytes: [{ at: 0, take: 40_000, put: 'ff' }] }
it.each<[string, AnswerEdits, AnswerSigning, string]>([
  ['an AAGUID, signed anew', { aaguid: 'ff'.repeat(16) }, 'anew', 'attestation_certificate_aaguid_mismatch'],
  ['a key that is no CBOR', { public_key: 'ff' }, 'anew', 'cbor_indefinite_length'],
  ['another id', { attested_credential_id: '00'.repeat(16) }, 'anew', 'credential_id_mismatch'],
  ['a flag, under the honest signature', { flags: 0x5d }, 'kept', 'attestation_signature_invalid'],
  ['octets that are no attestation object', garbled, 'anew', 'cbor_indefinite_length'],
])('a registration with %s', async (_, edits, signing, word) => {
  expect(await answer(edits, signing, 'registration')).toMatchObject({ accepted: false, failure: { word } })
})

const refused = (edits: unknown, seq = seqs.authentication) =>
  codeOf(bench.client.call('events.answer', { params: { seq }, body: { edits } as Body<'events.answer'> }))

it.each([
  ['half an octet', { rp_id_hash: 'abc' }],
  ['nine bits', { flags: 256 }],
  ['a counter of five octets', { counter: 2 ** 32 }],
  ['a field that no answer has', { colour: 1 }],
  ['too many members', { client_data: Array.from({ length: 33 }, (_, i) => ({ name: `m${i}`, value: '' })) }],
  ['octets before the first one', { signature_bytes: [{ at: -1, take: 1, put: '' }] }],
])('what cannot be answered again is refused: %s', async (_, edits) => {
  expect(await refused(edits)).toBe(40002)
})

it('what cannot be answered again is refused: the request of an RP, and an exchange that is no longer kept', async () => {
  const { events } = await bench.client.call('events.list', { query: { kind: 'exchange' } })
  const ofRp = events.find((event) => event.kind === 'exchange' && event.interface === 'rp')
  expect(await refused({}, String(ofRp?.seq))).toBe(40902)
  expect(await refused({}, '999999')).toBe(40404)
})

it('what cannot be answered again is refused by a phone that rejects, and the next answer of that phone is honest', async () => {
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

it('what cannot be answered again is refused by a phone that is signed out', async () => {
  const bob = await play({ user_id: 'u-2', username: 'bob' }, { name: 'Bob', phone: '13900001111' })
  await bench.client.call('phones.sign-out', { params: { id: bob.phone }, body: {} })
  expect(await refused({}, bob.seqs.authentication)).toBe(40902)
})

import { createHash, createHmac, webcrypto } from 'node:crypto'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it, test } from 'vitest'
import { octetString, toBase64url, utf8 } from '../../src-main/core/protocol/bytes.ts'
import { inspect } from '../../src-main/views/inspect/inspect.ts'
import { createWebCrypto, pageSigningCrypto } from '../../src-renderer/inspect/page-crypto.ts'
import { decodedLines, findChanges, lineDifference } from '../../src-renderer/inspector/compare-view.tsx'
import { type Exchange, jsonPieces, requestLines, responseLines } from '../../src-renderer/inspector/exchange-lines.ts'
import { differingParts, hotByte, Marked } from '../../src-renderer/inspector/marked.tsx'
import { MessageView } from '../../src-renderer/inspector/message-view.tsx'
import { ComparedList } from '../../src-renderer/inspector/part.tsx'
import { comparePasted } from '../../src-renderer/inspector/refusal-head.tsx'
import { ActionsContext, createActions } from '../../src-renderer/palette/actions.ts'
import { MarkedTitle } from '../../src-renderer/palette/palette.tsx'
import { ProblemText, SelectField, TextField } from '../../src-renderer/ui/primitives.tsx'
import { Viewer } from '../../src-renderer/viewer/viewer.tsx'
import { ALICE, cast, register, startTestBench } from '../support/bench.ts'
import { vectorAuthentication, vectorRegistration, vectors } from '../support/ceremony/vectors.ts'
import { bad, run, scenario } from '../views/report/made-reports.ts'
import { call, record } from './fixture.ts'

it.each([
  ['https://bank.example', 'https://bamk.example', ['https://ba', 'n', 'm', 'k.example']],
  ['abc', 'abc', ['abc', '', '', '']],
  ['aa', 'aaa', ['aa', '', 'a', '']],
  ['', 'x', ['', '', 'x', '']],
])('the difference of the texts %j and %j is what stands between what they share', (expected, received, parts) => {
  const { same, expected: wanted, received: got, rest } = differingParts({ expected, received })
  expect([same, wanted, got, rest]).toEqual(parts)
})

it('the difference of two texts points to the byte at which it begins', () => {
  const bytes = new TextEncoder().encode('{"origin":"https://bamk.example"}')
  const texts = { expected: '"https://bank.example"', received: '"https://bamk.example"' }
  expect(hotByte(bytes, { start: 10, end: 32 }, texts)).toBe(bytes.indexOf('m'.charCodeAt(0)))
})

it('the difference of two texts points nowhere when the received text does not stand in the bytes', () => {
  const texts = { expected: 'https://a', received: 'https://b' }
  expect(hotByte(new Uint8Array(32), { start: 0, end: 32 }, texts)).toBeUndefined()
})

test('text that is shown backwards can be read on the page, and letters that need a joiner keep it', () => {
  const foreign = 'a\u202egpj.exe\u200b 👩‍👩‍👧 שלום می\u200cخواهم'
  const shown = 'a\\u202egpj.exe\\u200b 👩‍👩‍👧 שלום می\u200cخواهم'
  const parts = { same: foreign, rest: foreign }
  const views = [
    createElement(MessageView, { first: foreign, headers: [[foreign, foreign]], body: foreign, bytes: 1 }),
    createElement(MessageView, { first: 'a', headers: [], body: JSON.stringify({ [foreign]: foreign }), bytes: 1 }),
    createElement(ComparedList, { rows: [['a', foreign]] }),
    createElement(Marked, { parts, middle: foreign, look: 'got' }),
    createElement(MarkedTitle, { title: foreign, marked: [] }),
    createElement(MarkedTitle, { title: 'a\u202egp', marked: [1] }),
    createElement(SelectField, {
      name: 'a',
      value: 'a',
      options: [{ value: 'a', text: foreign }],
      onPick: () => undefined,
    }),
    createElement(TextField, { name: foreign, placeholder: foreign, value: 'a', onText: () => undefined }),
    createElement(ProblemText, { problem: { kind: 'refused', code: 99, error: foreign, data: undefined } }),
    createElement(Viewer, {
      embedded: {
        run: run({ ...scenario('failed', [bad(foreign)]), name: foreign }),
        ...{ suite: undefined, headed: false, trace: () => expect.unreachable() },
      },
    }),
  ].map((view) => renderToStaticMarkup(createElement(ActionsContext, { value: createActions() }, view)))
  expect(views.map((html) => html.split(shown).length - 1)).toEqual([4, 2, 1, 3, 1, 0, 1, 2, 1, 3])
  expect(views[5]).toBe('a<b>\\u202e</b>gp')
  for (const html of views) expect(html).not.toMatch(/[\u202e\u200b]/)
  const field = createElement(TextField, { value: foreign, onText: () => undefined })
  expect(renderToStaticMarkup(field)).toContain(`value="${foreign}"`)
})

it('a body is laid out and its keys, texts and values are told apart', () => {
  const looks = jsonPieces('{"a":"b: 1","c":[true,-2.5e3,null]}').filter(({ look }) => look !== 'plain')
  expect(looks).toEqual([
    { look: 'key', text: '"a"' },
    { look: 'text', text: '"b: 1"' },
    { look: 'key', text: '"c"' },
    { look: 'value', text: 'true' },
    { look: 'value', text: '-2.5e3' },
    { look: 'value', text: 'null' },
  ])
})

it('a body is laid out without rewriting any of it', () => {
  const text = '{"n": 12345678901234567890, "n": {}, "l": [ ], "s": "\\u0061"}'
  const laidOut = jsonPieces(text)
    .map((piece) => piece.text)
    .join('')
  expect(laidOut.split('\n')).toEqual([
    '{',
    '  "n": 12345678901234567890,',
    '  "n": {},',
    '  "l": [],',
    '  "s": "\\u0061"',
    '}',
  ])
})

it('a body that is no JSON stays as it came', () => {
  expect(jsonPieces('{"a":')).toEqual([{ look: 'plain', text: '{"a":' }])
})

const canonical = 'POST\n/fido/rp/attestation/options\n\nhost:localhost\n\nhost\nhash-of-the-body'
const computed = { canonical, toSign: 'HMAC\n20300101T120000Z\nscope\nhash' }
const edited = (from: string, to: string) => comparePasted(canonical.replace(from, to), computed)

test('a pasted request of which only the body is another says so, and no other does', () => {
  expect(edited('hash-of', 'another-hash-of')).toMatchObject({ isBody: true, difference: { line: 7 } })
  expect(edited('localhost', 'shop.example')).toMatchObject({ isBody: false, difference: { line: 4 } })
  expect(comparePasted(canonical, computed)).toEqual({ difference: undefined, isBody: false })
  expect(comparePasted('HMAC\n20300101T120000Z\nscope\nanother', computed).isBody).toBe(false)
})

it('two answers beside each other show a changed origin as one changed field', async () => {
  const { client, close } = await startTestBench()
  const { rp, phone } = await cast(client)
  await register(client, { rp, phone })
  const signIn = async () => {
    const body = { ...ALICE, method: 'qrcode', poll: false } as const
    const { url } = await client.call('simulator.sign-in', { params: { rp }, body })
    await client.call('phones.scan', { params: { id: phone }, body: { url } })
    await client.call('phones.approve', { params: { id: phone }, body: {} })
  }
  await signIn()
  await client.call('phones.arm', { params: { id: phone }, body: { fault: 'origin-other-subdomain' } })
  await signIn()
  const { events } = await client.call('events.list', { query: { kind: 'exchange' } })
  const answers = (events as readonly Exchange[]).filter(({ request }) => /\/assertion$/.test(request.target))
  const [honest = [], faulty = []] = answers.map(decodedLines)
  const changed = lineDifference(honest, faulty).filter(({ kind }) => kind !== 'same')
  expect(changed.filter(({ text }) => text.startsWith('clientDataJSON.origin: '))).toHaveLength(2)
  expect(honest).toContain('clientDataJSON.type: webauthn.get')
  expect(honest.filter((line) => line.endsWith('…'))).toEqual([])
  expect(honest.find((line) => line.startsWith('authenticatorData.flags'))).toMatch(/UP UV/)
  await close()
})

const marks = { same: ' ', gone: '-', come: '+' }
const diff = (before: string, after: string) =>
  lineDifference([...before], [...after])
    .map(({ kind, text }) => marks[kind] + text)
    .join('')

it.each([
  ['', '', ''],
  ['abc', 'abc', ' a b c'],
  ['abc', 'axc', ' a-b+x c'],
  ['abc', '', '-a-b-c'],
  ['', 'ab', '+a+b'],
  ['abcd', 'bcde', '-a b c d+e'],
  ['aab', 'ab', ' a-a b'],
])('the difference of the lines %j and %j is %j', (before, after, expected) => {
  expect(diff(before, after)).toBe(expected)
})

it('the difference of two lists of lines has what a field was and what it is beside each other', () => {
  const before = ['type: get', 'challenge: a', 'origin: x', 'old: 1', 'end']
  const after = ['type: get', 'challenge: b', 'new: 2', 'origin: y', 'end']
  expect(lineDifference(before, after).map(({ kind, text }) => marks[kind] + text)).toEqual([
    ' type: get',
    '-challenge: a',
    '+challenge: b',
    '+new: 2',
    '-origin: x',
    '+origin: y',
    '-old: 1',
    ' end',
  ])
})

it('the difference of two lists of lines of very long lists is not searched for', () => {
  const long = Array.from({ length: 2000 }, (_, i) => String(i))
  const lines = lineDifference(long, ['0'])
  expect([lines.length, lines[0]?.kind, lines.at(-1)?.kind]).toEqual([2001, 'gone', 'come'])
})

const exchange = {
  kind: 'exchange',
  request: { method: 'POST', target: '/x?y', headers: [['Host', 'h']], body: '{"a":1,"b":[2]}' },
  response: { status: 200, headers: [], body: 'plain' },
} as unknown as Exchange

it('an exchange is lines: what was asked, the headers, the body laid out', () => {
  expect(requestLines(exchange)).toEqual([
    'POST /x?y',
    'Host: h',
    '',
    '{',
    '  "a": 1,',
    '  "b": [',
    '    2',
    '  ]',
    '}',
  ])
  expect(responseLines(exchange)).toEqual(['HTTP 200', '', 'plain'])
})

const ports = {
  crypto: createWebCrypto(webcrypto.subtle as SubtleCrypto),
  signing: pageSigningCrypto,
  now: Date.UTC(2030, 0, 1),
}

test('the page hashes as everybody does, whatever the length', () => {
  for (const length of [0, 1, 54, 55, 56, 63, 64, 65, 119, 120, 1000]) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 7) & 0xff)
    const octets = octetString(bytes)
    expect(pageSigningCrypto.sha256Hex(octets)).toBe(createHash('sha256').update(bytes).digest('hex'))
    const mac = createHmac('sha256', bytes).update('text').digest('hex')
    expect(pageSigningCrypto.hmacSha256Hex(bytes, 'text')).toBe(mac)
  }
})

/** What no WebCrypto has. */
const BEYOND = /ed448/

test.each(vectors)('WebCrypto judges $name as Node does, or says that it cannot', async (vector) => {
  const signedIn = vectorAuthentication(vector)
  const stored = await signedIn.credential((signedIn.response as { id: string }).id)
  const { response } = signedIn.response as { response: { signature: string } }
  const given = { options: signedIn.options, origins: signedIn.origins, publicKey: stored?.publicKey ?? utf8('') }
  const look = (answer: unknown) => inspect(utf8(JSON.stringify(answer)), given, ports)
  const found = await look(signedIn.response)
  const last = response.signature.slice(-6) === 'AAAAAA' ? 'BBBBBB' : 'AAAAAA'
  const forged = await look({
    ...(signedIn.response as object),
    response: { ...response, signature: response.signature.slice(0, -6) + last },
  })
  if (BEYOND.test(vector.name)) {
    expect([found.verdict, found.checks.find(({ name }) => name === '7.2.21')]).toEqual([
      undefined,
      expect.objectContaining({ outcome: 'skipped', word: 'algorithm_unavailable' }),
    ])
  } else if (!/top-?origin|cross-?origin/i.test(vector.name))
    expect([found.verdict, forged.verdict]).toEqual(['verified', 'refused'])
})

test('an attestation is judged on WebCrypto as well, and refused with another challenge', async () => {
  const [vector] = vectors.filter(({ name }) => name.includes('packed-self'))
  if (vector === undefined) throw new Error('there is no vector')
  const { response, options, origins } = vectorRegistration(vector)
  const look = (challenge: string) =>
    inspect(utf8(JSON.stringify(response)), { options: { ...options, challenge }, origins }, ports)
  expect((await look(options.challenge)).verdict).toBe('verified')
  expect((await look('AAAAAAAAAAAAAAAAAAAAAA')).verdict).toBe('refused')
})

const exchanges = (...calls: readonly Parameters<typeof call>[0][]): readonly [Exchange, Exchange] => {
  const [before, after] = record(calls.map((each, i) => [i, call(each)]))
  if (before?.kind !== 'exchange' || after?.kind !== 'exchange') throw new Error('two calls are compared')
  return [before, after]
}

const namesIn = (changes: ReturnType<typeof findChanges>, always: boolean) =>
  changes.flatMap((change) => (change.always === always ? [change.name] : []))

const options = { id: 'r', line: 'POST /fido/rp/assertion/options' }

it('a date, a signature and the ids of a new message are told apart from an edited member', () => {
  const [before, after] = exchanges(
    { ...options, body: '{"user_id":"a","username":"a"}', answer: { msg_id: 'one', url: 'u1', expires_at: 1 } },
    { ...options, body: '{"user_id":"b","username":"a"}', answer: { msg_id: 'two', url: 'u2', expires_at: 2 } },
  )
  const headers = after.request.headers.map(([name, value]) =>
    name === 'X-Svc-Date' ? ([name, '20261120T150000Z'] as const) : ([name, value.replace(/.$/, '0')] as const),
  )
  const changes = findChanges(before, { ...after, request: { ...after.request, headers } })
  expect(namesIn(changes, false)).toContain('body.user_id')
  expect(namesIn(changes, false)).not.toContain('body.username')
  expect(namesIn(changes, true)).toEqual(
    expect.arrayContaining(['header.x-svc-date', 'header.authorization.signature']),
  )
  expect(namesIn(changes, false).filter((name) => /msg_id|url|expires_at|date|signature$/.test(name))).toEqual([])
})

it('a key, a path, a status and a header that is gone matter', () => {
  const [before, after] = exchanges(options, { ...options, line: 'GET /fido/rp/credentials', status: 401, code: 40103 })
  const headers = after.request.headers
    .filter(([name]) => name !== 'Content-Type')
    .map(([name, value]) => [name, value.replace('AK7', 'ak_')] as const)
  const changes = findChanges(before, { ...after, request: { ...after.request, headers } })
  expect(namesIn(changes, false)).toEqual(
    expect.arrayContaining(['method', 'path', 'header.content-type', 'header.authorization.key', 'status']),
  )
})

const authData = (counter: number, flags = 5): string =>
  toBase64url(Uint8Array.from([...new Uint8Array(32).fill(7), flags, 0, 0, 0, counter]))

const answerOf = (more: {
  readonly origin?: string
  readonly challenge: string
  readonly counter: number
  readonly flags?: number
}) => {
  const { origin = 'https://a.example', challenge, counter, flags } = more
  const clientDataJSON = toBase64url(utf8(JSON.stringify({ type: 'webauthn.get', challenge, origin })))
  const response = {
    clientDataJSON,
    authenticatorData: authData(counter, flags),
    signature: toBase64url(utf8(challenge)),
  }
  return {
    id: 'r',
    line: 'POST /app/messages/m/assertion',
    body: JSON.stringify({ response: { id: 'c', rawId: 'c', type: 'public-key', response } }),
  }
}

it('of an answer, its challenge, signature and a counter that grew are always others; an origin and a flag matter', () => {
  const fresh = findChanges(
    ...exchanges(answerOf({ challenge: 'one', counter: 1 }), answerOf({ challenge: 'two', counter: 2 })),
  )
  expect(namesIn(fresh, false)).toEqual([])
  expect(namesIn(fresh, true).sort()).toEqual(['authenticatorData.signCount', 'clientDataJSON.challenge', 'signature'])
  const edited = findChanges(
    ...exchanges(
      answerOf({ challenge: 'one', counter: 2 }),
      answerOf({ challenge: 'two', counter: 1, origin: 'https://b.example', flags: 1 }),
    ),
  )
  expect(namesIn(edited, false)).toEqual([
    'clientDataJSON.origin',
    'authenticatorData.flags',
    'authenticatorData.signCount',
  ])
})

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { errors } from '../../../src-main/core/contract/errors.ts'
import { isOrigin } from '../../../src-main/core/contract/profile.ts'
import { encodeAuthorization, parseAuthorization, scopeProblem } from '../../../src-main/core/protocol/authorization.ts'
import { canonicalQuery } from '../../../src-main/core/protocol/canonical-request.ts'
import { isWorkspaceId, makeId, makeMessageId } from '../../../src-main/core/protocol/ids.ts'
import {
  encodeMessageAddress,
  messageIdOf,
  parseMessageAddress,
} from '../../../src-main/core/protocol/message-address.ts'
import { canMove, isFinal, type MessageState, statesBefore } from '../../../src-main/core/protocol/message-state.ts'
import { type RandomSource, randomBelow } from '../../../src-main/core/protocol/random.ts'
import { formatSvcDate, parseSvcDate } from '../../../src-main/core/protocol/time.ts'

const counting = (): RandomSource => {
  let next = 0
  return { repeatable: true, bytes: (count) => Uint8Array.from({ length: count }, () => next++ & 255) }
}

it('[errors.codes] every code is its status times 100 plus a number, and none stands twice', () => {
  const rows = Object.values(errors)
  for (const { code, status } of rows) expect(Math.floor(code / 100)).toBe(status)
  expect(new Set(rows.map(({ code }) => code)).size).toBe(rows.length)
})

it('X-Svc-Date comes back the same for any second', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 253_402_300_799 }), (seconds) => {
      expect(parseSvcDate(formatSvcDate(seconds * 1000))).toEqual({ ok: true, value: seconds * 1000 })
    }),
  )
})

it.each([
  '20260230T000000Z',
  '20261301T000000Z',
  '20260101T240000Z',
  '20260101T000060Z',
  '20260101T000000',
  '2026-01-01T00:00:00Z',
  '20260304T050607+00',
  '20260304050607Z',
  'Wed, 04 Mar 2026 05:06:07 GMT',
  '',
])('X-Svc-Date refuses %j', (text) => {
  expect(parseSvcDate(text).ok).toBe(false)
})

const signature = 'a'.repeat(64)
const general = {
  form: 'general',
  accessKeyId: 'ak_1',
  scope: 'fido-server/x',
  signedHeaders: ['host', 'x-svc-date'],
  signature,
} as const

it('the Authorization header comes back the same in both forms', () => {
  expect(parseAuthorization(encodeAuthorization(general))).toEqual({ ok: true, value: general })
  const short = { form: 'short', signedHeaders: ['host'], signature } as const
  expect(parseAuthorization(encodeAuthorization(short))).toEqual({ ok: true, value: short })
})

it('[signing.general] the Authorization header ends the key id at the first slash', () => {
  const parsed = parseAuthorization(`SVC-HMAC-SHA256 a/b/c,host,${signature}`)
  expect(parsed).toMatchObject({ ok: true, value: { accessKeyId: 'a', scope: 'b/c' } })
})

it.each([
  ['another algorithm', `AWS4-HMAC-SHA256 a/b,host,${signature}`],
  ['no algorithm', `a/b,host,${signature}`],
  ['a bearer token', 'Bearer abc'],
  ['nothing', ' '],
  ['no parts', 'SVC-HMAC-SHA256'],
  ['one part', 'SVC-HMAC-SHA256 host'],
  ['four parts', `SVC-HMAC-SHA256 a/b,host,${signature},x`],
  ['a key without a scope', `SVC-HMAC-SHA256 a,host,${signature}`],
  ['an empty key id', `SVC-HMAC-SHA256 /b,host,${signature}`],
  ['upper-case header names', `SVC-HMAC-SHA256 a/b,Host,${signature}`],
  ['header names out of order', `SVC-HMAC-SHA256 a/b,x-a;host,${signature}`],
  ['a header named twice', `SVC-HMAC-SHA256 a/b,host;host,${signature}`],
  ['an empty header name', `SVC-HMAC-SHA256 a/b,host;,${signature}`],
  ['[signing.lower-hex] an upper-case signature', `SVC-HMAC-SHA256 a/b,host,${'A'.repeat(64)}`],
  ['[signing.lower-hex] a signature of 63 digits', `SVC-HMAC-SHA256 a/b,host,${'a'.repeat(63)}`],
  ['[signing.lower-hex] a signature of 65 digits', `SVC-HMAC-SHA256 a/b,host,${'a'.repeat(65)}`],
  ['[signing.lower-hex] a signature that is no hex', `SVC-HMAC-SHA256 a/b,host,${'g'.repeat(64)}`],
  ['a space behind a comma', `SVC-HMAC-SHA256 a/b, host,${signature}`],
])('the Authorization header is refused with %s', (_, text) => {
  expect(parseAuthorization(text).ok).toBe(false)
})

it.each(['flag', 'flag='])('the query %s is signed with its equals sign', (query) => {
  expect(canonicalQuery(query)).toEqual({ ok: true, value: 'flag=' })
})

const good = ['', 'ak_1', 'a/b', '20260101', '20260101/x', '20260102x', '202601020', '2026010', '%FF', 'Ã©']
it.each(good.map((identifier) => `fido-server/${identifier}`))('the credential scope may be %s', (scope) => {
  expect(scopeProblem(scope, '20260101T101010Z')).toBeUndefined()
})

it.each([
  ...['', 'fido', 'fido-server', 'FIDO-SERVER/', 'other/', 'fido-server2/', '/fido-server/', 'fido-server/20260102'],
  ...['fido-server/20260102/', 'fido-server/00000000', 'fido-server/99999999/20260101'],
  ...['fido-server/\u00ff', 'fido-server/\u00c3', 'fido-server/\u00ed\u00a0\u0080'],
])('the credential scope may not be %j', (scope) => {
  expect(scopeProblem(scope, '20260101T101010Z')).toBeDefined()
})

const address = { baseUrl: 'http://localhost:7420/w/a/fido', kind: 'authentication', msgId: 'A'.repeat(22) } as const

it('a message address comes back the same, and its message id is the text after # without its first character', () => {
  const url = encodeMessageAddress(address)
  expect(url).toBe(`http://localhost:7420/w/a/fido/m#a${'A'.repeat(22)}`)
  expect(parseMessageAddress(url)).toEqual({ ok: true, value: address })
  expect(messageIdOf(url)).toBe(address.msgId)
})

it.each([
  '',
  'hello',
  'https://example.org/',
  'https://example.org/m#',
  `https://example.org/m#x${'A'.repeat(22)}`,
  `https://example.org/m#r${'A'.repeat(21)}`,
])('a message address is not %j', (text) => {
  expect(parseMessageAddress(text).ok).toBe(false)
})

const states: MessageState[] = ['init', 'bind', 'success', 'fail', 'timeout']

it('[messages.moves] message states move as init → bind → success | fail and init | bind → timeout, and in no other way', () => {
  const moves = states.flatMap((from) => states.filter((to) => canMove(from, to)).map((to) => `${from}→${to}`))
  expect(moves).toEqual(['init→bind', 'init→timeout', 'bind→success', 'bind→fail', 'bind→timeout'])
})

it('message states name the states a move may start from', () => {
  expect(statesBefore('timeout')).toEqual(['init', 'bind'])
  expect(states.filter(isFinal)).toEqual(['success', 'fail', 'timeout'])
})

it('ids say what they are', () => {
  expect(makeId('rp', counting())).toMatch(/^rp_[0-9a-hjkmnp-tv-z]{16}$/)
  expect(makeMessageId(counting())).toMatch(/^[A-Za-z0-9_-]{22}$/)
})

it.each(['main', 'a', 'team-2', '0x'])('ids let a workspace be called %s', (id) => expect(isWorkspaceId(id)).toBe(true))

it.each(['', '-a', 'a-', 'A', 'a/b', 'a.b', 'x'.repeat(41)])('ids let no workspace be called %j', (id) =>
  expect(isWorkspaceId(id)).toBe(false),
)

it('a random number below a limit is always below it', () => {
  const source = counting()
  for (let i = 0; i < 200; i++) expect(randomBelow(source, 7)).toBeLessThan(7)
})

it.each(['https://example.org', 'http://localhost:7420'])('an origin may be %s', (text) =>
  expect(isOrigin(text)).toBe(true),
)

it.each(['https://example.org/', 'https://example.org:443', 'HTTPS://example.org', 'null', '', 7])(
  'an origin may not be %j',
  (text) => expect(isOrigin(text)).toBe(false),
)

import { expect, it } from 'vitest'
import { toBase64url, utf8 } from '../../src-main/protocol/bytes.ts'
import { changesOf } from '../../src-renderer/inspector/changes-of.ts'
import type { Exchange } from '../../src-renderer/inspector/exchange-lines.ts'
import { call, record } from './fixture.ts'

const exchanges = (...calls: readonly Parameters<typeof call>[0][]): readonly [Exchange, Exchange] => {
  const [before, after] = record(calls.map((each, i) => [i, call(each)]))
  if (before?.kind !== 'exchange' || after?.kind !== 'exchange') throw new Error('two calls are compared')
  return [before, after]
}

const namesIn = (changes: ReturnType<typeof changesOf>, always: boolean) =>
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
  const changes = changesOf(before, { ...after, request: { ...after.request, headers } })
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
  const changes = changesOf(before, { ...after, request: { ...after.request, headers } })
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
  const fresh = changesOf(
    ...exchanges(answerOf({ challenge: 'one', counter: 1 }), answerOf({ challenge: 'two', counter: 2 })),
  )
  expect(namesIn(fresh, false)).toEqual([])
  expect(namesIn(fresh, true).sort()).toEqual(['authenticatorData.signCount', 'clientDataJSON.challenge', 'signature'])
  const edited = changesOf(
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

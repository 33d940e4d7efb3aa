import type { RequestListener } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { cast, codeOf, register, startTestBench } from '../../support/bench.ts'
import { serveBriefly } from '../../support/serve-briefly.ts'

const ORIGIN = 'https://shop.other.test'

const json =
  (value: unknown, { status = 200, type = 'application/json' } = {}): RequestListener =>
  (_, answer) =>
    void answer.writeHead(status, { 'content-type': type }).end(JSON.stringify(value))

const open = async (related_origins?: string) => {
  const { client, close } = await startTestBench({
    seedData: { rps: [{ name: 'Shop', rp_id: 'example.com', origins: [ORIGIN] }], phones: [] },
  })
  onTestFinished(close)
  const behaviour = { answer: 'ask', ...(related_origins === undefined ? {} : { related_origins }) } as const
  return { client, who: await cast(client, { behaviour }) }
}

const outcome = async (related?: string): Promise<string> => {
  const { client, who } = await open(related)
  const { status, error } = await register(client, who)
  return `${status} ${error}`
}

const REFUSED = expect.stringMatching(/^fail cannot_authenticate/)

test('[judge.related-origins] a phone follows the list of the RP ID, asked for under that name, and registers and signs in', async () => {
  const asked: unknown[] = []
  const list = json({ origins: ['https://example.com', ORIGIN] }, { type: 'application/json; charset=utf-8' })
  const source = await serveBriefly((incoming, answer) => {
    asked.push([incoming.url, incoming.headers.host])
    list(incoming, answer)
  })
  const { client, who } = await open(source)
  expect(await register(client, who)).toMatchObject({ status: 'success' })
  const { msg_id } = await client.call('simulator.sign-in', {
    params: { rp: who.rp },
    body: { user_id: 'u-1', username: 'alice', method: 'push', poll: false },
  })
  await client.call('phones.open', { params: { id: who.phone }, body: { msg_id } })
  await client.call('phones.approve', { params: { id: who.phone }, body: {} })
  expect(await client.call('messages.get', { params: { id: msg_id } })).toMatchObject({ state: 'success' })
  // An RP ID that fits needs no list.
  await client.call('rps.patch', { params: { rp: who.rp }, body: { rp_id: 'other.test' } })
  expect(await register(client, who)).toMatchObject({ status: 'success' })
  expect(asked).toEqual(Array.from({ length: 2 }, () => ['/.well-known/webauthn', 'example.com']))
})

test('[judge.related-origins] a phone that was not told where the list is refuses', async () => {
  expect(await outcome()).toEqual(REFUSED)
})

const many = (count: number) => Array.from({ length: count }, (_, i) => `https://shop${i}.test`)

test.each<[string, string, RequestListener]>([
  ['the origin after four other labels', 'success ', json({ origins: [...many(4), ORIGIN] })],
  [
    'the origin of a label that counts already, after a sixth label and what is no site',
    'success ',
    json({
      origins: [
        ...[...many(4), 'https://a.shop0.test', 'https://shop0.example', 'https://other.example'],
        ...['https://sixth.test', 'no site', 7, 'https://test', ORIGIN],
      ],
    }),
  ],
  ['the origin as sixth label', 'fail', json({ origins: [...many(5), ORIGIN] })],
  ['no such origin', 'fail', json({ origins: ['https://other.test', `${ORIGIN}:8443`, 'http://shop.other.test'] })],
  ['a list that is a text', 'fail', json({ origins: ORIGIN })],
  ['another type', 'fail', json({ origins: [ORIGIN] }, { type: 'text/plain' })],
  ['another status', 'fail', json({ origins: [ORIGIN] }, { status: 404 })],
  ['no JSON', 'fail', (_, answer) => void answer.writeHead(200, { 'content-type': 'application/json' }).end('{')],
  ['more than a list may have', 'fail', json({ origins: [ORIGIN], more: 'x'.repeat(256 * 1024) })],
  ['an end in the middle', 'fail', (_, answer) => void answer.destroy()],
])('of a site that answers %s it makes %s', async (_, expected, serve) => {
  expect(await outcome(await serveBriefly(serve))).toMatch(new RegExp(`^${expected}`))
})

test('a phone follows no redirect', async () => {
  const asked: unknown[] = []
  const elsewhere = await serveBriefly((incoming, answer) => {
    asked.push(incoming.url)
    json({ origins: [ORIGIN] })(incoming, answer)
  })
  const to = `${elsewhere}/.well-known/webauthn`
  expect(await outcome(await serveBriefly((__, answer) => void answer.writeHead(302, { location: to }).end()))).toEqual(
    REFUSED,
  )
  expect(asked).toEqual([])
})

test.each([
  'http://example.com:80',
  'https://localhost:1',
  'http://localhost',
  'http://localhost:99999',
  'http://[::1]:1/x',
])('an address such as %s, which is not one of this machine alone, is refused', async (related_origins) => {
  const { client, who } = await open()
  const patch = client.call('phones.patch', {
    params: { id: who.phone },
    body: { behaviour: { answer: 'ask', related_origins } },
  })
  expect(await codeOf(patch)).toBe(40002)
})

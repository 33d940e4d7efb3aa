import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRpClient, type RpClient } from '../../src-main/sdk/rp.ts'
import { foldTimeline } from '../../src-main/timeline/fold-timeline.ts'
import { newTimeline } from '../../src-main/timeline/timeline.ts'
import { environmentText } from '../../src-renderer/connect/environment.ts'
import { progressOf } from '../../src-renderer/connect/progress.ts'
import { register, startTestBench, type TestBench } from '../support/bench.ts'
import { taken } from '../support/taken.ts'

const SECRETS = { shop: 'the secret of the shop', bank: 'the secret of the bank' }

let bench: TestBench
let rps: Readonly<Record<'shop' | 'bank', string>>
let phone: string
beforeAll(async () => {
  const seed = (name: 'shop' | 'bank') => ({ name, rp_id: 'localhost', keys: [{ id: name, secret: SECRETS[name] }] })
  bench = await startTestBench({ seedData: { rps: [seed('shop'), seed('bank')], phones: [] } })
  const [shop, bank] = (await bench.client.call('rps.list')).rps
  rps = { shop: shop?.id ?? '', bank: bank?.id ?? '' }
  phone = (await bench.client.call('phones.create', { body: { name: 'Alice' } })).id
})
afterAll(async () => {
  for (const server of servers) server.close()
  await bench.close()
})

const servers: RpClient[] = []

const serverWith = ({ key = 'shop', secret = SECRETS.shop, late = 0 } = {}): RpClient => {
  const { baseUrl } = bench.bench
  const server = createRpClient({ accessKeyId: key, secretKey: secret, baseUrl, now: () => Date.now() - late })
  servers.push(server)
  return server
}

const answer = async (url: string): Promise<void> => {
  await bench.client.call('phones.scan', { params: { id: phone }, body: { url } })
  await bench.client.call('phones.approve', { params: { id: phone }, body: {} })
}

/** How far the shop’s server has come, by the events alone. */
const shop = async () => {
  const { events } = await bench.client.call('events.list', { query: { limit: 10_000 } })
  const { own } = events.reduce(foldTimeline, newTimeline())
  const { done, refused } = progressOf({ own, rp: rps.shop, keys: ['shop'], foreignKeys: ['bank'] })
  const reached = Object.entries(done).flatMap(([step, is]) => (is ? [step] : []))
  return { done: reached, ...(refused && { at: refused.at, code: refused.code, stray: refused.stray }) }
}

test('an RP’s own server is followed from its first call to its first sign-in, told apart from all others', async () => {
  // The simulator’s calls carry the same key, and another RP’s are signed as well.
  await register(bench.client, { rp: rps.shop, phone })
  await serverWith({ key: 'bank', secret: SECRETS.bank }).credentials('u-1')
  await serverWith({ key: 'bank', secret: 'wrong' }).credentials('u-1')
  expect(await shop()).toEqual({ done: [] })

  await serverWith({ key: 'shoop' }).credentials('u-1')
  expect(await shop()).toEqual({ done: [], at: 'reached', code: 40103, stray: true })
  await serverWith({ secret: 'wrong' }).credentials('u-1')
  expect(await shop()).toEqual({ done: ['reached'], at: 'signed', code: 40104, stray: false })
  await serverWith({ late: 600_000 }).credentials('u-1')
  expect(await shop()).toEqual({ done: ['reached'], at: 'signed', code: 40106, stray: false })

  const server = serverWith()
  await server.credentials('u-2')
  expect(await shop()).toEqual({ done: ['reached', 'signed'] })
  await serverWith({ key: 'shoop' }).credentials('u-1')
  expect(await shop()).toEqual({ done: ['reached', 'signed'] })
  await server.authenticate({ user_id: 'u-2', username: 'bo', method: 'qrcode' })
  expect(await shop()).toEqual({ done: ['reached', 'signed'], at: 'scanned', code: 40403, stray: false })

  const simulated = await bench.client.call('simulator.sign-in', {
    params: { rp: rps.shop },
    body: { user_id: 'u-1', username: 'alice', method: 'qrcode' },
  })
  await answer(simulated.url)
  expect((await shop()).done).toEqual(['reached', 'signed'])

  const { url, msg_id } = taken(await server.authenticate({ user_id: 'u-1', username: 'alice', method: 'qrcode' }))
  expect(await shop()).toEqual({ done: ['reached', 'signed'] })
  await answer(url)
  expect(await shop()).toEqual({ done: ['reached', 'signed', 'scanned'] })
  await server.authenticationResult(msg_id)
  const all = ['reached', 'signed', 'scanned', 'signedIn']
  expect(await shop()).toEqual({ done: all })
  await serverWith({ secret: 'wrong' }).credentials('u-1')
  expect(await shop()).toEqual({ done: all, at: 'signed', code: 40104, stray: false })
})

test('whatever a secret has in it, both shells read it as it is', () => {
  for (const secret of [
    ...['plain-1', '', "it's; rm -rf ~", '$(id) `id` $HOME %PATH%', '"\\\n#'],
    "‘curly’ ‚and‛ '’",
  ]) {
    const given = { baseUrl: 'http://a', accessKeyId: 'ak', secretKey: secret, rpId: 'a', origin: 'http://a' }
    const script = `${environmentText(given)}\nprintf %s "$SECRET_KEY"`
    expect(execFileSync('bash', ['-c', script], { encoding: 'utf8' })).toBe(secret)
    const [, quoted = ''] = /SECRET_KEY = '([\s\S]*)'\n\$env:RP_ID/.exec(environmentText(given, 'PowerShell')) ?? []
    expect(readVerbatim(quoted)).toBe(secret)
  }
})

/** As PowerShell reads what stands between single quotes: one of two quotes, and none alone. */
const readVerbatim = (quoted: string): string | undefined => {
  const pairs = quoted.match(/['‘’‚‛]{2}|[^'‘’‚‛]/g) ?? []
  return pairs.join('') === quoted ? pairs.map((pair) => pair.slice(-1)).join('') : undefined
}

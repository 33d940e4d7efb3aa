import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, expect, it, test } from 'vitest'
import { findSentAndHonest } from '../../src-main/core/messages/sent-and-honest.ts'
import { createRpClient, type RpClient } from '../../src-main/sdk/rp-client.ts'
import { connectProgress, environmentText } from '../../src-renderer/connect/connect-pane.tsx'
import { fetchOpenMessages, openMessages } from '../../src-renderer/console/clock-panel.tsx'
import { originProblem, splitOrigins } from '../../src-renderer/console/setting-row.tsx'
import { type ArmDraft, createArmDraft, readDraft, type TunableFault } from '../../src-renderer/faults/fault-entries.ts'
import { failedStepFrom, stillArmed } from '../../src-renderer/inspector/message-view.tsx'
import { texts } from '../../src-renderer/ui/texts.ts'
import { ALICE, cast, register, startTestBench, type TestBench } from '../support/bench.ts'
import { taken } from '../support/taken.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { call, move, record, timelineOf } from './fixture.ts'

it('the field of embedding origins takes origins parted by spaces, commas or both', () => {
  expect(splitOrigins(' https://a.example,https://b.example , http://localhost:1  ')).toEqual([
    'https://a.example',
    'https://b.example',
    'http://localhost:1',
  ])
})

it.each([
  ['', undefined],
  ['https://a.example', undefined],
  ['https://a.example http://localhost:7420', undefined],
  ['https://a.example/', 'https://a.example/'],
  ['https://a.example shop.example', 'shop.example'],
  ['https://a.example:443,https://b.example/path', 'https://a.example:443'],
])('the field of embedding origins of "%s" says that no origin is %s', (text, bad) => {
  expect(originProblem(text)).toBe(bad && texts.wrong.origin(bad))
})

it('a message that began before the last start is still ahead, until an event tells how it ended', async () => {
  const data = temporaryFolder()
  const first = await startTestBench({ data })
  const { rp } = await cast(first.client)
  const { msg_id } = await first.client.call('simulator.register', { params: { rp }, body: { ...ALICE, poll: false } })
  await first.close()

  const again = await startTestBench({ data })
  const timeline = async () => {
    const { events } = await again.client.call('events.list')
    return timelineOf(events)
  }
  const { messages } = await fetchOpenMessages(again.client)
  const { next_expiry } = await again.client.call('clock.get')
  expect(openMessages(await timeline(), messages)).toMatchObject([
    { msgId: msg_id, username: 'alice', ceremony: 'registration', expiresAt: next_expiry },
  ])
  await again.client.call('clock.advance', { body: { to: 'next-expiry' } })
  expect(openMessages(await timeline(), messages)).toEqual([])
  await again.close()
})

const field = (preset: number, least: number, most: number) =>
  ({ kind: 'number', preset, range: { kind: 'whole', least, most } }) as const

const late: TunableFault = { name: 'push-late', fields: { delay_ms: field(60_000, 0, 86_400_000) } }

const read = (change: Partial<ArmDraft>) => readDraft({ ...createArmDraft(late), ...change }, late)

const once = { fault: 'push-late', times: 1 }

it.each<[string, Partial<ArmDraft>, object]>([
  ['once, as it is', {}, once],
  [
    'with the parameters that were changed',
    { parameters: { delay_ms: '0' } },
    { ...once, parameters: { delay_ms: 0 } },
  ],
  ['always', { often: 'always' }, { fault: 'push-late', probability: 1 }],
  ['several times', { often: 'times' }, { fault: 'push-late', times: 2 }],
  ['by chance', { often: 'chance', times: 'many', chance: '30' }, { fault: 'push-late', probability: 0.3 }],
])('what is written about a fault arms it %s', (_, change, value) => {
  expect(read(change)).toEqual({ ok: true, value })
})

it('what is written about a fault arms it for one user alone, with the text that was written', () => {
  const status: TunableFault = {
    name: 'status-unknown',
    fields: { status: { kind: 'text', preset: 'verified', most: 64 } },
  }
  const draft = { ...createArmDraft(status), user: ' alice ', parameters: { status: 'paused' } }
  expect(readDraft(draft, status)).toEqual({
    ok: true,
    value: { fault: 'status-unknown', times: 1, parameters: { status: 'paused' }, scope: { user_id: 'alice' } },
  })
})

it.each([
  [{ often: 'times', times: '0' }, 'times'],
  [{ often: 'times', times: '1001' }, 'times'],
  [{ often: 'times', times: '1.5' }, 'times'],
  [{ often: 'times', times: '' }, 'times'],
  [{ often: 'chance', chance: '100.1' }, 'chance'],
  [{ often: 'chance', chance: '-1' }, 'chance'],
  [{ often: 'chance', chance: ' ' }, 'chance'],
  [{ often: 'chance', chance: '0' }, 'chance'],
  [{ parameters: { delay_ms: '86400001' } }, 'delay_ms'],
  [{ parameters: { delay_ms: '1e3' } }, 'delay_ms'],
  [{ parameters: { delay_ms: '-1' } }, 'delay_ms'],
] as const)('what is written about a fault is refused at its field: %j', (change, field) => {
  expect(read(change)).toMatchObject({ ok: false, error: { [field]: {} } })
})

it('what is written about a fault is refused at every field that is wrong', () => {
  const all = read({ often: 'times', times: 'x', parameters: { delay_ms: 'y' } })
  expect(all.ok ? [] : Object.keys(all.error)).toEqual(['times', 'delay_ms'])
})

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
  const { own } = timelineOf(events)
  const { done, refused } = connectProgress({ own, rp: rps.shop, keys: ['shop'], foreignKeys: ['bank'] })
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

const MSG = 'BBBBBBBBBBBBBBBBBBBBBB'

const struck = (faults: readonly string[], phone_id = 'ph_alice', msg_id = MSG) =>
  ({ kind: 'phone', change: 'changed', phone_id, struck: { msg_id, faults } }) as const

const messageAfter = (...facts: readonly ReturnType<typeof struck>[]) =>
  timelineOf(
    record([
      [0, move({ msgId: MSG, to: 'init', cause: 'req_1', method: 'qrcode' })],
      [4, call({ id: 'req_1', line: 'POST /fido/rp/assertion/options' })],
      ...facts.map((fact) => [2000, fact] as const),
      [2100, move({ msgId: MSG, from: 'init', to: 'bind', method: 'qrcode' })],
    ]),
  ).groups.at(0)?.message

it.each<[string, ReturnType<typeof struck>[], string[] | undefined]>([
  ['are those that struck it', [struck(['origin-wrong'])], ['origin-wrong']],
  ['add up, each named once', [struck(['a']), struck(['b', 'a'])], ['a', 'b']],
  ['are not those of another attempt', [struck(['a'], 'ph_alice', 'C'.repeat(22))], undefined],
  ['are none where none struck', [], undefined],
  ['are those of the phone that took it over', [struck(['a'], 'ph_bo'), struck(['b'])], ['b']],
])('the faults of an attempt: %s', (_, facts, faults) => {
  expect(messageAfter(...facts)?.struck?.faults).toEqual(faults)
})

it('the faults of an attempt strike again only where they are armed still', () => {
  const armed = [
    { id: 'flt_1', fault: 'origin-wrong', left: 2 },
    { id: 'flt_2', fault: 'challenge-wrong', left: 1 },
  ]
  expect(stillArmed(armed, ['origin-wrong'])).toEqual([armed[0]])
  expect(stillArmed([], ['origin-wrong'])).toEqual([])
})

const steps = ['passed', 'failed', 'skipped', 'failed'].map((outcome) => ({ outcome }))

it.each([
  [0, 1, 1],
  [1, 1, 3],
  [3, 1, 1],
  [3, -1, 1],
  [1, -1, 3],
  [2, -1, 1],
] as const)('the next failed step from step %i by %i is %i', (from, by, next) => {
  expect(failedStepFrom(steps, { from, by })).toBe(next)
})

it('the next failed step is none where none failed', () => {
  expect(failedStepFrom([{ outcome: 'passed' }], { from: 0, by: 1 })).toBeUndefined()
})

const failed = { outcome: 'failed', received: 'evil.example', expected: 'localhost' } as const

it('what a faulty phone sent is what the first failed step that says both has, or one of its checks, and is else not told', () => {
  const said = { sent: 'evil.example', honest: 'localhost' }
  expect(findSentAndHonest([{ outcome: 'passed', received: 'a', expected: 'b' }, failed])).toEqual(said)
  expect(findSentAndHonest([{ outcome: 'failed', checks: [failed] }])).toEqual(said)
  expect(findSentAndHonest([{ outcome: 'failed', received: 'a' }])).toBeUndefined()
})

const lied = {
  ...call({ id: 'req_2', line: 'GET /fido/rp/assertion/result', msgId: MSG, askedBy: 'page-1' }),
  faults: [{ id: 'f', fault: 'user-of-another' }],
}
const decided = { kind: 'decision', rp_id: 'rp_demo', msg_id: MSG, care: 'careful', made: 'refused' } as const
const groupAfter = (...last: readonly (typeof decided)[]) =>
  timelineOf(
    record([
      [0, move({ msgId: MSG, to: 'init', cause: 'req_1', method: 'qrcode' })],
      [4, call({ id: 'req_1', line: 'POST /fido/rp/assertion/options' })],
      [2000, lied],
      ...last.map((fact) => [2001, fact] as const),
    ]),
  ).groups.at(0)

it('what the RP made of a lie is what was recorded of it; a trace saved before that keeps its purple row, and guesses nothing', () => {
  expect(groupAfter(decided)?.message?.told).toMatchObject({ made: 'refused', faults: ['user-of-another'] })
  expect(groupAfter()?.message?.told).toBeUndefined()
  expect(groupAfter()?.rows.at(-1)?.struck).toEqual(['user-of-another'])
})

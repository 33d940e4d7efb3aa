import { get } from 'node:http'
import { beforeAll, expect, it, test, vi } from 'vitest'
import type { BenchEvent } from '../../../src-main/core/contract/events.ts'
import { foldTimeline } from '../../../src-main/views/timeline/event-views.ts'
import { newTimeline, type Timeline } from '../../../src-main/views/timeline/timeline.ts'
import { withOlder } from '../../../src-main/views/timeline/with-older.ts'
import { ALICE, cast, register } from '../../support/bench.ts'
import { benchOfFile } from '../../support/open-workspaces.ts'

const bench = benchOfFile({ seed: 1 })

/** The numbers of the events that a stream brings, until there are so many. */
const follow = (count: number, after: number, begun: () => void = () => {}): Promise<readonly number[]> =>
  new Promise((resolve, reject) => {
    const url = `${bench.bench.controlUrl}/events/stream?after=${after}`
    const request = get(url, { headers: { Authorization: `Bearer ${bench.bench.token}` } }, (response) => {
      let rest = ''
      const seqs: number[] = []
      response.setEncoding('utf8').on('data', (chunk: string) => {
        const lines = (rest + chunk).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) if (line.startsWith('id: ')) seqs.push(Number(line.slice(4)))
        if (seqs.length > 0) begun()
        if (seqs.length < count) return
        request.destroy()
        resolve(seqs)
      })
      response.on('end', () => reject(new Error('the stream ended')))
    })
    request.on('error', reject)
  })

test('a stream brings a long past and what happens meanwhile, each event once and in order', async () => {
  const nothing = `${bench.bench.baseUrl}/nowhere`
  const ask = async (times: number): Promise<void> => {
    for (let i = 0; i < times; i += 50) await Promise.all(Array.from({ length: 50 }, () => fetch(nothing)))
  }
  await ask(2_000)
  const { last_seq: before } = await bench.client.call('events.list', { query: { limit: 1 } })
  expect(before).toBeGreaterThan(2_000)
  const streams = [0, 1, before - 700].map((after) => follow(before - after + 400, after))
  await ask(400)
  for (const [i, seqs] of (await Promise.all(streams)).entries()) {
    const after = [0, 1, before - 700][i] ?? 0
    expect(seqs).toEqual(seqs.map((_, n) => after + 1 + n))
  }
})

test('an event is made text once, however many streams are open', async () => {
  await fetch(`${bench.bench.baseUrl}/nowhere`)
  const { last_seq: last } = await bench.client.call('events.list', { query: { limit: 1 } })
  // Who was told of the latest event is told of the next ones as they happen.
  const begun = [1, 2, 3].map(() => Promise.withResolvers<void>())
  const streams = begun.map(({ resolve }) => follow(3, last - 1, resolve))
  await Promise.all(begun.map(({ promise }) => promise))
  const texts = vi.spyOn(JSON, 'stringify')
  await fetch(`${bench.bench.baseUrl}/nowhere`)
  await bench.client.call('clock.advance', { body: { ms: 1_000 } })
  await Promise.all(streams)
  const made = texts.mock.calls.map(([value]) => (value as Partial<BenchEvent> | null)?.seq)
  expect(made.filter((seq) => seq !== undefined)).toEqual([last + 1, last + 2])
})

test('a brief list says what happened, without what was sent', async () => {
  const [whole, brief] = await Promise.all(
    [false, true].map((brief) => bench.client.call('events.list', { query: { brief, kind: 'exchange', limit: 1 } })),
  )
  const [{ kind, request, response, ...rest } = { kind: '' }] = (whole?.events ?? []) as Extract<
    BenchEvent,
    { kind: 'exchange' }
  >[]
  expect([kind, response?.body]).toEqual(['exchange', expect.stringContaining('"code":')])
  expect(brief?.events).toEqual([
    { ...rest, kind, request: { ...request, headers: [], body: '' }, response: { ...response, headers: [], body: '' } },
  ])
})

const played = benchOfFile()
let whole: Timeline
beforeAll(async () => {
  const { client } = played
  const actors = await cast(client)
  await register(client, actors)
  // Two that are open while others begin and end.
  for (let n = 0; n < 2; n++) {
    await client.call('simulator.sign-in', {
      params: { rp: actors.rp },
      body: { ...ALICE, method: 'qrcode', poll: false },
    })
  }
  for (let n = 0; n < 6; n++) await register(client, actors)
  await fetch(`${played.bench.baseUrl}/rp/credentials?user_id=u-1`)
  await client.call('clock.advance', { body: { ms: 300_000 } })
  const { events } = await client.call('events.list', { query: { limit: 10_000 } })
  whole = events.reduce(foldTimeline, newTimeline())
})

const ceremoniesIn = ({ groups }: Timeline) =>
  [...groups]
    .filter(({ message }) => message !== undefined)
    .map(({ id, rows, message }) => [id, message?.state, ...[...rows].map((row) => [row.id, row.seqs.length])])

it.each([7, 25, 1000])('pages of %d events hold the ceremonies of all events, each whole and once', async (limit) => {
  let timeline = newTimeline(Number.MAX_SAFE_INTEGER)
  let before: number | undefined
  let pages = 0
  for (let more = true; more; pages++) {
    const page = await played.client.call('events.ceremonies', {
      query: { limit, ...(before === undefined ? {} : { before }) },
    })
    expect(page.from).toBeLessThan(before ?? Number.MAX_SAFE_INTEGER)
    timeline = withOlder(timeline, page.events.reduce(foldTimeline, newTimeline()), page.from)
    before = page.from
    more = page.more
  }
  expect(ceremoniesIn(timeline)).toEqual(ceremoniesIn(whole))
  expect(pages).toBeGreaterThan(limit === 1000 ? 0 : 2)
})

it.each([
  ['state:timeout', 2],
  ['status:4xx user:"alice"', 0],
  ['status:4xx', 1],
  ['user:"alice" register', 7],
  ['state:xyz', 0],
  ['register alice', 7],
  ['注册 成功', 0],
  ['nothing-like-it', 0],
])('a search for “%s” finds %d', async (search, count) => {
  const page = await played.client.call('events.ceremonies', { query: { search, limit: 10_000 } })
  const found = page.events.reduce(foldTimeline, newTimeline())
  expect([...found.groups]).toHaveLength(count)
  expect(page.groups).toBe(whole.groups.length)
  expect(page.more).toBe(false)
})

it('how many each chip would leave is told beside any search, and alone for a limit of 0', async () => {
  const { client } = played
  const found = async (search: string) => {
    const { events } = await client.call('events.ceremonies', { query: { search, limit: 10_000, page: 'page-1' } })
    return events.reduce(foldTimeline, newTimeline()).groups.length
  }
  const { chips, groups, more } = await client.call('events.ceremonies', {
    query: { search: 'no-such', limit: 10_000 },
  })
  const expected = { failed: await found('is:failed'), refused: await found('is:refused'), faulted: 0, mine: 0 }
  expect(expected.refused).toBe(1)
  expect({ chips, groups, more }).toEqual({ chips: expected, groups: whole.groups.length, more: false })
  expect(await client.call('events.ceremonies', { query: { limit: 0 } })).toMatchObject({ chips, groups, events: [] })
})

it('a search speaks the language of who asks, and knows no zone that does not exist', async () => {
  const asked = { search: '注册', language: 'zh', time_zone: 'Asia/Shanghai' } as const
  const { events } = await played.client.call('events.ceremonies', { query: asked })
  expect([...events.reduce(foldTimeline, newTimeline()).groups]).toHaveLength(7)
  const wrong = played.client.call('events.ceremonies', { query: { ...asked, time_zone: 'Mars/Olympus' } })
  await expect(wrong).rejects.toMatchObject({ code: 40002 })
})

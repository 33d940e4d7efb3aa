import { beforeAll, expect, it } from 'vitest'
import { foldTimeline } from '../../src-main/timeline/fold-timeline.ts'
import { newTimeline, type Timeline } from '../../src-main/timeline/timeline.ts'
import { withOlder } from '../../src-main/timeline/with-older.ts'
import { ALICE, cast, register } from '../support/bench.ts'
import { benchOfFile } from '../support/open-workspaces.ts'

const bench = benchOfFile()
let whole: Timeline
beforeAll(async () => {
  const { client } = bench
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
  await fetch(`${bench.bench.baseUrl}/rp/credentials?user_id=u-1`)
  await client.call('clock.advance', { body: { ms: 300_000 } })
  const { events } = await client.call('events.list', { query: { limit: 10_000 } })
  whole = events.reduce(foldTimeline, newTimeline())
})

const ceremoniesIn = ({ groups }: Timeline) =>
  [...groups]
    .filter(({ message }) => message !== undefined)
    .map(({ id, rows, message }) => [id, message?.state, ...[...rows].map((row) => [row.id, row.seqs.length])])

it.each([7, 25, 1000])(
  'pages of %d events hold the ceremonies that all events make, each whole and once',
  async (limit) => {
    let timeline = newTimeline(Number.MAX_SAFE_INTEGER)
    let before: number | undefined
    let pages = 0
    for (let more = true; more; pages++) {
      const page = await bench.client.call('events.ceremonies', {
        query: { limit, ...(before === undefined ? {} : { before }) },
      })
      expect(page.from).toBeLessThan(before ?? Number.MAX_SAFE_INTEGER)
      timeline = withOlder(timeline, page.events.reduce(foldTimeline, newTimeline()), page.from)
      before = page.from
      more = page.more
    }
    expect(ceremoniesIn(timeline)).toEqual(ceremoniesIn(whole))
    expect(pages).toBeGreaterThan(limit === 1000 ? 0 : 2)
  },
)

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
  const page = await bench.client.call('events.ceremonies', { query: { search, limit: 10_000 } })
  const found = page.events.reduce(foldTimeline, newTimeline())
  expect([...found.groups]).toHaveLength(count)
  expect(page.groups).toBe(whole.groups.length)
  expect(page.more).toBe(false)
})

it('how many each chip would leave is told beside any search, and alone for a limit of 0', async () => {
  const { client } = bench
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
  const { events } = await bench.client.call('events.ceremonies', { query: asked })
  expect([...events.reduce(foldTimeline, newTimeline()).groups]).toHaveLength(7)
  const wrong = bench.client.call('events.ceremonies', { query: { ...asked, time_zone: 'Mars/Olympus' } })
  await expect(wrong).rejects.toMatchObject({ code: 40002 })
})

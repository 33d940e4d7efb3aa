import { expect, it, onTestFinished } from 'vitest'
import { type Notice, openNotice, toPushNotice, watchPushes } from '../../src-main/shell/start-shell.ts'
import { ALICE, cast, register, startTestBench, type TestBench } from '../support/bench.ts'

const start = async (): Promise<TestBench & { rp: string; phone: string }> => {
  const bench = await startTestBench()
  onTestFinished(bench.close)
  const { rp, phone } = await cast(bench.client)
  await register(bench.client, { rp, phone })
  return { ...bench, rp, phone }
}

const push = async ({ client, rp }: { client: TestBench['client']; rp: string }): Promise<string> => {
  const { last_seq: after } = await client.call('overview')
  const { msg_id } = await client.call('simulator.sign-in', {
    params: { rp },
    body: { ...ALICE, method: 'push', poll: false },
  })
  await client.call('events.wait', { body: { match: { kind: 'phone', change: 'pushed' }, after } })
  return msg_id
}

/** Notices as they come, and a way to wait for the next one. */
const watching = (client: TestBench['client'], isWatched: () => boolean = () => false) => {
  const stop = new AbortController()
  const notices: Notice[] = []
  const counts: number[] = []
  const watched = watchPushes({
    client,
    signal: stop.signal,
    isWatched,
    badge: (count) => void counts.push(count),
    notify: (notice) => void notices.push(notice),
  })
  onTestFinished(async () => {
    stop.abort()
    await watched
  })
  const next = async (): Promise<Notice | undefined> => {
    await expect.poll(() => notices.length).toBeGreaterThan(0)
    return notices.shift()
  }
  const counted = (wanted: number) => expect.poll(() => counts.at(-1)).toBe(wanted)
  return { next, counted, notices }
}

it('a push at a phone from before is not told again', async () => {
  const bench = await start()
  await push(bench)
  const { next } = watching(bench.client)
  const msgId = await push(bench)
  expect((await next())?.msgId).toBe(msgId)
})

it('a push at a phone is left to the page while its window has the focus', async () => {
  const bench = await start()
  let looks = true
  const { next, notices } = watching(bench.client, () => {
    const looked = looks
    looks = false
    return looked
  })
  await push(bench)
  const second = await push(bench)
  expect((await next())?.msgId).toBe(second)
  expect(notices).toEqual([])
})

it('a push at a phone waits for its person, from before too, until it is opened or its phone answers by itself', async () => {
  const bench = await start()
  const msgId = await push(bench)
  const { counted } = watching(bench.client)
  await counted(1)
  await push(bench)
  await counted(2)
  const params = { id: bench.phone }
  await bench.client.call('phones.open', { params, body: { msg_id: msgId } })
  await counted(1)
  await bench.client.call('phones.delete', { params })
  await counted(0)
})

it('a push at a phone that is gone when the notice is clicked is no failure', async () => {
  const bench = await start()
  const notice = { title: '', body: '', phone: bench.phone, msgId: 'AAAAAAAAAAAAAAAAAAAAAA' }
  await expect(openNotice(bench.client, notice)).resolves.toBeUndefined()
})

it('an event of another change, without a state, or of a phone that answers by itself is no notice', async () => {
  const bench = await start()
  await push(bench)
  const { events } = await bench.client.call('events.list', { query: { kind: 'phone', limit: 10_000 } })
  const event = events.find((each) => each.kind === 'phone' && each.change === 'pushed')
  if (event?.kind !== 'phone' || event.phone === undefined) throw new Error('no state')
  expect(toPushNotice(event)).toBeDefined()
  expect(toPushNotice({ ...event, change: 'asked' })).toBeUndefined()
  expect(toPushNotice({ ...event, phone: { ...event.phone, notifications: [] } })).toBeUndefined()
  expect(toPushNotice({ ...event, phone: { ...event.phone, behaviour: { answer: 'approve' } } })).toBeUndefined()
  const { phone: _, ...bare } = event
  expect(toPushNotice(bare)).toBeUndefined()
})

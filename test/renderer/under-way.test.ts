import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { BenchEvent } from '../../src-main/contract/events.ts'
import { foldTimeline } from '../../src-main/timeline/fold-timeline.ts'
import { newTimeline } from '../../src-main/timeline/timeline.ts'
import { aheadOf, askUnderWay } from '../../src-renderer/console/under-way.ts'
import { ALICE, cast, startTestBench } from '../support/bench.ts'

let data: string
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'handset-under-way-'))
})
afterAll(() => rm(data, { recursive: true }))

it('a message that began before the last start is still ahead, until an event tells how it ended', async () => {
  const first = await startTestBench({ data })
  const { rp } = await cast(first.client)
  const { msg_id } = await first.client.call('simulator.register', {
    params: { rp },
    body: { ...ALICE, poll: false },
  })
  await first.close()

  const again = await startTestBench({ data })
  const timeline = async () => {
    const { events } = await again.client.call('events.list')
    return (events as readonly BenchEvent[]).reduce(foldTimeline, newTimeline())
  }
  const { messages } = await askUnderWay(again.client)
  const { next_expiry } = await again.client.call('clock.get')
  expect(aheadOf(await timeline(), messages)).toMatchObject([
    { msgId: msg_id, username: 'alice', ceremony: 'registration', expiresAt: next_expiry },
  ])
  await again.client.call('clock.advance', { body: { to: 'next-expiry' } })
  expect(aheadOf(await timeline(), messages)).toEqual([])
  await again.close()
})

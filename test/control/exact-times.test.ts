import { describe, expect, onTestFinished, test } from 'vitest'
import { CLOCK_SPEED } from '../../src-main/protocol/kept-clock.ts'
import { CLOCK_END, DAY_MS } from '../../src-main/protocol/time.ts'
import type { Body } from '../../src-main/sdk/client.ts'
import { cast, codeOf, register, startTestBench, type TestBench } from '../support/bench.ts'
import { benchOfFile } from '../support/open-workspaces.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const startIn = async (data: string): Promise<TestBench> => {
  const bench = await startTestBench({ data })
  onTestFinished(bench.close)
  return bench
}

/** Whatever a workspace does with its time: rows, phones, snapshots, exports, and another process that goes on. */
const everythingWorks = async (first: TestBench, folder: string): Promise<void> => {
  const { client } = first
  const snapshot = await client.call('snapshots.create', { body: { name: 'here' } })
  await client.call('snapshots.restore', { params: { id: snapshot.id } })
  const exported = await client.call('workspace.export')
  await client.call('workspace.import', { body: exported })
  const before = await client.call('clock.get')
  await first.close()
  const second = await startIn(folder)
  const after = await second.client.call('clock.get')
  expect(after).toMatchObject({ frozen: before.frozen, speed: before.speed })
  expect(after.now).toBeGreaterThanOrEqual(before.now)
  if (before.frozen) expect(after.now).toBe(before.now)
  expect((await second.client.call('credentials.list')).credentials).toHaveLength(1)
}

const START = Date.UTC(2030, 0, 1)

const inMemory = benchOfFile()

describe('[clock.exact] a clock', () => {
  test.each<[string, Body<'clock.put'>]>([
    ['a fraction of a millisecond', { now: START + 0.5 }],
    ['the smallest fraction', { now: 5e-324 }],
    ['a time before 1970', { now: -1 }],
    ['a time after 9999', { now: CLOCK_END + 1 }],
    ['a number without end', { now: 1e300 }],
    ['a speed of nothing', { speed: 0 }],
    ['a speed that goes back', { speed: -1 }],
    ['a speed without end', { speed: 1e300 }],
    ['the smallest speed', { speed: 5e-324 }],
  ])('is not set to %s', async (_what, body) => {
    expect(await codeOf(inMemory.client.call('clock.put', { body }))).toBe(40002)
  })

  test.each([0.5, 1e-9, -1, 1e300, Number.MAX_SAFE_INTEGER])('is not advanced by %s ms', async (ms) => {
    expect(await codeOf(inMemory.client.call('clock.advance', { body: { ms } }))).toBe(40002)
  })

  test.each<[string, Body<'clock.put'>, readonly number[]]>([
    ['frozen in 1970', { now: 0, frozen: true }, []],
    ['frozen at the end of 9999', { now: CLOCK_END, frozen: true }, []],
    ['as fast as can be', { now: START, speed: CLOCK_SPEED.maximum }, [1]],
    ['as slow as can be', { now: START, speed: CLOCK_SPEED.minimum }, [1, 7]],
    ['at a speed that is no round number', { now: START, speed: 1 / 3 }, [1, DAY_MS]],
    ['at the next but longest speed', { now: START, speed: 99_999.999_999 }, []],
    ['advanced to its end', { now: START, frozen: true }, Array(82).fill(100 * 366 * DAY_MS)],
  ])('%s can be worked with, exported and restarted', async (_what, body, advances) => {
    const folder = temporaryFolder()
    const bench = await startIn(folder)
    const { client } = bench
    // A request that lasts an hour is over in 36 ms of the fastest clock.
    const isSlow = (body.speed ?? 1) < 10
    if (!isSlow) await register(client, await cast(client))
    await client.call('clock.put', { body })
    for (const ms of advances) await client.call('clock.advance', { body: { ms } })
    if (isSlow) await register(client, await cast(client))
    await everythingWorks(bench, folder)
  })
})

import { expect, test } from 'vitest'
import { limitOf, watchClient } from '../../src-main/load/client-watch.ts'

const FINE = { busy: 0.2, machineBusy: 0.5, p99Ms: 2, medianMs: 4 }

test.each([
  ['none', FINE],
  ['busy', { ...FINE, busy: 0.95 }],
  ['late', { ...FINE, p99Ms: 40 }],
  ['none', { ...FINE, p99Ms: 40, medianMs: 900 }],
  ['machine', { ...FINE, machineBusy: 0.97 }],
  ['none', { ...FINE, machineBusy: undefined }],
  ['late', { ...FINE, p99Ms: 40, medianMs: Number.NaN }],
  ['none', { ...FINE, p99Ms: Number.NaN }],
] as const)('the limit is %s where it saw %o', (limit, seen) => {
  expect(limitOf(seen)).toBe(limit)
})

test('a client that is busy all the time says that it is the limit', async () => {
  const watch = watchClient()
  // A first turn of the event loop, so that it has begun to count.
  await new Promise((resolve) => setImmediate(resolve))
  for (const end = performance.now() + 30; performance.now() < end; );
  expect(watch.read({ p99Ms: 1, medianMs: 5 })).toMatchObject({ limit: 'busy' })
})

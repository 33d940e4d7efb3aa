import { expect, test } from 'vitest'
import { createLoopDelay, WINDOW_MS } from '../../src-main/metrics/loop-delay.ts'
import { createMetrics } from '../../src-main/metrics/metrics.ts'
import { parseMetrics } from './parse-metrics.ts'

/** Its samples are what Node records: times from one to the next, in ms. */
const fakeLoop = () => {
  const histograms: number[][] = []
  let change = (): void => undefined
  const delay = createLoopDelay({
    watch: () => {
      const samples: number[] = []
      histograms.push(samples)
      return {
        get count() {
          return samples.length
        },
        percentile: () => Math.max(...samples) * 1e6,
        reset: () => void samples.splice(0),
      }
    },
    every: (ms, run) => {
      expect(ms).toBe(WINDOW_MS)
      change = run
    },
  })
  return { delay, sample: (ms: number) => histograms.forEach((each) => void each.push(ms)), change: () => change() }
}

test('[serve.metrics] an idle event loop is not late: what lies between two samples is no delay', () => {
  const { delay, sample } = fakeLoop()
  expect(delay.p99()).toBe(0)
  sample(19.9)
  expect(delay.p99()).toBe(0)
  sample(20.2)
  expect(delay.p99()).toBeCloseTo(0.0002)
  sample(120)
  expect(delay.p99()).toBeCloseTo(0.1)
})

test('[serve.metrics] a delay is seen by each reader, for at least one window and at most two', () => {
  const { delay, sample, change } = fakeLoop()
  sample(120)
  expect([delay.p99(), delay.p99()].map((s) => s.toFixed(3))).toEqual(['0.100', '0.100'])
  change()
  expect(delay.p99()).toBeCloseTo(0.1)
  sample(70)
  change()
  expect(delay.p99()).toBeCloseTo(0.05)
  sample(20)
  change()
  expect(delay.p99()).toBe(0)
})

test('[serve.metrics] two that read the metrics see the same delay of the event loop', async () => {
  const metrics = createMetrics('1')
  const read = () =>
    parseMetrics(metrics.text({ pool: undefined, workspaces: 1 })).valueAt('nodejs_eventloop_delay_p99_seconds', {})
  // From here on the event loop is watched.
  read()
  // Two samples, and a loop that does not turn for 300 ms between them.
  await expect
    .poll(() => {
      const end = performance.now() + 300
      while (performance.now() < end);
      return read()
    })
    .toBeGreaterThan(0.2)
  expect(read()).toBeGreaterThan(0.2)
})

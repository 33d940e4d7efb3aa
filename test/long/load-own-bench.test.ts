import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { LoadReport } from '../../src-main/core/contract/load-report.ts'
import { leftOver } from '../support/left-over.ts'

test('without an address it loads a bench of its own, tells its processor time, and ends it', async () => {
  const mark = `load-own-bench-${process.pid}`
  const args = ['--users', '42', '--rate', '80', '--duration', '500ms', '--arrivals', 'fixed', '--json']
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, '../../src-main/bin.mjs'), 'load', ...args],
    { encoding: 'utf8', env: { ...process.env, LEFT_OVER: mark }, timeout: 110_000 },
  )
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const { target, counts, server }: LoadReport = JSON.parse(stdout)
  expect(target.own).toBe(true)
  expect(counts).toMatchObject({ arrived: 40, done: 40, failed: 0, dropped: 0 })
  if (process.platform !== 'linux') return
  expect(server?.processor_ms).toBeGreaterThan(0)
  await expect.poll(() => leftOver(mark)).toEqual([])
}, 120_000)

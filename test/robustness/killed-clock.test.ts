import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createControlClient } from '../../src-main/sdk/client.ts'
import { type Served, serve } from './served.ts'

let data: string
let served: Served
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'handset-killed-clock-'))
})
afterEach(async () => {
  await served.kill()
  rmSync(data, { recursive: true, force: true })
})

const start = async () => {
  served = await serve({ args: ['--data', data] })
  return createControlClient({ controlUrl: `http://localhost:${served.port}/control/v1`, token: served.token })
}

test('[clock.kept] what was acknowledged of a clock survives SIGKILL in the next moment', async () => {
  const first = await start()
  const frozen = await first.call('clock.put', { body: { frozen: true } })
  await served.kill()
  const second = await start()
  expect(await second.call('clock.get')).toEqual(frozen)
  await second.call('clock.put', { body: { now: Date.UTC(2030, 0, 1), frozen: false, speed: 1000 } })
  await served.kill()
  const third = await start()
  const running = await third.call('clock.get')
  expect(running).toMatchObject({ frozen: false, speed: 1000 })
  expect(running.now).toBeGreaterThan(Date.UTC(2030, 0, 1))
})

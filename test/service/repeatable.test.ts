import { expect, test } from 'vitest'
import { repeatable } from '../../src-main/contract/events.ts'
import { msgIdOf, rpClient } from '../support/service/rp-client.ts'
import { softPhone } from '../support/service/soft-phone.ts'
import { startService } from '../support/service/start-service.ts'
import { taken } from '../support/taken.ts'

/** One after the other, on a clock that stands: what happens is the same in every run of one seed. */
const run = async (seed: number): Promise<readonly string[]> => {
  const wall = { now: Date.UTC(2026, 4, 1, 12) }
  const running = await startService({ seed, wall })
  const made = await running.makeRp()
  const rp = rpClient(running, made)
  taken(await running.admin.profile.patch('main', { skew_clock: 'bench', unknown_user: 'accept' }))
  const phone = await softPhone(running)
  for (const user of ['u1', 'u2']) {
    const id = msgIdOf(await rp.register(user))
    await phone.bind(id)
    await phone.attest(id, { response: { id: 'AAAA' } })
    await rp.registrationResult(id)
  }
  const id = msgIdOf(await rp.authenticate('u1', 'push'))
  await phone.bind(id)
  await phone.reject(id)
  await rp.authenticationResult(id)
  await rp.authenticate('u1')
  await running.clock.advance(180_000)
  taken(await running.admin.conditions.patch('main', { rp: { fail_percent: 50 } }))
  wall.now += 180_000
  for (let i = 0; i < 10; i++) await rp.list('u1')
  const { events } = running.recorder.read('main', { limit: 10_000 })
  // The port is the machine's, and with it the Host that is signed.
  const lines = events.map((event) =>
    JSON.stringify(repeatable(event))
      .replaceAll(String(running.port), 'PORT')
      .replace(/,[0-9a-f]{64}"/g, ',SIGNATURE"'),
  )
  await running.stop()
  return lines
}

test('two runs of one seed leave the same events, field by field, but for real time', async () => {
  const [first, second] = [await run(5), await run(5)]
  expect(first.findIndex((_line, i) => second[i] !== first[i])).toBe(-1)
  expect([first.length, second.length]).toEqual([45, 45])
})

test('another seed leaves others', async () => {
  expect((await run(6)).join()).not.toBe((await run(5)).join())
})

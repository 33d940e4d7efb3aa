import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { repeatable } from '../../../src-main/core/contract/events.ts'
import { type RealBench, startRealBench } from '../../support/phone-real-bench.ts'

let bench: RealBench
beforeEach(async () => {
  bench = await startRealBench()
})
afterEach(() => bench.close())

const approving = { behaviour: { answer: 'approve' } } as const

const story = async (seed: number): Promise<readonly unknown[]> => {
  const told = await startRealBench({ seed })
  const first = await told.make({ storage: 'chip', ...approving })
  const second = await told.phones.create('main', { name: 'Phone B', behaviour: { answer: 'approve' } })
  await told.phones.scan(told.ref(first), { url: (await told.ask('registration')).url })
  await told.phones.scan(told.ref(first), { url: (await told.ask('qrcode')).url })
  if (second.ok) await told.phones.scan(told.ref(second.value), { url: (await told.ask('registration', 'bob')).url })
  const { msgId } = await told.ask('push', 'bob')
  if (second.ok) await told.answered(second.value, msgId)
  await told.running.clock.advance(200_000)
  const { events } = told.running.recorder.read('main', { limit: 100_000 })
  await told.close()
  // The port is whatever was free, and it is part of what the RP signs. Its digits alone may be part of something else.
  const masked = (text: string): string =>
    text.replaceAll(/(?<=localhost:|127\.0\.0\.1:)\d+/g, 'PORT').replaceAll(/,host;x-svc-date,[0-9a-f]{64}/g, '')
  return events.map((event) => JSON.parse(masked(JSON.stringify(repeatable(event)))))
}

describe('a story', () => {
  it('repeats event for event under one seed', async () => {
    const [one, two] = [await story(7), await story(7)]
    expect(one.length).toBeGreaterThan(40)
    expect(two).toEqual(one)
  })

  it('has other values under another seed', async () => {
    expect(JSON.stringify(await story(8))).not.toBe(JSON.stringify(await story(7)))
  })
})

it.each(['ES256K', 'Ed448'])(
  '[judge.second] a registration and a sign-in with %s get an independent verdict',
  async (algorithm) => {
    const phone = await bench.make({ algorithm, ...approving })
    for (const kind of ['registration', 'qrcode', 'qrcode'] as const) {
      const { msgId, url } = await bench.ask(kind)
      await bench.phones.scan(bench.ref(phone), { url })
      await bench.answered(phone, msgId)
      expect(await bench.message(msgId)).toMatchObject({ state: 'success' })
      const opinion = await bench.running.admin.secondOpinions.of('main', msgId)
      expect(opinion).toEqual({ heard: true, by: '@peculiar/webcrypto', accepts: true })
    }
  },
)

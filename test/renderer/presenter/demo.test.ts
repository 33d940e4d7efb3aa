import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ControlClient } from '../../../src-main/sdk/client.ts'
import { DEMO, openDemo, register, resetDemo, rewindDemo } from '../../../src-renderer/presenter/demo.ts'
import { STEPS, standingOf } from '../../../src-renderer/presenter/story.ts'
import { startTestBench, type TestBench } from '../../support/bench.ts'

let bench: TestBench
let page: ControlClient
let demo: ControlClient

beforeAll(async () => {
  bench = await startTestBench()
  page = bench.client
  demo = page.workspace(DEMO)
})

afterAll(() => bench.close())

beforeEach(async () => {
  const { workspaces } = await page.call('workspaces.list')
  if (workspaces.some(({ id }) => id === DEMO)) await page.call('workspaces.close', { params: { id: DEMO } })
})

const standing = async (): Promise<string> => {
  const [message] = (await demo.call('messages.list')).messages
  const { step, trouble } = standingOf(
    message === undefined ? undefined : { ceremony: message.kind, state: message.state },
  )
  return trouble ?? STEPS[step] ?? ''
}

const phone = async () => {
  const { phones } = await demo.call('phones.list')
  const [only] = phones
  if (only === undefined || phones.length > 1) throw new Error(`${phones.length} phones`)
  return only
}

describe('the demo', () => {
  it('opens with the bank and one phone', async () => {
    await openDemo(page)
    const { rps } = await demo.call('rps.list')
    expect(rps.map(({ name }) => name)).toEqual(['Meridian Bank'])
    expect(await phone()).toMatchObject({ name: 'Alice', signed_in: true, storage: 'chip' })
    expect(await standing()).toBe('meet')
  })

  it('leaves the bench alone', async () => {
    const before = await page.call('overview')
    await openDemo(page)
    await rewindDemo(page, 3)
    await resetDemo(page, { settings: false })
    expect((await page.call('overview')).last_seq).toBe(before.last_seq)
  })

  it('is reached from another workspace, too', async () => {
    const { id } = await page.call('workspaces.create', { body: {} })
    await openDemo(page.workspace(id))
    expect(await standing()).toBe('meet')
    await page.call('workspaces.close', { params: { id } })
  })

  it('goes on where it was left', async () => {
    await openDemo(page)
    await rewindDemo(page, 3)
    const before = await phone()
    await openDemo(page)
    expect(await standing()).toBe('key')
    expect((await phone()).id).toBe(before.id)
  })

  it('goes on in the middle of a request that is still asked for', async () => {
    await rewindDemoFromNothing(2)
    await openDemo(page)
    expect(await standing()).toBe('scan')
  })

  it.each(['approve', 'reject'] as const)('starts anew when its last request ended, by %s', async (answer) => {
    await rewindDemoFromNothing(5)
    await demo.call(`phones.${answer}`, { params: { id: (await phone()).id }, body: {} })
    expect(await standing()).toBe(answer === 'approve' ? 'signed' : 'fail')
    await openDemo(page)
    expect(await standing()).toBe('meet')
  })

  it('starts anew when somebody changed what stands there', async () => {
    await openDemo(page)
    await demo.call('phones.offline', { params: { id: (await phone()).id } })
    await openDemo(page)
    expect(await phone()).toMatchObject({ network: 'online' })
    await demo.call('clock.put', { body: { speed: 10 } })
    await openDemo(page)
    expect(await demo.call('clock.get')).toMatchObject({ speed: 1 })
    await demo.call('profile.patch', { body: { final_result: 'repeatable' } })
    await openDemo(page)
    expect((await demo.call('profile.get')).changed).toEqual(['message_ttl_s'])
  })

  it('keeps a code for as long as the presentation takes', async () => {
    await openDemo(page)
    const [rp] = (await demo.call('rps.list')).rps
    await register({ demo, rp: rp?.id ?? '' })
    await demo.call('clock.advance', { body: { ms: 59 * 60_000 } })
    expect(await standing()).toBe('code')
  })

  it('goes to every step, and back to each', async () => {
    await openDemo(page)
    for (const step of [1, 2, 3, 4, 5, 6, 4, 0]) {
      await rewindDemo(page, step)
      expect(await standing()).toBe(STEPS[step])
    }
  })

  it('keeps its RP through a reset, so that the page need not look it up again', async () => {
    await openDemo(page)
    const [before] = (await demo.call('rps.list')).rps
    const { rp } = await resetDemo(page, { settings: false })
    expect(rp).toBe(before?.id)
  })
})

const rewindDemoFromNothing = async (step: number): Promise<void> => {
  await openDemo(page)
  await rewindDemo(page, step)
}

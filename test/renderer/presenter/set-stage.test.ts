import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ControlClient } from '../../../src-main/sdk/client.ts'
import { foldTimeline } from '../../../src-main/timeline/fold-timeline.ts'
import { newTimeline } from '../../../src-main/timeline/timeline.ts'
import { type Chapter, SCRIPTS } from '../../../src-renderer/presenter/chapters.ts'
import { factsOf } from '../../../src-renderer/presenter/facts.ts'
import { countSecrets, figuresOf, secretsIn } from '../../../src-renderer/presenter/figures.ts'
import type { Run } from '../../../src-renderer/presenter/run.ts'
import { DEMO, openStage, rewindStage, setStage, stillStands } from '../../../src-renderer/presenter/set-stage.ts'
import { standingOf } from '../../../src-renderer/presenter/standing.ts'
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

beforeEach(() => openStage(page, { anew: true }))

const timeline = async () => (await demo.call('events.list')).events.reduce(foldTimeline, newTimeline())

const beat = async (chapter: Chapter, run: Run): Promise<string> => {
  const { step, trouble } = standingOf(SCRIPTS[chapter], factsOf(await timeline(), run))
  return trouble ?? SCRIPTS[chapter].beats[step]?.name ?? ''
}

describe('the stage', () => {
  it('is set after the chapter that is set already, and has what was wanted last', async () => {
    await rewindStage(page, 'key', 0)
    const [, last] = await Promise.all([rewindStage(page, 'touch', 0), rewindStage(page, 'thief', 1)])
    expect(await beat('thief', last)).toBe('relay')
    expect(await stillStands(page, last)).toBe(true)
  })

  it.each(['key', 'touch', 'thief', 'lost'] as const)('of %s goes to every step, and back to each', async (chapter) => {
    const { beats } = SCRIPTS[chapter]
    for (const step of [...beats.keys(), 1, 0]) {
      const run = await rewindStage(page, chapter, step)
      expect(await beat(chapter, run)).toBe(beats[step]?.name)
    }
  })

  it('shows a refusal of the service, not a drawing of one', async () => {
    await rewindStage(page, 'thief', 3)
    const [message] = (await demo.call('messages.list')).messages
    expect(message).toMatchObject({ state: 'fail', verdict: { accepted: false, failure: { word: 'origin_mismatch' } } })
    const failed = message?.verdict?.steps.filter(({ outcome }) => outcome === 'failed')
    expect(failed).toHaveLength(1)
  })

  it('leaves the bench alone, and goes when nobody presents any more', async () => {
    const before = await page.call('overview')
    await rewindStage(page, 'lost', 6)
    expect((await page.call('overview')).last_seq).toBe(before.last_seq)
    const { workspaces } = await page.call('workspaces.list')
    expect(workspaces.find(({ id }) => id === DEMO)).toMatchObject({ lease_ms: 300_000 })
  })

  it('is set from whatever somebody made of it', async () => {
    const run = await setStage(page, 'touch')
    expect(await stillStands(page, run)).toBe(true)
    await demo.call('phones.delete', { params: { id: run.phone } })
    expect(await stillStands(page, run)).toBe(false)
    await demo.call('clock.put', { body: { speed: 10 } })
    await demo.call('profile.patch', { body: { final_result: 'repeatable' } })
    await setStage(page, 'touch')
    expect(await demo.call('clock.get')).toMatchObject({ speed: 1 })
    expect((await demo.call('profile.get')).changed).toEqual(['message_ttl_s'])
  })

  it('keeps a code for as long as a presentation takes', async () => {
    const run = await rewindStage(page, 'key', 1)
    await demo.call('clock.advance', { body: { ms: 59 * 60_000 } })
    expect(await beat('key', run)).toBe('code')
  })
})

describe('the numbers at the end', () => {
  it('count what the audience saw, and not what the stage was set with', async () => {
    for (const [chapter, step] of [
      ['key', 3],
      ['touch', 6],
      ['thief', 3],
      ['lost', 6],
    ] as const) {
      await rewindStage(page, chapter, step)
    }
    const figures = figuresOf(await timeline(), await countSecrets(demo))
    expect(figures).toMatchObject({ passkeys: 2, codes: 5, signIns: 2, secrets: 0, tries: 2, stolen: 0 })
    expect(figures.speed).toBeGreaterThan(0)
  })

  it('would count a password, wherever one is sent', () => {
    const sent = (body: string) =>
      secretsIn({ kind: 'exchange', request: { body } } as unknown as Parameters<typeof secretsIn>[0])
    expect(sent('{"user":{"Password":"hunter2"},"private_key":"…"}')).toBe(2)
    expect(sent('{"response":{"signature":"…"},"passkey":"…"}')).toBe(0)
  })
})

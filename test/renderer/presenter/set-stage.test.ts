import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { ControlClient } from '../../../src-main/sdk/client.ts'
import { type Chapter, SCRIPTS } from '../../../src-renderer/presenter/chapters.ts'
import { countSecrets, readFigures } from '../../../src-renderer/presenter/end-card.tsx'
import type { Run } from '../../../src-renderer/presenter/run.ts'
import * as stages from '../../../src-renderer/presenter/stage-workspace.ts'
import { storyFacts, storyPosition } from '../../../src-renderer/presenter/story-step.ts'
import { CHAPTERS } from '../../../src-renderer/ui/address.ts'
import { benchOfFile } from '../../support/open-workspaces.ts'
import { timelineOf } from '../fixture.ts'

const bench = benchOfFile()
let page: ControlClient
let demo: ControlClient

beforeAll(async () => {
  page = bench.client
})

let stage: string | undefined

beforeEach(async () => {
  stage = await stages.openStage(page, { known: stage, anew: true })
  demo = page.workspace(stage)
})

const timeline = async () => timelineOf((await demo.call('events.list')).events)

const beat = async (chapter: Chapter, run: Run): Promise<string> => {
  const { step, trouble } = storyPosition(SCRIPTS[chapter], storyFacts(await timeline(), run))
  return trouble ?? SCRIPTS[chapter].beats[step]?.name ?? ''
}

it('the stage is set after the chapter that is set already, and has what was wanted last', async () => {
  await stages.rewindStage(demo, 'key', 0)
  const [, last] = await Promise.all([stages.rewindStage(demo, 'touch', 0), stages.rewindStage(demo, 'thief', 1)])
  expect(await beat('thief', last)).toBe('relay')
  expect(await stages.stageExists(demo, last)).toBe(true)
})

it.each(['key', 'touch', 'thief', 'lost'] as const)('the stage of %s goes to each step and back', async (chapter) => {
  const { beats } = SCRIPTS[chapter]
  for (const step of [...beats.keys(), 1, 0]) {
    const run = await stages.rewindStage(demo, chapter, step)
    expect(await beat(chapter, run)).toBe(beats[step]?.name)
  }
})

it('the stage shows a refusal of the service, not a drawing of one', async () => {
  await stages.rewindStage(demo, 'thief', 3)
  const [message] = (await demo.call('messages.list')).messages
  expect(message).toMatchObject({ state: 'fail', verdict: { accepted: false, failure: { word: 'origin_mismatch' } } })
  const failed = message?.verdict?.steps.filter(({ outcome }) => outcome === 'failed')
  expect(failed).toHaveLength(1)
})

it('the stage leaves the bench alone, and goes when nobody presents any more', async () => {
  const before = await page.call('overview')
  await stages.rewindStage(demo, 'lost', 6)
  expect((await page.call('overview')).last_seq).toBe(before.last_seq)
  const { workspaces } = await page.call('workspaces.list')
  expect(workspaces.find(({ id }) => id === stage)).toMatchObject({ lease_ms: 300_000 })
})

it('the stage is set from whatever somebody made of it', async () => {
  const run = await stages.prepareStage(demo, 'touch')
  expect(await stages.stageExists(demo, run)).toBe(true)
  await demo.call('phones.delete', { params: { id: run.phone } })
  expect(await stages.stageExists(demo, run)).toBe(false)
  await demo.call('clock.put', { body: { speed: 10 } })
  await demo.call('profile.patch', { body: { final_result: 'repeatable' } })
  await stages.prepareStage(demo, 'touch')
  expect(await demo.call('clock.get')).toMatchObject({ speed: 1 })
  expect((await demo.call('profile.get')).changed).toEqual(['message_ttl_s'])
})

it('the stage keeps a code for as long as a presentation takes', async () => {
  const run = await stages.rewindStage(demo, 'key', 1)
  await demo.call('clock.advance', { body: { ms: 59 * 60_000 } })
  expect(await beat('key', run)).toBe('code')
})

it('the workspace of a presentation is its own, whoever has one of that name and however many present', async () => {
  for (const id of ['presenter', stages.LABEL]) {
    await page.call('workspaces.create', { body: { id, rp: 'none', labels: [id] } })
  }
  const mine = page.workspace('presenter')
  await mine.call('rps.create', { body: { name: 'Mine', rp_id: 'mine.example' } })
  const other = await stages.openStage(page, { known: undefined, anew: false })
  // A tab may know a name from another service, where it was that of its presentation.
  const third = await stages.openStage(page, { known: 'presenter', anew: true })
  expect(new Set([stage, other, third, 'presenter', stages.LABEL]).size).toBe(5)

  const run = await stages.rewindStage(page.workspace(other), 'key', 1)
  await stages.rewindStage(page.workspace(third), 'lost', 1)
  await stages.openStage(page, { known: third, anew: true })
  expect(await stages.stageExists(page.workspace(other), run)).toBe(true)
  expect((await mine.call('rps.list')).rps).toHaveLength(1)
  expect(await stages.openStage(page, { known: other, anew: false })).toBe(other)
})

it('the numbers at the end count what the audience saw, each chapter once, however often it was told', async () => {
  const runs: { [C in Chapter]?: Run[] } = {}
  const tell = async (chapter: Chapter, step: number) => {
    runs[chapter] = [...(runs[chapter] ?? []), await stages.rewindStage(demo, chapter, step)]
  }
  const none = { passkeys: 0, codes: 0, signIns: 0, secrets: 0, tries: 0, stolen: 0 }
  expect(await readFigures(demo, runs)).toMatchObject(none)
  for (const chapter of CHAPTERS) await tell(chapter, SCRIPTS[chapter].beats.length - 1)
  const all = { passkeys: 2, codes: 5, signIns: 2, secrets: 0, tries: 2, stolen: 0 }
  expect(await readFigures(demo, runs)).toEqual(all)

  await tell('key', 0)
  expect(await readFigures(demo, runs), 'repeated, and not told again').toMatchObject(all)
  await tell('key', 3)
  await tell('touch', 3)
  expect(await readFigures(demo, runs), 'told again, and gone back in').toMatchObject(all)

  stage = await stages.openStage(page, { known: stage, anew: true })
  expect(await readFigures(page.workspace(stage), {}), 'started over').toMatchObject(none)
})

it('the numbers at the end would count a password, wherever one is sent', () => {
  const sent = (body: string) =>
    countSecrets({ kind: 'exchange', request: { body } } as unknown as Parameters<typeof countSecrets>[0])
  expect(sent('{"user":{"Password":"hunter2"},"private_key":"…"}')).toBe(2)
  expect(sent('{"response":{"signature":"…"},"passkey":"…"}')).toBe(0)
})

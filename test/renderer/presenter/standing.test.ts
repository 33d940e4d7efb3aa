import { expect, it } from 'vitest'
import type { Message } from '../../../src-main/views/timeline/timeline.ts'
import { type Chapter, SCRIPTS } from '../../../src-renderer/presenter/chapters.ts'
import type { Deed } from '../../../src-renderer/presenter/deeds.ts'
import { resumePlace, withPlace } from '../../../src-renderer/presenter/run.ts'
import { nextText, noteOf, sentenceOf } from '../../../src-renderer/presenter/sentences.ts'
import * as steps from '../../../src-renderer/presenter/story-step.ts'
import { CHAPTERS } from '../../../src-renderer/ui/address.ts'
import { texts } from '../../../src-renderer/ui/texts.ts'

type Told = Pick<Message, 'ceremony' | 'state' | 'error' | 'askedBy' | 'msgId'>

const request = (state: Message['state'], more: Partial<Told> = {}): Told => ({
  msgId: 'm1',
  ceremony: 'authentication',
  askedBy: 'presenter',
  state,
  ...more,
})

const beatAt = (chapter: Chapter, messages: readonly Told[], revoked = false): string => {
  const { step, trouble } = steps.storyPosition(SCRIPTS[chapter], { messages, revoked })
  return [SCRIPTS[chapter].beats[step]?.name, ...(trouble === undefined ? [] : [trouble])].join(', ')
}

const registration = { ceremony: 'registration' } as const
const thief = { askedBy: 'thief' } as const

it('a chapter stands where its newest request stands', () => {
  expect(beatAt('key', [])).toBe('meet')
  const states = (['init', 'bind', 'success'] as const).map((state) => beatAt('key', [request(state, registration)]))
  expect(states).toEqual(['code', 'scan', 'key'])
  expect(beatAt('touch', [request('success')])).toBe('in')
  expect(beatAt('touch', [request('success'), request('bind')])).toBe('open')
})

it('a chapter falls back to where a request began when it comes to nothing, and goes on with the next one', () => {
  const rejected = request('fail', { ...registration, error: 'user_rejected: No.' })
  expect(beatAt('key', [rejected])).toBe('meet, fail')
  expect(beatAt('touch', [request('success'), request('timeout')])).toBe('in, timeout')
  expect(beatAt('key', [rejected, request('bind', registration)])).toBe('scan')
})

it('a chapter of the thief ends with the refused address, and with nothing else', () => {
  expect(beatAt('thief', [request('fail', { ...thief, error: 'origin_mismatch: …' })])).toBe('broken')
  expect(beatAt('thief', [request('fail', { ...thief, error: 'user_rejected: No.' })])).toBe('lure, fail')
  expect(beatAt('thief', [request('success', thief)])).toBe('lure, accepted')
})

it('a chapter of the lost phone waits for the deletion, then for the new key, then for the finder', () => {
  const made = request('success', registration)
  const turned = request('fail', { askedBy: 'finder', error: 'no_matching_credential' })
  expect(beatAt('lost', [])).toBe('gone')
  expect(beatAt('lost', [], true)).toBe('revoked')
  expect(beatAt('lost', [made], true)).toBe('key')
  expect(beatAt('lost', [made, turned], true)).toBe('turned')
  expect(beatAt('lost', [made, turned])).toBe('gone')
})

it('a chapter passes over what somebody else asks the same bank', () => {
  expect(beatAt('touch', [request('success', { askedBy: 'control' })])).toBe('back')
  expect(beatAt('thief', [request('init')])).toBe('lure')
})

it('a chapter says at most nine words at once, and has a note for each step', () => {
  for (const chapter of CHAPTERS) {
    const names = SCRIPTS[chapter].beats.map(({ name }) => name)
    expect(Object.keys(texts.presenter.says[chapter])).toEqual(names)
    for (const name of names) {
      expect(sentenceOf(chapter, name).split(' ').length, sentenceOf(chapter, name)).toBeLessThanOrEqual(9)
      expect(noteOf(chapter, name)).not.toBe('')
    }
  }
  for (const said of Object.values(texts.presenter.trouble)) expect(said.split(' ').length).toBeLessThanOrEqual(9)
})

it('a chapter takes less than two minutes by autopilot', () => {
  for (const chapter of CHAPTERS) {
    const ms = SCRIPTS[chapter].beats.reduce((sum, { name }) => sum + steps.readingTime(sentenceOf(chapter, name)), 0)
    expect(ms).toBeLessThan(110_000)
  }
})

it('a chapter is followed by the next one', () => {
  expect(nextText('key', 0)).toBe(sentenceOf('key', 'code'))
  expect(nextText('key', 3)).toContain(texts.presenter.chapters.touch)
  expect(nextText('end', 0)).toBe('')
})

it('a chapter tells a step as soon as it is begun, and never two ahead', () => {
  expect(steps.shownStep(2, undefined)).toBe(2)
  expect(steps.shownStep(2, 3)).toBe(3)
  expect(steps.shownStep(2, 6)).toBe(3)
})

it('a press on Next leads one step on, and one more while a step is played', () => {
  expect(steps.nextStep(1, undefined, 3)).toBe(2)
  expect(steps.nextStep(1, 2, 6)).toBe(3)
  expect(steps.nextStep(1, 3, 6), 'its sentence has not been seen').toBeUndefined()
})

it('a press on Next leaves a chapter from its last sentence, and not before its last step has happened', () => {
  expect(steps.nextStep(3, undefined, 3)).toBe('leave')
  expect(steps.nextStep(2, 3, 3)).toBeUndefined()
})

const at = (chapter: Chapter, step: number) => resumePlace(withPlace({ stage: 'ws', runs: {} }, { chapter, step }))

it('a presentation goes on where it was left in its middle', () => {
  expect(at('key', 1)).toEqual({ chapter: 'key', step: 1 })
  expect(at('touch', 0)).toEqual({ chapter: 'touch', step: 0 })
  expect(at('lost', 5)).toEqual({ chapter: 'lost', step: 5 })
})

it('a presentation starts anew when it had not begun, or has ended, whatever was looked at after that', () => {
  expect(resumePlace({})).toBeUndefined()
  expect(at('key', 0)).toBeUndefined()
  expect(at('lost', 6)).toBeUndefined()
  const ended = withPlace({ place: { chapter: 'lost', step: 5 } }, 'end')
  expect(resumePlace(withPlace(ended, { chapter: 'thief', step: 2 }))).toBeUndefined()
})

type Phone = NonNullable<steps.Scene['phone']>
const phone = (more: Partial<Phone> = {}): Phone => ({ screen: { kind: 'lock' }, notifications: [], ...more })
const message = { msgId: 'm1', state: 'init' } as const
const push = (msg_id: string) =>
  phone({ notifications: [{ msg_id, url: '', rp: { id: '', name: '' }, expires_at: 0, arrived_at: 0 }] })
const scene = (shown: Phone | undefined, more: Partial<steps.Scene> = {}): steps.Scene => ({
  message,
  phone: shown,
  scanning: false,
  ...more,
})

it('what a deed waits for is the phone itself, but for the deed that makes one', () => {
  const all = CHAPTERS.flatMap((chapter): readonly Deed[] => SCRIPTS[chapter].beats.flatMap(({ deed }) => deed ?? []))
  expect(all.filter((deed) => steps.isReady(deed, scene(undefined)))).toEqual(['replace'])
})

const asking = phone({ screen: { kind: 'request' } as Phone['screen'] })

it.each<[string, Deed, steps.Scene, boolean]>([
  ['a code that nobody has scanned', 'scan', scene(phone()), true],
  ['no code that was scanned', 'scan', scene(phone(), { message: { ...message, state: 'bind' } }), false],
  ['no code without a request', 'scan', scene(phone(), { message: undefined }), false],
  ['the push of this very request', 'open', scene(push('m1')), true],
  ['no push of another request', 'open', scene(push('m0')), false],
  ['a push that has come', 'open', scene(phone()), false],
  ['a request on the screen', 'touch', scene(asking), true],
  ['a screen that a finger reaches', 'touch', scene(asking, { scanning: true }), false],
  ['a screen that asks', 'touch', scene(phone()), false],
])('what a deed waits for is %s', (_, deed, at, ready) => {
  expect(steps.isReady(deed, at)).toBe(ready)
})

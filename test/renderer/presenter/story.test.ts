import { describe, expect, it } from 'vitest'
import type { Message } from '../../../src-main/timeline/timeline.ts'
import {
  DEEDS,
  type Deed,
  isReady,
  LAST,
  readingTime,
  type Scene,
  STEPS,
  standingOf,
  toldStep,
} from '../../../src-renderer/presenter/story.ts'
import { texts } from '../../../src-renderer/ui/texts.ts'

type Phone = NonNullable<Scene['phone']>

const stepAt = (ceremony: Message['ceremony'], state: Message['state']) => {
  const { step, trouble } = standingOf({ ceremony, state })
  return trouble === undefined ? STEPS[step] : `${STEPS[step]}, ${trouble}`
}

describe('the story', () => {
  it('stands where its newest request stands', () => {
    expect(STEPS[standingOf(undefined).step]).toBe('meet')
    expect([
      stepAt('registration', 'init'),
      stepAt('registration', 'bind'),
      stepAt('registration', 'success'),
      stepAt('authentication', 'init'),
      stepAt('authentication', 'bind'),
      stepAt('authentication', 'success'),
    ]).toEqual(['code', 'scan', 'key', 'push', 'ask', 'signed'])
  })

  it('falls back to where the request began when it comes to nothing', () => {
    expect([
      stepAt('registration', 'fail'),
      stepAt('registration', 'timeout'),
      stepAt('authentication', 'fail'),
      stepAt('authentication', 'timeout'),
    ]).toEqual(['meet, fail', 'meet, timeout', 'key, fail', 'key, timeout'])
  })

  it('has a deed between each two steps', () => {
    expect(DEEDS).toHaveLength(LAST)
  })

  it('says at most nine words at once', () => {
    const { story, fail, timeout } = texts.presenter
    for (const sentence of [...Object.values(story), fail, timeout]) {
      expect(sentence.split(' ').length, sentence).toBeLessThanOrEqual(9)
    }
    expect(Object.keys(story)).toEqual([...STEPS])
  })

  it('tells a step as soon as it is begun, and never two ahead', () => {
    expect(toldStep({ step: 2 }, undefined)).toBe(2)
    expect(toldStep({ step: 2 }, 3)).toBe(3)
    expect(toldStep({ step: 2 }, 6)).toBe(3)
  })

  it('gives a longer sentence longer', () => {
    expect(readingTime('One two three.')).toBeLessThan(readingTime('One two three four five.'))
  })
})

describe('what a deed waits for', () => {
  const phone = (more: Partial<Phone> = {}): Phone => ({ screen: { kind: 'lock' }, notifications: [], ...more })
  const message = { msgId: 'm1', state: 'init' } as const
  const push = (msg_id: string) =>
    phone({ notifications: [{ msg_id, url: '', rp: { id: '', name: '' }, expires_at: 0, arrived_at: 0 }] })

  const scene = (phone: Phone | undefined, more: Partial<Scene> = {}): Scene => ({
    message,
    phone,
    scanning: false,
    ...more,
  })

  it('is the phone itself', () => {
    const all: readonly Deed[] = DEEDS
    expect(all.filter((deed) => isReady(deed, scene(undefined)))).toEqual([])
  })

  it('is a code that nobody has scanned', () => {
    expect(isReady('scan', scene(phone()))).toBe(true)
    expect(isReady('scan', scene(phone(), { message: { ...message, state: 'bind' } }))).toBe(false)
    expect(isReady('scan', scene(phone(), { message: undefined }))).toBe(false)
  })

  it('is the push of this very request', () => {
    expect(isReady('open', scene(phone()))).toBe(false)
    expect(isReady('open', scene(push('m0')))).toBe(false)
    expect(isReady('open', scene(push('m1')))).toBe(true)
  })

  it('is a request on the screen, where a finger reaches it', () => {
    const asking = phone({ screen: { kind: 'request' } as Phone['screen'] })
    expect(isReady('touch', scene(phone()))).toBe(false)
    expect(isReady('touch', scene(asking, { scanning: true }))).toBe(false)
    expect(isReady('touch', scene(asking))).toBe(true)
  })
})

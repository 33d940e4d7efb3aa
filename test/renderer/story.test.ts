import { describe, expect, it } from 'vitest'
import type { Message } from '../../src-renderer/bench/timeline.ts'
import { canGoOn, MOMENTS, momentOf, type Scene } from '../../src-renderer/presenter/story.ts'

type Screen = NonNullable<Scene['screen']>

const message = (state: Message['state']) => ({ state }) as Message
const screen = (kind: Screen['kind']) => ({ kind }) as Screen

const scene = (state?: Message['state'], kind: Screen['kind'] = 'lock', reading = false): Scene => ({
  ...(state === undefined ? {} : { message: message(state) }),
  screen: screen(kind),
  reading,
})

const told = (at: Scene) => MOMENTS[momentOf(at)]

describe('the story', () => {
  it('is where the bench is', () => {
    expect([
      told(scene()),
      told(scene('init')),
      told(scene('init', 'lock', true)),
      told(scene('bind', 'request')),
      told(scene('bind', 'working')),
      told(scene('success', 'success')),
      told(scene('fail', 'refused')),
      told(scene('timeout')),
    ]).toEqual(['start', 'code', 'scan', 'asked', 'touch', 'touch', 'done', 'done'])
  })

  it('goes on only when what comes next can be shown', () => {
    const at = (moment: (typeof MOMENTS)[number]) => MOMENTS.indexOf(moment)
    expect(canGoOn(at('code'), scene('init', 'lock', true))).toBe(false)
    expect(canGoOn(at('code'), scene('init'))).toBe(true)
    expect(canGoOn(at('asked'), scene('bind', 'lock'))).toBe(false)
    expect(canGoOn(at('asked'), scene('bind', 'request'))).toBe(true)
    expect(canGoOn(at('touch'), scene('bind', 'working'))).toBe(false)
    expect(canGoOn(at('touch'), scene('success', 'success'))).toBe(true)
  })
})

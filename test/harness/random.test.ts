import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRandom } from '../../src-main/harness/random.ts'
import { toHex } from '../../src-main/protocol/bytes.ts'

const draw = (random: ReturnType<typeof createRandom>, entity = 'rp_1', count = 16) =>
  toHex(random.stream('main', entity, 'challenge').bytes(count))

test('the same seed gives the same values in the same order', () => {
  const [a, b] = [createRandom({ seed: 7 }), createRandom({ seed: 7 })]
  expect([draw(a), draw(a)]).toEqual([draw(b), draw(b)])
})

test('streams do not disturb each other', () => {
  const [a, b] = [createRandom({ seed: 7 }), createRandom({ seed: 7 })]
  draw(a, 'rp_2', 100)
  expect(draw(a)).toBe(draw(b))
})

test('another seed, boot, workspace, entity or purpose gives other values', () => {
  const values = [
    draw(createRandom({ seed: 7 })),
    draw(createRandom({ seed: 8 })),
    draw(createRandom({ seed: 7, boot: 1 })),
    draw(createRandom({ seed: 7 }), 'rp_2'),
    toHex(createRandom({ seed: 7 }).stream('other', 'rp_1', 'challenge').bytes(16)),
    toHex(createRandom({ seed: 7 }).stream('main', 'rp_1', 'msg_id').bytes(16)),
  ]
  expect(new Set(values).size).toBe(values.length)
})

test('how a stream is cut into pieces changes nothing', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(70), { maxLength: 12 }), (cuts) => {
      const pieces = createRandom({ seed: 1 }).stream('main', 'e', 'p')
      const joined = cuts.map((count) => toHex(pieces.bytes(count))).join('')
      const whole = createRandom({ seed: 1 }).stream('main', 'e', 'p')
      expect(joined).toBe(toHex(whole.bytes(cuts.reduce((sum, cut) => sum + cut, 0))))
    }),
  )
})

test('restored positions repeat what came after them, also for a source that is held', () => {
  const random = createRandom({ seed: 7 })
  const held = random.stream('main', 'rp_1', 'challenge')
  held.bytes(5)
  const positions = random.positions('main')
  const after = toHex(held.bytes(20))
  const fresh = draw(random, 'rp_9')
  random.restore('main', positions)
  expect(toHex(held.bytes(20))).toBe(after)
  expect(draw(random, 'rp_9')).toBe(fresh)
})

test('without a seed values differ, nothing is repeatable and there are no positions', () => {
  const random = createRandom()
  expect(draw(random)).not.toBe(draw(random))
  expect(random.stream('main', 'a', 'b').repeatable).toBe(false)
  expect(random.positions('main')).toEqual({})
})

test('a workspace can have a seed of its own', () => {
  const random = createRandom()
  random.seedWorkspace('main', 7)
  expect(random.seedOf('main')).toBe(7)
  expect(draw(random)).toBe(draw(createRandom({ seed: 7 })))
  random.forget('main')
  expect(random.stream('main', 'rp_1', 'challenge').repeatable).toBe(false)
})

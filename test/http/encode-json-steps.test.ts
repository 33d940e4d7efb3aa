import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeJsonSteps } from '../../src-main/http/encode-json-steps.ts'
import { utf8 } from '../../src-main/protocol/bytes.ts'
import { inOneGo } from '../../src-main/protocol/slices.ts'

describe('JSON that is written in steps', () => {
  it('is what JSON.stringify writes', () => {
    const member = fc.oneof(fc.jsonValue({ maxDepth: 4 }), fc.constant(undefined))
    fc.assert(
      fc.property(fc.dictionary(fc.string(), member), fc.constantFrom(1, 20, 10_000), (value, most) => {
        expect(inOneGo(encodeJsonSteps(value, most))).toEqual(utf8(JSON.stringify(value)))
      }),
      { seed: 3, numRuns: 300 },
    )
    for (const value of [{}, [], [undefined], [[], {}], { a: undefined, b: [{}] }, 'a', null]) {
      expect(inOneGo(encodeJsonSteps(value, 1))).toEqual(utf8(JSON.stringify(value)))
    }
  })

  it('takes a step for each piece, and none is longer than a piece and a row', () => {
    const rows = Array.from({ length: 1000 }, (_, n) => ({ id: n, text: 'x'.repeat(100) }))
    const costs = [...encodeJsonSteps({ data: { tables: { rows } } }, 1000)]
    expect(costs.length).toBeGreaterThan(100)
    expect(Math.max(...costs)).toBeLessThan(1200)
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Reason } from '../../src-main/contract/reasons.ts'
import { parseJson } from '../../src-main/http/parse-json.ts'
import { parseJsonSteps } from '../../src-main/http/parse-json-steps.ts'
import { utf8 } from '../../src-main/protocol/bytes.ts'
import type { Result } from '../../src-main/protocol/result.ts'
import { inOneGo } from '../../src-main/protocol/slices.ts'

const inBatches = (text: string, batch: number): Result<unknown, Reason> => inOneGo(parseJsonSteps(utf8(text), batch))

/** The sentence may be about another mistake of the same text. */
const judged = (parsed: Result<unknown, Reason>): unknown => (parsed.ok ? parsed : 'refused')

const expectSame = (text: string): void => {
  for (const batch of [1, 2, 7, 30]) expect(judged(inBatches(text, batch)), text).toEqual(judged(parseJson(text)))
}

const GOOD = [
  '{}',
  '[]',
  ' [ ] ',
  'null',
  '"text"',
  ' 5 ',
  '[[],[],{}]',
  '{"a":[1,2,3],"b":{"c":[{"d":1},{"d":2}]},"e":"x"}',
  '[ [ 1 , 2 ] , [ 3 , { "a" : [ ] } ] , 4 ]\n',
  '{"a":"\\",[]{}:","b":["\\\\",",","]"],"c":1}',
  '{"中":"文","🔑":["é","\\ud83d\\udd11"],"z":[1,2]}',
  '{"__proto__":[1,2,3],"constructor":{"__proto__":4},"b":0}',
  '[1e5,-0.5,true,false,null,"",[[[[1]]]]]',
]

describe('JSON that is parsed in steps', () => {
  it.each(GOOD)('is what it is in one go: %s', (text) => {
    expect(parseJson(text).ok).toBe(true)
    expectSame(text)
  })

  it('is refused for whatever is refused in one go', () => {
    const marks = [',', ':', '[', ']', '{', '}', '"', '\\', '1', '-', ' ', 'x', '"a":1,', '\\ud800']
    for (const characters of GOOD.map((text) => [...text])) {
      for (let at = 0; at <= characters.length; at++) {
        expectSame(characters.toSpliced(at, 1).join(''))
        for (const mark of marks) expectSame(characters.toSpliced(at, 0, mark).join(''))
      }
    }
  })

  it('is the same for any value and any spaces', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 1, '\t'), (value, space) => {
        expectSame(JSON.stringify(value, null, space))
      }),
      { seed: 5, numRuns: 200 },
    )
  })

  it.each([
    ['a member twice, far apart', '{"a":1,"b":[1,2,3],"c":4,"a":2}'],
    ['a member twice, one with a list', '{"a":[1,2,3],"b":2,"a":[4,5,6]}'],
    ['33 levels', `${'['.repeat(33)}${']'.repeat(33)}`],
  ])('is refused with %s', (_what, text) => {
    expect(inBatches(text, 1).ok).toBe(false)
    expectSame(text)
  })

  it('is refused when it is not UTF-8', () => {
    const bytes = utf8('[1,2,"aaaa",3]')
    bytes[7] = 0xff
    for (const batch of [1, 1000]) expect(inOneGo(parseJsonSteps(bytes, batch)).ok).toBe(false)
  })

  it('takes as many steps as its length has batches, and none is longer', () => {
    const text = JSON.stringify({ rows: Array.from({ length: 2000 }, (_, n) => ({ id: `row ${n}`, list: [n] })) })
    const costs = [...parseJsonSteps(utf8(text), 1000)]
    expect(costs.length).toBeGreaterThan(text.length / 1100)
    expect(Math.max(...costs)).toBeLessThan(1100)
  })
})

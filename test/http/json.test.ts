import fc, { assert, jsonValue, property, string } from 'fast-check'
import { expect, it, test } from 'vitest'
import type { Reason } from '../../src-main/core/contract/errors.ts'
import { utf8 } from '../../src-main/core/protocol/bytes.ts'
import type { Result } from '../../src-main/core/protocol/result.ts'
import { runAtOnce } from '../../src-main/core/protocol/slices.ts'
import { encodeJsonSteps } from '../../src-main/http/envelope-response.ts'
import { parseForeignJson, parseJson, parseJsonBody, parseJsonSteps } from '../../src-main/http/parse-json.ts'

const JSON_TYPE = [['Content-Type', 'application/json']] as const
const parse = (text: string) => parseJsonBody(JSON_TYPE, utf8(text))
const refusedAs = (text: string) => {
  const result = parse(text)
  return result.ok ? 'accepted' : result.error.name
}

test('a JSON body is an object', () => {
  expect(parse('{"a":{"b":[1,"c",null]}}')).toEqual({ ok: true, value: { a: { b: [1, 'c', null] } } })
})

test.each(['', ' ', '{', '[]', 'null', '1', '"a"', 'true', '{}{}', "{'a':1}", '{"a":1,}', '{"a":NaN}', '\ufeff{}'])(
  'a JSON body: %j is refused',
  (text) => expect(refusedAs(text)).toBe('malformed_json'),
)

test.each([
  '{"a":1,"a":2}',
  '{"a":1,"\\u0061":2}',
  '{"x":{"a":1,"a":1}}',
  '{"x":[{"":1,"":2}]}',
  '{"__proto__":1,"__proto__":2}',
])('a JSON body: a member twice is refused: %s', (text) => expect(refusedAs(text)).toBe('malformed_json'))

test.each([
  '{"a":{"a":{"a":1}}}',
  '{"a":"a","b":"a"}',
  '{"a":[{"b":1},{"b":2}]}',
  '{"a":"\\"a\\":","b":1}',
  '{"a" : 1 , "b"\n:2}',
])('a JSON body: the same name in different places is fine: %s', (text) => expect(refusedAs(text)).toBe('accepted'))

test('a JSON body: 32 levels are read, one more is refused, also when it would exhaust the parser', () => {
  const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
  expect(refusedAs(nested(32))).toBe('accepted')
  expect(refusedAs(nested(33))).toBe('malformed_json')
  expect(refusedAs(`{"a":${'['.repeat(1_000_000)}`)).toBe('malformed_json')
  expect(refusedAs(`{"a":"${'['.repeat(1000)}"}`)).toBe('accepted')
})

test.each(['{"a":"\\ud800"}', '{"a":"\\udc00\\ud800"}', '{"\\ud800":1}', '{"a":["\\uD83D"]}'])(
  'a JSON body: half a surrogate pair is refused: %s',
  (text) => {
    expect(refusedAs(text)).toBe('malformed_json')
  },
)

test('a JSON body: a whole pair is fine, escaped or not', () => {
  expect(parse('{"a":"\\ud83e\\udda6🦦"}')).toEqual({ ok: true, value: { a: '🦦🦦' } })
})

test('a JSON body: an object has at most 100,000 members, and a body 2,000,000 values', () => {
  const members = (count: number) => `{${Array.from({ length: count }, (_, n) => `"${n}":0`).join()}}`
  expect(refusedAs(members(100_000))).toBe('accepted')
  expect(refusedAs(members(100_001))).toBe('malformed_json')
  expect(refusedAs(`{"a":[${members(60_000)},${members(60_000)}]}`)).toBe('accepted')
  expect(refusedAs(`{"a":[${'0,'.repeat(2_000_000)}0]}`)).toBe('accepted')
  expect(refusedAs(`{"a":[${'0,'.repeat(2_000_001)}0]}`)).toBe('malformed_json')
})

test('a JSON body: a member named __proto__ is a member like any other', () => {
  const result = parse('{"__proto__":{"user_id":"x"}}')
  expect(result.ok && result.value.user_id).toBeUndefined()
})

test('a JSON body: whatever JSON.stringify makes of an object is read as the same', () => {
  assert(
    property(jsonValue({ maxDepth: 5 }), (value) => {
      const text = JSON.stringify({ value })
      const result = parse(text)
      expect(result).toEqual({ ok: true, value: JSON.parse(text) })
      return true
    }),
    { seed: 20260501, numRuns: 500 },
  )
})

test('a JSON body: no text makes it throw', () => {
  assert(
    property(string({ unit: 'binary', maxLength: 60 }), (text) => {
      parse(text)
      parse(`{"a":${text}}`)
      return true
    }),
    { seed: 20260501, numRuns: 1000 },
  )
})

test.each([
  ['an envelope', '{"code":0,"data":{"list":[[{"a":1}]]},"error":""}', true],
  ['32 levels', '['.repeat(32) + ']'.repeat(32), true],
  ['33 levels', '['.repeat(33) + ']'.repeat(33), false],
  ['4 MB of levels', '['.repeat(2e6) + ']'.repeat(2e6), false],
  ['more than a mebibyte', `["${'x'.repeat(2 ** 20)}"]`, false],
])('what another service says is parsed where that holds up nobody: %s', (_, text, parsed) => {
  expect(parseForeignJson(text) !== undefined).toBe(parsed)
})

it('JSON that is written in steps is what JSON.stringify writes', () => {
  const member = fc.oneof(fc.jsonValue({ maxDepth: 4 }), fc.constant(undefined))
  fc.assert(
    fc.property(fc.dictionary(fc.string(), member), fc.constantFrom(1, 20, 10_000), (value, most) => {
      expect(runAtOnce(encodeJsonSteps(value, most))).toEqual(utf8(JSON.stringify(value)))
    }),
    { seed: 3, numRuns: 300 },
  )
  for (const value of [{}, [], [undefined], [[], {}], { a: undefined, b: [{}] }, 'a', null]) {
    expect(runAtOnce(encodeJsonSteps(value, 1))).toEqual(utf8(JSON.stringify(value)))
  }
})

it('JSON that is written in steps takes a step for each piece, and none is longer than a piece and a row', () => {
  const rows = Array.from({ length: 1000 }, (_, n) => ({ id: n, text: 'x'.repeat(100) }))
  const costs = [...encodeJsonSteps({ data: { tables: { rows } } }, 1000)]
  expect(costs.length).toBeGreaterThan(100)
  expect(Math.max(...costs)).toBeLessThan(1200)
})

const inBatches = (text: string, batch: number): Result<unknown, Reason> => runAtOnce(parseJsonSteps(utf8(text), batch))

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

it.each(GOOD)('JSON that is parsed in steps is what it is in one go: %s', (text) => {
  expect(parseJson(text).ok).toBe(true)
  expectSame(text)
})

it('JSON that is parsed in steps is refused for whatever is refused in one go', () => {
  const marks = [',', ':', '[', ']', '{', '}', '"', '\\', '1', '-', ' ', 'x', '"a":1,', '\\ud800']
  for (const characters of GOOD.map((text) => [...text])) {
    for (let at = 0; at <= characters.length; at++) {
      expectSame(characters.toSpliced(at, 1).join(''))
      for (const mark of marks) expectSame(characters.toSpliced(at, 0, mark).join(''))
    }
  }
})

it('JSON that is parsed in steps is the same for any value and any spaces', () => {
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
])('JSON that is parsed in steps is refused with %s', (_what, text) => {
  expect(inBatches(text, 1).ok).toBe(false)
  expectSame(text)
})

it('JSON that is parsed in steps is refused when it is not UTF-8', () => {
  const bytes = utf8('[1,2,"aaaa",3]')
  bytes[7] = 0xff
  for (const batch of [1, 1000]) expect(runAtOnce(parseJsonSteps(bytes, batch)).ok).toBe(false)
})

it('JSON that is parsed in steps takes as many steps as its length has batches, and none is longer', () => {
  const text = JSON.stringify({ rows: Array.from({ length: 2000 }, (_, n) => ({ id: `row ${n}`, list: [n] })) })
  const costs = [...parseJsonSteps(utf8(text), 1000)]
  expect(costs.length).toBeGreaterThan(text.length / 1100)
  expect(Math.max(...costs)).toBeLessThan(1100)
})

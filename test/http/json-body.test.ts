import { assert, jsonValue, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseJsonBody } from '../../src-main/http/json-body.ts'
import { foreignJsonIn } from '../../src-main/http/parse-json.ts'
import { utf8 } from '../../src-main/protocol/bytes.ts'

const JSON_TYPE = [['Content-Type', 'application/json']] as const
const parse = (text: string) => parseJsonBody(JSON_TYPE, utf8(text))
const refusedAs = (text: string) => {
  const result = parse(text)
  return result.ok ? 'accepted' : result.error.name
}

describe('a JSON body', () => {
  test('is an object', () => {
    expect(parse('{"a":{"b":[1,"c",null]}}')).toEqual({ ok: true, value: { a: { b: [1, 'c', null] } } })
  })

  test.each(['', ' ', '{', '[]', 'null', '1', '"a"', 'true', '{}{}', "{'a':1}", '{"a":1,}', '{"a":NaN}', '\ufeff{}'])(
    '%j is refused',
    (text) => expect(refusedAs(text)).toBe('malformed_json'),
  )

  test.each([
    '{"a":1,"a":2}',
    '{"a":1,"\\u0061":2}',
    '{"x":{"a":1,"a":1}}',
    '{"x":[{"":1,"":2}]}',
    '{"__proto__":1,"__proto__":2}',
  ])('a member twice is refused: %s', (text) => expect(refusedAs(text)).toBe('malformed_json'))

  test.each([
    '{"a":{"a":{"a":1}}}',
    '{"a":"a","b":"a"}',
    '{"a":[{"b":1},{"b":2}]}',
    '{"a":"\\"a\\":","b":1}',
    '{"a" : 1 , "b"\n:2}',
  ])('the same name in different places is fine: %s', (text) => expect(refusedAs(text)).toBe('accepted'))

  test('32 levels are read, one more is refused, also when it would exhaust the parser', () => {
    const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
    expect(refusedAs(nested(32))).toBe('accepted')
    expect(refusedAs(nested(33))).toBe('malformed_json')
    expect(refusedAs(`{"a":${'['.repeat(1_000_000)}`)).toBe('malformed_json')
    expect(refusedAs(`{"a":"${'['.repeat(1000)}"}`)).toBe('accepted')
  })

  test.each(['{"a":"\\ud800"}', '{"a":"\\udc00\\ud800"}', '{"\\ud800":1}', '{"a":["\\uD83D"]}'])(
    'half a surrogate pair is refused: %s',
    (text) => {
      expect(refusedAs(text)).toBe('malformed_json')
    },
  )

  test('a whole pair is fine, escaped or not', () => {
    expect(parse('{"a":"\\ud83e\\udda6🦦"}')).toEqual({ ok: true, value: { a: '🦦🦦' } })
  })

  test('an object has at most 100,000 members, and a body 2,000,000 values', () => {
    const members = (count: number) => `{${Array.from({ length: count }, (_, n) => `"${n}":0`).join()}}`
    expect(refusedAs(members(100_000))).toBe('accepted')
    expect(refusedAs(members(100_001))).toBe('malformed_json')
    expect(refusedAs(`{"a":[${members(60_000)},${members(60_000)}]}`)).toBe('accepted')
    expect(refusedAs(`{"a":[${'0,'.repeat(2_000_000)}0]}`)).toBe('accepted')
    expect(refusedAs(`{"a":[${'0,'.repeat(2_000_001)}0]}`)).toBe('malformed_json')
  })

  test('a member named __proto__ is a member like any other', () => {
    const result = parse('{"__proto__":{"user_id":"x"}}')
    expect(result.ok && result.value.user_id).toBeUndefined()
  })

  test('whatever JSON.stringify makes of an object is read as the same', () => {
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

  test('no text makes it throw', () => {
    assert(
      property(string({ unit: 'binary', maxLength: 60 }), (text) => {
        parse(text)
        parse(`{"a":${text}}`)
        return true
      }),
      { seed: 20260501, numRuns: 1000 },
    )
  })
})

test.each([
  ['an envelope', '{"code":0,"data":{"list":[[{"a":1}]]},"error":""}', true],
  ['32 levels', '['.repeat(32) + ']'.repeat(32), true],
  ['33 levels', '['.repeat(33) + ']'.repeat(33), false],
  ['4 MB of levels', '['.repeat(2e6) + ']'.repeat(2e6), false],
  ['more than a mebibyte', `["${'x'.repeat(2 ** 20)}"]`, false],
])('what another service says is parsed where that holds up nobody: %s', (_, text, parsed) => {
  expect(foreignJsonIn(text) !== undefined).toBe(parsed)
})

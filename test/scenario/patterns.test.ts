import { expect, it } from 'vitest'
import { findByRegex } from '../../src-main/scenario/patterns/bounded-regex.ts'
import { matchesGlob } from '../../src-main/scenario/patterns/glob.ts'
import { mismatch } from '../../src-main/scenario/patterns/mismatch.ts'
import { patternProblem } from '../../src-main/scenario/patterns/pattern-problem.ts'
import { ScenarioMistake } from '../../src-main/scenario/step-outcome.ts'

type Case = readonly [wanted: unknown, fits: unknown, doesNot: unknown]

it.each<Case>([
  ['a', 'a', 'A'],
  [1, 1, '1'],
  [null, null, undefined],
  [{ a: 1 }, { a: 1, b: 2 }, { b: 2 }],
  [{ a: { b: 1 } }, { a: { b: 1, c: 1 } }, { a: 1 }],
  [
    [1, 2],
    [1, 2],
    [2, 1],
  ],
  [
    [1, 2],
    [1, 2],
    [1, 2, 3],
  ],
  [[], [], [1]],
  [{ equals: { a: 1 } }, { a: 1 }, { a: 1, b: 2 }],
  [{ equals: { not: 1 } }, { not: 1 }, 2],
  [{ not: 'a' }, 'b', 'a'],
  [{ not: { a: 1 } }, { a: 2 }, { a: 1, b: 1 }],
  [{ matches: '^a+$' }, 'aa', 'ab'],
  [{ matches: '1' }, '1', 1],
  [{ glob: 'a*c?' }, 'abbcd', 'abbc'],
  [{ contains: 'b' }, 'abc', 'ac'],
  [{ contains: { id: 1 } }, [{ id: 2 }, { id: 1, x: 0 }], [{ id: 2 }]],
  [{ any_of: [1, { at_least: 5 }] }, 7, 4],
  [{ each: { at_most: 2 } }, [1, 2], [1, 3]],
  [{ at_least: 2, at_most: 3 }, 3, 4],
  [{ at_least: 2 }, 2, '3'],
  [{ length: 2 }, [1, 2], [1]],
  [{ length: { at_least: 1 } }, 'a', ''],
  [{ present: true }, null, undefined],
  [{ present: false }, undefined, 0],
  [{ a: { present: false } }, {}, { a: null }],
  [{ __proto__: null, constructor: { present: false } }, {}, { constructor: 1 }],
])('%j accepts %j and not %j', (wanted, fits, doesNot) => {
  expect(mismatch(wanted, fits)).toBeUndefined()
  expect(mismatch(wanted, doesNot)).toBeDefined()
})

it('a mismatch names the first place that differs, as a JSON pointer', () => {
  const received = { list: [{ a: 1 }, { 'b/c~d': 2 }] }
  expect(mismatch({ list: [{}, { 'b/c~d': { at_least: 3 } }] }, received)).toEqual({
    at: '/list/1/b~1c~0d',
    expected: { at_least: 3 },
    received: 2,
  })
})

it('an expression that explodes is a mistake, also where it must not match', () => {
  const explodes = { matches: '^(a+)+$' }
  const text = `${'a'.repeat(40)}!`
  expect(() => mismatch(explodes, text)).toThrow(ScenarioMistake)
  expect(() => mismatch({ not: explodes }, text)).toThrow(ScenarioMistake)
})

it('a glob of many stars ends at once', () => {
  expect(matchesGlob(`${'*a'.repeat(40)}*b`, 'a'.repeat(20_000))).toBe(false)
  expect(matchesGlob('*', '')).toBe(true)
  expect(matchesGlob('?', '😀')).toBe(true)
  expect(matchesGlob('a.c', 'abc')).toBe(false)
})

it('an expression finds its groups, in one line of many', () => {
  expect(findByRegex('^port (\\d+)$', 'hello\nport 80\n', 'um')?.[1]).toBe('80')
  expect(findByRegex('^port (\\d+)$', 'hello\nport x\n', 'um')).toBeNull()
})

it.each([
  [{ matches: '(' }],
  [{ a: [{ matches: 3 }] }],
  [{ at_least: 'two' }],
  [{ any_of: [] }],
  [{ any_of: 'a' }],
  [{ present: 'yes' }],
  [{ not: { matches: '[' } }],
  [{ glob: 1 }],
])('the pattern %j is refused before anything runs', (pattern) => {
  expect(patternProblem(pattern)).toBeTypeOf('string')
})

it.each([[{ matches: `\${a}(` }], [{ at_least: `\${n}` }], [{ matches: 'x', other: 1 }]])(
  'the pattern %j is looked at when its variables are known',
  (pattern) => {
    expect(patternProblem(pattern)).toBeUndefined()
  },
)

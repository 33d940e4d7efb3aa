import { expect, it, vi } from 'vitest'
import * as patterns from '../../../src-main/testing/scenario/patterns/mismatch.ts'
import { patternProblem } from '../../../src-main/testing/scenario/patterns/unmatchable.ts'
import { ScenarioMistake } from '../../../src-main/testing/scenario/step-outcome.ts'

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
  expect(patterns.findMismatch(wanted, fits)).toBeUndefined()
  expect(patterns.findMismatch(wanted, doesNot)).toBeDefined()
})

it('a mismatch names the first place that differs, as a JSON pointer', () => {
  const received = { list: [{ a: 1 }, { 'b/c~d': 2 }] }
  expect(patterns.findMismatch({ list: [{}, { 'b/c~d': { at_least: 3 } }] }, received)).toEqual({
    at: '/list/1/b~1c~0d',
    expected: { at_least: 3 },
    received: 2,
  })
})

it('an expression that explodes is a mistake, also where it must not match, and the next one is not', () => {
  const explodes = { matches: '^(a+)+$' }
  const text = `${'a'.repeat(40)}!`
  expect(() => patterns.findMismatch(explodes, text)).toThrow(ScenarioMistake)
  expect(() => patterns.findMismatch({ not: explodes }, text)).toThrow(ScenarioMistake)
  expect(patterns.findMismatch({ matches: '^a+!$' }, text)).toBeUndefined()
})

const late = () => {
  throw Object.assign(new Error(), { code: 'ERR_SCRIPT_EXECUTION_TIMEOUT' })
}

it('an expression may take a share of the processor, not of the clock: one whose thread had no processor is tried again, for longer', () => {
  const limits: number[] = []
  const found = patterns.runWithCpuLimit(
    (timeoutMs) => {
      limits.push(timeoutMs)
      return limits.length < 4 ? late() : 'found'
    },
    () => 0,
  )
  expect(found).toEqual({ value: 'found' })
  expect(limits).toEqual([200, 400, 800, 1600])
})

it('an expression may take a share of the processor, not of the clock: one that had it, or never gets it, is given up', () => {
  let spent = 0
  const hungry = vi.fn(() => {
    spent += 200
    return late()
  })
  expect(patterns.runWithCpuLimit(hungry, () => spent)).toBeUndefined()
  expect(hungry).toHaveBeenCalledTimes(1)
  expect(patterns.runWithCpuLimit(late, () => 0)).toBeUndefined()
})

it('an expression may take a share of the processor, not of the clock: any other error is not about time', () => {
  expect(() => patterns.runWithCpuLimit(() => JSON.parse('{'))).toThrow(SyntaxError)
})

it('a glob of many stars ends at once', () => {
  expect(patterns.matchesGlob(`${'*a'.repeat(40)}*b`, 'a'.repeat(20_000))).toBe(false)
  expect(patterns.matchesGlob('*', '')).toBe(true)
  expect(patterns.matchesGlob('?', '😀')).toBe(true)
  expect(patterns.matchesGlob('a.c', 'abc')).toBe(false)
})

it('an expression finds its groups, in one line of many', () => {
  expect(patterns.findByRegex('^port (\\d+)$', 'hello\nport 80\n', 'um')?.[1]).toBe('80')
  expect(patterns.findByRegex('^port (\\d+)$', 'hello\nport x\n', 'um')).toBeNull()
})

it.each([
  [{ matches: '(' }, 'matches', 'regular_expression'],
  [{ a: [{ matches: 3 }] }, 'a[0].matches', 'regular_expression'],
  [{ at_least: 'two' }, 'at_least', 'number'],
  [{ any_of: [] }, 'any_of', 'entries_at_least'],
  [{ any_of: 'a' }, 'any_of', 'entries_at_least'],
  [{ present: 'yes' }, 'present', 'true_or_false'],
  [{ not: { matches: '[' } }, 'not.matches', 'regular_expression'],
  [{ glob: 1 }, 'glob', 'glob'],
])('the pattern %j is refused before anything runs', (pattern, field, code) => {
  expect(patternProblem(pattern)).toMatchObject({ code: 'field_unfit', params: { field, expected: { code } } })
})

it.each([[{ matches: `\${a}(` }], [{ at_least: `\${n}` }], [{ matches: 'x', other: 1 }]])(
  'the pattern %j is looked at when its variables are known',
  (pattern) => {
    expect(patternProblem(pattern)).toBeUndefined()
  },
)

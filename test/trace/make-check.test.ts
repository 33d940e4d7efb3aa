import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EVENT_KINDS, eventSchemas } from '../../src-main/contract/events.ts'
import { makeCheck } from '../../src-main/contract/make-check.ts'
import { object, text } from '../../src-main/contract/schema.ts'
import { findProblem } from '../../src-main/contract/validate.ts'
import { isObject } from '../../src-main/protocol/json.ts'

type Kind = (typeof EVENT_KINDS)[number]

const events = gunzipSync(readFileSync(join(import.meta.dirname, '../vectors/traces/version-1.handset')))
  .toString()
  .split('\n')
  .flatMap((line): readonly { readonly kind: Kind }[] => (line.includes('"event"') ? [JSON.parse(line).event] : []))

const checks = eventSchemas.map((schema) => ({ schema, check: makeCheck(schema) }))
const of = ({ kind }: { readonly kind: Kind }) => {
  const found = checks[EVENT_KINDS.indexOf(kind)]
  if (found === undefined) throw new Error(`no kind ${kind}`)
  return found
}

/** All places in a value. */
const pathsOf = (value: unknown, path: readonly string[] = []): readonly (readonly string[])[] => [
  path,
  ...(typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, part]) => pathsOf(part, [...path, key]))
    : []),
]

const changed = (value: unknown, [first, ...rest]: readonly string[], to: unknown): unknown => {
  if (first === undefined) return to
  if (Array.isArray(value)) return value.map((part, i) => (String(i) === first ? changed(part, rest, to) : part))
  return isObject(value) ? { ...value, [first]: changed(value[first], rest, to) } : to
}

test('every recorded event fits its check', () => {
  expect(events.length).toBeGreaterThan(20)
  expect(events.map((event) => of(event).check(event))).toEqual(events.map(() => undefined))
})

test('a changed event fits its check exactly when it fits the contract', () => {
  const someEvent = fc.constantFrom(...events)
  const value = fc.oneof(fc.constantFrom(undefined, null, '', 'x', -1, 0, 1.5, 1e300, true, [], {}), fc.string())
  let unfit = 0
  fc.assert(
    fc.property(someEvent, fc.nat(), value, (event, n, to) => {
      const paths = pathsOf(event)
      const other = JSON.parse(JSON.stringify(changed(event, paths[n % paths.length] ?? [], to)) ?? 'null')
      const { schema, check } = of(event)
      const problem = findProblem(other, schema)
      if (problem !== undefined) unfit += 1
      expect(check(other) === undefined).toBe(problem === undefined)
    }),
    { numRuns: 400, seed: 1 },
  )
  expect(unfit).toBeGreaterThan(80)
})

test('a keyword that no check knows is a mistake in the contract, not an open door', () => {
  expect(() => makeCheck(object({ a: text(undefined, { minLength: 2 }) }))).toThrow('minLength')
})

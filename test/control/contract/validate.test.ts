import { expect, test } from 'vitest'
import { routes } from '../../../src-main/contract/control/routes.ts'
import type { Route } from '../../../src-main/contract/route.ts'
import { findProblem, problemOf } from '../../../src-main/contract/validate.ts'

const goodPhone = () => ({ name: 'Alice’s phone', account: { name: 'Alice', phone: '13812345678' } })
const phone = routes['phones.create'].body

test('a body that fits has no problem', () => {
  expect(problemOf(goodPhone(), phone)).toBeUndefined()
})

test('a missing field is named', () => {
  const { name: _, ...rest } = goodPhone()
  expect(problemOf(rest, phone)).toBe('"name" is missing.')
})

test('an inner field is named with its path, what was got and what was expected', () => {
  expect(problemOf({ ...goodPhone(), account: { name: 'Alice', phone: 7 } }, phone)).toBe(
    '"account.phone" must be 3 to 20 digits, with or without "+"; got 7.',
  )
})

test('an unknown field is refused and the known ones are listed', () => {
  expect(problemOf({ ...goodPhone(), colour: 'red' }, phone)).toMatch(/^"colour" is not known here\. Known are: name, /)
})

test('a value outside a list of choices shows the list', () => {
  expect(problemOf({ ...goodPhone(), storage: 'paper' }, phone)).toBe(
    '"storage" must be one of "cloud", "chip"; got "paper".',
  )
})

test('a body that is no object is refused', () => {
  expect(problemOf([], phone)).toBe('The body must be a JSON object; got [].')
})

test('[rps.keys] a key is made with a secret of 256 characters, not of 257, and the complaint does not repeat it', () => {
  const key = routes['keys.create'].body
  for (const secret of ['s'.repeat(256), '🔑'.repeat(256), 'pässwörd 🔑 / , ']) {
    expect(problemOf({ secret }, key)).toBeUndefined()
  }
  expect(problemOf({ secret: 's'.repeat(257) }, key)).toBe(
    '"secret" must be a text of 1 to 256 characters without control characters; got "•••".',
  )
  expect(problemOf({ secret: '🔑'.repeat(257) }, key)).toBe(
    '"secret" must be a text of 1 to 256 characters without control characters; got "•••".',
  )
  expect(problemOf({ secret: 'a\nb' }, key)).toBe(
    '"secret" must be a text of 1 to 256 characters without control characters; got "•••".',
  )
  expect(problemOf({ secret: '' }, key)).toBe(
    '"secret" must be a text of 1 to 256 characters without control characters; got "•••".',
  )
})

test('of several forms the one that fits best complains', () => {
  const scan = routes['phones.scan'].body
  expect(problemOf({ url: 'http://x/m#r' }, scan)).toBeUndefined()
  expect(problemOf({ image: { data: 'AA==', type: 'gif' } }, scan)).toBe(
    '"image.type" must be one of "png", "jpeg"; got "gif".',
  )
  expect(problemOf({}, scan)).toBe('The body must be {url}, or {image}, or {rgba}; got {}.')
})

test('numbers have their range in the complaint', () => {
  expect(problemOf({ speed: 0 }, routes['clock.put'].body)).toBe(
    '"speed" must be a number from 0.001 to 100000; got 0.',
  )
  expect(problemOf({ speed: Number.NaN }, routes['clock.put'].body)).toMatch(/^"speed" must be a number/)
})

test('a secret is never repeated in a complaint', () => {
  const complaint = problemOf({ secret: 'x'.repeat(300) }, routes['keys.create'].body)
  expect(complaint).toBe('"secret" must be a text of 1 to 256 characters without control characters; got "•••".')
})

test('a probability of 0 is refused: every keyword that the contract uses is enforced', () => {
  const arm = routes['phones.arm'].body
  expect(findProblem({ fault: 'x', probability: 0.5 }, arm)).toBeUndefined()
  expect(findProblem({ fault: 'x', probability: 0 }, arm)?.parameter).toBe('probability')
})

test('a number beyond which numbers no longer count by one is no whole number', () => {
  const { body } = routes['workspaces.create']
  expect(findProblem({ seed: Number.MAX_SAFE_INTEGER }, body)).toBeUndefined()
  expect(findProblem({ seed: 2 ** 60 }, body)?.parameter).toBe('seed')
})

test('a member that every object inherits is not there, and one that none may have is unknown', () => {
  expect(findProblem(JSON.parse('{"__proto__": {"name": "x"}}'), phone)).toMatchObject({
    parameter: 'name',
    missing: true,
  })
  expect(findProblem(JSON.parse('{"name": "x", "__proto__": 1}'), phone)?.parameter).toBe('__proto__')
})

test('words are found for whatever does not fit: each schema of the contract, with each kind of value', () => {
  const schemas = Object.values<Route>(routes).flatMap(({ params, query, body }) =>
    [params, query, body].filter((schema) => schema !== undefined),
  )
  for (const schema of schemas) {
    for (const value of [null, true, 1.5, 'x', [], [1], { x: 1 }]) {
      const problem = findProblem(value, schema)
      if (problem !== undefined) expect(problem.text).toMatch(/^(The body|"[^"]+") .*\.$/)
    }
  }
})

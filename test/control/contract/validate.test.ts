import { expect, test } from 'vitest'
import { routes } from '../../../src-main/contract/control/routes.ts'
import type { Route } from '../../../src-main/contract/route.ts'
import { findProblem } from '../../../src-main/contract/validate.ts'

const goodPhone = () => ({ name: 'Alice’s phone', account: { name: 'Alice', phone: '13812345678' } })
const phone = routes['phones.create'].body

const unfit = (field: string, expected: object, got: string) => ({
  code: 'field_unfit',
  params: { field, expected, got },
})

test('a body that fits has no problem', () => {
  expect(findProblem(goodPhone(), phone)).toBeUndefined()
})

test('a missing field is named', () => {
  const { name: _, ...rest } = goodPhone()
  expect(findProblem(rest, phone)).toEqual({ code: 'field_missing', params: { field: 'name' } })
})

test('an inner field is named with its path, what was got and what was expected', () => {
  expect(findProblem({ ...goodPhone(), account: { name: 'Alice', phone: 7 } }, phone)).toEqual(
    unfit('account.phone', { code: 'phone_number' }, '7'),
  )
})

test('an unknown field is refused and the known ones are listed', () => {
  expect(findProblem({ ...goodPhone(), colour: 'red' }, phone)).toMatchObject({
    code: 'field_unknown',
    params: { field: 'colour', known: expect.arrayContaining(['name', 'account']) },
  })
})

test('a value outside a list of choices shows the list', () => {
  expect(findProblem({ ...goodPhone(), storage: 'paper' }, phone)).toEqual(
    unfit('storage', { code: 'one_of', params: { values: ['"cloud"', '"chip"'] } }, '"paper"'),
  )
})

test('a body that is no object is refused', () => {
  expect(findProblem([], phone)).toEqual(unfit('', { code: 'object' }, '[]'))
})

test('[rps.keys] a key is made with a secret of 256 characters, not of 257, and the complaint does not repeat it', () => {
  const key = routes['keys.create'].body
  for (const secret of ['s'.repeat(256), '🔑'.repeat(256), 'pässwörd 🔑 / , ']) {
    expect(findProblem({ secret }, key)).toBeUndefined()
  }
  for (const secret of ['s'.repeat(257), '🔑'.repeat(257), 'a\nb', '']) {
    expect(findProblem({ secret }, key)).toEqual(unfit('secret', { code: 'name', params: { count: 256 } }, '"•••"'))
  }
})

test('of several forms the one that fits best complains', () => {
  const scan = routes['phones.scan'].body
  expect(findProblem({ url: 'http://x/m#r' }, scan)).toBeUndefined()
  expect(findProblem({ image: { data: 'AA==', type: 'gif' } }, scan)).toEqual(
    unfit('image.type', { code: 'one_of', params: { values: ['"png"', '"jpeg"'] } }, '"gif"'),
  )
  expect(findProblem({}, scan)).toEqual(
    unfit('', { code: 'any_of', params: { forms: ['{url}', '{image}', '{rgba}'] } }, '{}'),
  )
})

test('numbers have their range in the complaint', () => {
  const number = { code: 'number', params: { least: 0.001, most: 100_000 } }
  expect(findProblem({ speed: 0 }, routes['clock.put'].body)).toEqual(unfit('speed', number, '0'))
  expect(findProblem({ speed: Number.NaN }, routes['clock.put'].body)).toEqual(unfit('speed', number, 'null'))
})

test('a probability of 0 is refused: every keyword that the contract uses is enforced', () => {
  const arm = routes['phones.arm'].body
  expect(findProblem({ fault: 'x', probability: 0.5 }, arm)).toBeUndefined()
  expect(findProblem({ fault: 'x', probability: 0 }, arm)?.params.field).toBe('probability')
})

test('a number beyond which numbers no longer count by one is no whole number', () => {
  const { body } = routes['workspaces.create']
  expect(findProblem({ seed: Number.MAX_SAFE_INTEGER }, body)).toBeUndefined()
  expect(findProblem({ seed: 2 ** 60 }, body)?.params.field).toBe('seed')
})

test('a member that every object inherits is not there, and one that none may have is unknown', () => {
  expect(findProblem(JSON.parse('{"__proto__": {"name": "x"}}'), phone)).toMatchObject({
    code: 'field_missing',
    params: { field: 'name' },
  })
  expect(findProblem(JSON.parse('{"name": "x", "__proto__": 1}'), phone)?.params.field).toBe('__proto__')
})

test('it is found what was expected of whatever does not fit: each schema of the contract, with each kind of value', () => {
  const schemas = Object.values<Route>(routes).flatMap(({ params, query, body }) =>
    [params, query, body].filter((schema) => schema !== undefined),
  )
  for (const schema of schemas) {
    for (const value of [null, true, 1.5, 'x', [], [1], { x: 1 }]) {
      const problem = findProblem(value, schema)
      if (problem?.code === 'field_unfit') expect(problem.params.expected.code).not.toBe('something_else')
    }
  }
})

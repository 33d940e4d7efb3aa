import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { routes } from '../../../../src-main/core/contract/control/routes.ts'
import { defaultProfile, type ProfileSetting, profileSettings } from '../../../../src-main/core/contract/profile.ts'
import { profilePart, wholeProfile } from '../../../../src-main/core/contract/profile-schema.ts'
import type { Route } from '../../../../src-main/core/contract/schema.ts'
import { findProblem } from '../../../../src-main/core/contract/validate.ts'
import { codeBelow, ROOT } from '../../../support/imports.ts'

/** What people and scripts may write. Handlers see nothing else. */
const wrongIn = (value: unknown, schema: object): string | undefined => findProblem(value, schema)?.params.field

const good = { name: 'B', rp_id: 'b.example', origins: ['https://b.example'] }
const { body } = routes['rps.create']

test('an RP is good with a name of 128 characters, without origins, with those of apps', () => {
  const { origins: _, ...short } = good
  const app = ['android:apk-key-hash:AbC-_1', 'ios:bundle-id:com.example.app']
  for (const rp of [good, short, { ...good, name: '🔑'.repeat(128) }, { ...good, origins: app }]) {
    expect(wrongIn(rp, body)).toBeUndefined()
  }
})

test.each<[string, object, string]>([
  ['without a name', { name: undefined }, 'name'],
  ['with a name of 129 characters', { name: 'x'.repeat(129) }, 'name'],
  ['with a name of two lines', { name: 'a\nb' }, 'name'],
  ['with a URL as RP ID', { rp_id: 'https://b.example' }, 'rp_id'],
  ['with an upper-case RP ID', { rp_id: 'B.example' }, 'rp_id'],
  ['without origins', { origins: [] }, 'origins'],
  ['with an origin that has a path', { origins: ['https://a.example', 'https://b.example/'] }, 'origins[1]'],
  ['with an unknown member', { colour: 1 }, 'colour'],
])('an RP: %s is refused, by its name', (_what, change, parameter) => {
  expect(wrongIn(JSON.parse(JSON.stringify({ ...good, ...change })), body)).toBe(parameter)
  if (parameter !== 'name' && parameter !== 'colour') expect(wrongIn(change, routes['rps.patch'].body)).toBe(parameter)
})

describe('[rps.keys] an access key', () => {
  const { body } = routes['keys.create']

  test.each(['a/b', 'a,b', 'a b', 'a:b', '', 'a'.repeat(129)])('cannot have the ID %j', (id) => {
    expect(wrongIn({ id }, body)).toBe('id')
  })
})

test.each(['', 'A', 'a/b', '-a', 'a-', 'a b', 'x'.repeat(41)])('[workspaces.main] no workspace is called %j', (id) => {
  expect(wrongIn({ id }, routes['workspaces.create'].body)).toBe('id')
})

describe('a phone', () => {
  const good = { name: 'P', account: { name: 'Alice', phone: '+86 (138) 1234-5678' } }
  const { body } = routes['phones.create']

  test('has a name of 64 characters at most, and a number of 3 to 20 digits however it is written', () => {
    for (const phone of ['123', '1'.repeat(20), good.account.phone]) {
      expect(wrongIn({ name: '🔑'.repeat(64), account: { name: 'A', phone } }, body)).toBeUndefined()
    }
  })

  test.each<[object, string]>([
    [{ name: 'x'.repeat(65) }, 'name'],
    [{ name: ' ' }, 'name'],
    [{ name: 'a\u2028b' }, 'name'],
    [{ account: { name: '', phone: '12345' } }, 'account.name'],
    [{ account: { name: 'A', phone: '12' } }, 'account.phone'],
    [{ account: { name: 'A', phone: 'call me' } }, 'account.phone'],
  ])('with %j is refused, by the name', (change, parameter) => {
    expect(wrongIn({ ...good, ...change }, body)).toBe(parameter)
  })

  test.each([
    { answer: 'approve' },
    { answer: 'approve', delay_ms: 1500, fingerprint_failures: 2, storage: 'chip' },
    { answer: 'reject', reason: 'not_me' },
  ])('can behave as %j says', (behaviour) => {
    expect(wrongIn({ ...good, behaviour }, body)).toBeUndefined()
  })

  test.each([
    [null, ''],
    [[], ''],
    ['ignore', ''],
    [{}, '.answer'],
    [{ answer: 'approve', delay: 1 }, '.delay'],
    [{ answer: 'approve', delay_ms: -1 }, '.delay_ms'],
    [{ answer: 'approve', delay_ms: 1.5 }, '.delay_ms'],
    [{ answer: 'approve', fingerprint_failures: 101 }, '.fingerprint_failures'],
    [{ answer: 'reject', reason: 'Not me!' }, '.reason'],
    [{ answer: 'approve', storage: 'pocket' }, '.storage'],
    [JSON.parse('{"answer":"approve","__proto__":1}'), '.__proto__'],
  ])('cannot behave as %j says', (behaviour, member) => {
    expect(wrongIn({ ...good, behaviour }, body)).toBe(`behaviour${member}`)
  })
})

describe('[profile.whole] the profile', () => {
  const { body } = routes['profile.patch']

  test('has a good default for every key', () => {
    expect(wrongIn(defaultProfile, wholeProfile)).toBeUndefined()
    expect(Object.keys(defaultProfile)).toEqual(Object.keys(profileSettings))
  })

  const wrong = (rule: ProfileSetting['rule']): readonly unknown[] => {
    if (rule.kind === 'number') return [rule.min - 1, rule.max + 1, rule.min + 0.5, String(rule.min), null]
    if (rule.kind === 'flag') return [0, 'true', null]
    if (rule.kind === 'choice') return ['', 'other', null, [rule.values[0]]]
    if (rule.kind === 'origins') return ['https://a.example', ['https://a.example/'], [null], null]
    if (rule.kind === 'identifiers')
      return ['a', [''], ['a\nb'], ['\ud800'], ['a'.repeat(129)], Array(33).fill('a'), null]
    const [first] = rule.values
    return [first, [first, first], ['other'], null, ...(rule.atLeast === 0 ? [] : [[]])]
  }
  const right = (rule: ProfileSetting['rule']): readonly unknown[] => {
    if (rule.kind === 'number') return [rule.min, rule.max]
    if (rule.kind === 'flag') return [true, false]
    if (rule.kind === 'choice') return rule.values
    if (rule.kind === 'origins') return [[], ['https://a.example', 'http://localhost:3000']]
    if (rule.kind === 'identifiers') return [[], ['eu-west-1', 'café, 中/2']]
    return [rule.values, rule.values.slice(0, 1)]
  }

  test.each(Object.entries<ProfileSetting>(profileSettings))('%s takes what its row says alone', (key, { rule }) => {
    for (const value of wrong(rule)) expect(wrongIn({ [key]: value }, body)).toMatch(new RegExp(`^${key}(\\[0\\])?$`))
    for (const value of right(rule)) expect(wrongIn({ [key]: value }, body)).toBeUndefined()
    expect(wrongIn({ profile: { [key]: wrong(rule)[0] } }, routes['workspaces.create'].body)).toBe(`profile.${key}`)
  })

  test('has no key that the service never reads', () => {
    const code = ['service', 'http', 'core/contract'].flatMap((room) => codeBelow(`src-main/${room}`))
    const text = code.map((path) => readFileSync(join(ROOT, path), 'utf8')).join('\n')
    const read = (key: string) => `\\b(profile|rules)\\.${key}\\b|[{,] ${key}\\b[^{}]*\\}: (Profile|InputRules)\\b`
    expect(Object.keys(profileSettings).filter((key) => !new RegExp(read(key)).test(text))).toEqual([])
  })

  test.each(['no_such_key', 'toString'])('has no key %s', (key) => {
    expect(wrongIn({ message_ttl_s: 10, [key]: 1 }, profilePart)).toBe(key)
    expect(wrongIn({ keys: [key] }, routes['profile.reset'].body)).toBe('keys[0]')
  })

  test.each([null, [], 'profile', 7])('is not %j, which is no object', (value) => {
    expect(wrongIn(value, profilePart)).toBe('')
  })
})

test.each<[string, object, string]>([
  ['an unknown side', { sea: {} }, 'sea'],
  ['an unknown key', { rp: { hail: 1 } }, 'rp.hail'],
  ['a negative number', { rp: { fail_next: -1 } }, 'rp.fail_next'],
  ['more than all', { rp: { fail_percent: 101 } }, 'rp.fail_percent'],
  ['a part of a percent', { rp: { lose_percent: 0.5 } }, 'rp.lose_percent'],
  ['more than ten minutes', { app: { latency_ms: 600_001 } }, 'app.latency_ms'],
  ['a code of no table', { rp: { fail_code: 12345 } }, 'rp.fail_code'],
  ['an operation that there is not', { rp: { only: ['attestation.results'] } }, 'rp.only[0]'],
  ['an operation of the other side', { app: { only: ['attestation.result'] } }, 'app.only[0]'],
])('network conditions with %s are refused, by the name', (_what, part, parameter) => {
  expect(wrongIn(part, routes['conditions.put'].body)).toBe(parameter)
  expect(wrongIn(part, routes['conditions.patch'].body)).toBe(parameter)
})

const goodPhone = () => ({ name: 'Alice’s phone', account: { name: 'Alice', phone: '13812345678' } })
const phone = routes['phones.create'].body

const unfit = (field: string, expected: object, got: string) => ({
  code: 'field_unfit',
  params: { field, expected, got },
})

test('a body that fits has no problem', () => {
  expect(findProblem(goodPhone(), phone)).toBeUndefined()
})

const missing = (field: string) => ({ code: 'field_missing', params: { field } })
const number = { code: 'number', params: { least: 0.001, most: 100_000 } }
const storages = { code: 'one_of', params: { values: ['"cloud"', '"chip"'] } }
const known = expect.arrayContaining(['name', 'account'])

test.each<[string, unknown, object, object]>([
  ['a missing field by its name', { account: goodPhone().account }, phone, missing('name')],
  [
    'an inner field by its path',
    { ...goodPhone(), account: { name: 'Alice', phone: 7 } },
    phone,
    unfit('account.phone', { code: 'phone_number' }, '7'),
  ],
  [
    'an unknown field beside the known ones',
    { ...goodPhone(), colour: 'red' },
    phone,
    { code: 'field_unknown', params: { field: 'colour', known } },
  ],
  ['the list of choices', { ...goodPhone(), storage: 'paper' }, phone, unfit('storage', storages, '"paper"')],
  ['a body that is no object', [], phone, unfit('', { code: 'object' }, '[]')],
  ['the range of a number', { speed: 0 }, routes['clock.put'].body, unfit('speed', number, '0')],
  ['what is no number', { speed: Number.NaN }, routes['clock.put'].body, unfit('speed', number, 'null')],
])('a refusal names %s', (_, body, schema, problem) => {
  expect(findProblem(body, schema)).toEqual(problem)
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

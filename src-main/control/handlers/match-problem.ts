import { type Refusal, refuse } from '../../contract/errors.ts'
import { eventHead, eventKinds, type Form, type Forms } from '../../contract/event-kinds.ts'
import { isObject } from '../../protocol/json.ts'

type Match = Readonly<Record<string, unknown>>

/** A match that no event can have would be waited for in vain, and a test that expects nothing to happen would pass. */
export const matchProblem = (match: Match): Refusal | undefined => {
  const kinds = Object.entries(eventKinds).filter(([kind]) => match.kind === undefined || match.kind === kind)
  if (kinds.length === 0) return problemIn(match, eventHead, 'match')
  const problems: Refusal[] = []
  for (const [, { fields }] of kinds) {
    const problem = problemIn(match, { ...eventHead, ...fields }, 'match')
    if (problem === undefined) return undefined
    problems.push(problem)
  }
  if (problems.length === 1) return problems[0]
  const all = Object.assign({}, eventHead, ...kinds.map(([, { fields }]) => fields)) as Forms
  const stranger = Object.keys(match).find((field) => !Object.hasOwn(all, field))
  if (stranger !== undefined) return unknownField('match', stranger, all)
  // The kind that has all the fields says best what is wrong with one of them.
  const best = kinds.findIndex(([, { fields }]) =>
    Object.keys(match).every((field) => Object.hasOwn({ ...eventHead, ...fields }, field)),
  )
  return (
    problems[best] ??
    refuse('invalid_parameter', `no event has all of these fields: ${Object.keys(match).join(', ')}.`, {
      data: { parameter: 'match' },
    })
  )
}

const problemIn = (value: unknown, form: Form, path: string): Refusal | undefined => {
  if (form === 'anything') return undefined
  if (typeof form === 'string') return IS[form](value) ? undefined : mustBe(path, WORDS[form], value)
  if (isWords(form)) {
    return form.some((word) => word === value) ? undefined : mustBe(path, `one of ${form.join(', ')}`, value)
  }
  if (!isObject(value)) return mustBe(path, 'an object', value)
  for (const [field, inner] of Object.entries(value)) {
    const known = Object.hasOwn(form, field) ? form[field] : undefined
    const problem = known === undefined ? unknownField(path, field, form) : problemIn(inner, known, `${path}.${field}`)
    if (problem !== undefined) return problem
  }
  return undefined
}

const isWords = (form: readonly string[] | Forms): form is readonly string[] => Array.isArray(form)

const IS = {
  text: (value: unknown) => typeof value === 'string',
  number: (value: unknown) => typeof value === 'number',
  flag: (value: unknown) => typeof value === 'boolean',
  list: (value: unknown) => Array.isArray(value),
} as const

const WORDS = { text: 'a string', number: 'a number', flag: 'true or false', list: 'a list' } as const

const mustBe = (path: string, wanted: string, got: unknown): Refusal =>
  refuse('invalid_parameter', `"${path}" must be ${wanted}; got ${JSON.stringify(got)}.`, { data: { parameter: path } })

const unknownField = (path: string, field: string, known: Forms): Refusal =>
  refuse('invalid_parameter', `no event has "${path}.${field}". Known are: ${Object.keys(known).join(', ')}.`, {
    data: { parameter: `${path}.${field}` },
  })

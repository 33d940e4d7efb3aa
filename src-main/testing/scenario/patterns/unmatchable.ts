import { type Expected, type FieldProblem, unfit, withinField } from '../../../core/contract/errors.ts'
import { EVENT_KINDS } from '../../../core/contract/events.ts'
import { impossibleMove, matchableEvents } from '../../../core/contract/matchable-events.ts'
import type { JsonSchema } from '../../../core/contract/schema.ts'
import { findProblem } from '../../../core/contract/validate.ts'
import { isObject } from '../../../core/protocol/json.ts'
import { findReferences } from '../variables.ts'
import { findMismatch, firstFound, isPattern, PATTERN_WORDS, regexProblem } from './mismatch.ts'

/**
 * With `strict`, every part of `any_of` and of `not` is checked by itself: a part that can never match is a mistake
 * even if another could. Otherwise one matching part of `any_of` is enough, and `not` is not checked.
 */
export const findUnmatchable = (schema: JsonSchema, wanted: unknown, strict = true): FieldProblem | undefined => {
  if (isVariable(wanted)) return undefined
  const alternatives = alternativesOf(schema)
  if (alternatives.some(isFree)) return strict ? misspeltPattern(wanted) : undefined
  if (isPattern(wanted)) return problemOfPattern(schema, wanted, strict)
  if (Array.isArray(wanted)) return problemOfList(schema, wanted, strict)
  if (isObject(wanted)) return problemOfFields(schema, wanted, strict)
  return unfitValue(alternatives, wanted)
}

const isVariable = (value: unknown): boolean => typeof value === 'string' && findReferences(value).length > 0

/** For a single alternative, its own problem is clearer than that of a choice. */
const unfitValue = (alternatives: readonly JsonSchema[], value: unknown): FieldProblem | undefined => {
  const values = wordsOf(alternatives)
  const [only, ...others] = values === undefined ? alternatives : [{ type: 'string', enum: values }]
  return findProblem(value, only !== undefined && others.length === 0 ? only : { anyOf: alternatives })
}

const problemOfList = (schema: JsonSchema, wanted: readonly unknown[], strict: boolean): FieldProblem | undefined => {
  const entries = entriesOf(schema)
  if (entries === undefined) return unfitValue(alternativesOf(schema), wanted)
  return firstFound(wanted, (part, i) => withinField(`[${i}]`, findUnmatchable(entries, part, strict)))
}

const problemOfFields = (schema: JsonSchema, wanted: Fields, strict: boolean): FieldProblem | undefined => {
  const fields = fieldsOf(schema)
  const keys = Object.keys(wanted)
  if (fields === undefined) {
    const [stranger] = keys.filter((key) => !PATTERN_WORDS.includes(key))
    return stranger === undefined
      ? unfitValue(alternativesOf(schema), wanted)
      : { code: 'field_unknown', params: { field: stranger, known: PATTERN_WORDS } }
  }
  const known = Object.keys(fields)
  const problem = firstFound(keys, (key): FieldProblem | undefined => {
    const inner = Object.hasOwn(fields, key) ? fields[key] : undefined
    if (inner === undefined) return { code: 'field_unknown', params: { field: key, known } }
    return withinField(key, absentProblem(schema, key, wanted[key]) ?? findUnmatchable(inner, wanted[key], strict))
  })
  return problem ?? problemOfAll(schema, wanted)
}

/** Finds fields that exist in the schema, but never together in one alternative. */
const problemOfAll = (schema: JsonSchema, wanted: Fields): FieldProblem | undefined => {
  const alternatives = alternativesOf(schema).filter(({ properties }) => properties !== undefined)
  const together = (one: JsonSchema): boolean =>
    Object.entries(wanted).every(([key, part]) => {
      const { [key]: inner } = one.properties ?? {}
      if (inner === undefined) return isPattern(part) && findMismatch(part, undefined) === undefined
      return findUnmatchable(inner, part, false) === undefined
    })
  if (alternatives.length < 2 || alternatives.some(together)) return undefined
  return unfit('', { code: 'fields_of_one_kind' }, wanted)
}

/** A required field is never absent. */
const absentProblem = ({ required = [] }: JsonSchema, key: string, part: unknown): FieldProblem | undefined =>
  isPattern(part) && part.present === false && required.includes(key)
    ? withinField('present', unfit('', { code: 'value', params: { json: 'true' } }, false))
    : undefined

type Word = (schema: JsonSchema, part: unknown, strict: boolean) => FieldProblem | undefined

const problemOfPattern = (schema: JsonSchema, wanted: Fields, strict: boolean): FieldProblem | undefined =>
  firstFound(Object.entries(wanted), ([word, part]) =>
    withinField(word, isVariable(part) ? undefined : WORDS[word]?.(schema, part, strict)),
  )

/** If the schema lists the allowed texts, one must match. */
const textWord =
  (word: string): Word =>
  (schema, part) => {
    if (!takes(schema, ['string'])) return unfit('', { code: 'something_else' }, part)
    const values = wordsOf(alternativesOf(schema))
    if (values === undefined || values.some((value) => findMismatch({ [word]: part }, value) === undefined))
      return undefined
    return unfit('', { code: 'one_of', params: { values: values.map((value) => JSON.stringify(value)) } }, part)
  }

const bound = (fits: (range: { readonly least: number; readonly most: number }, part: number) => boolean): Word => {
  return (schema, part) => {
    const numbers = alternativesOf(schema).filter(({ type }) => type === 'number' || type === 'integer')
    const inRange = numbers.some(
      ({ minimum: least = Number.NEGATIVE_INFINITY, maximum: most = Number.POSITIVE_INFINITY }) =>
        fits({ least, most }, Number(part)),
    )
    return inRange ? undefined : unfit('', { code: 'something_else' }, part)
  }
}

/** Where any value is allowed, finds a field that looks like a misspelt pattern word; `equals` allows such a field. */
const misspeltPattern = (wanted: unknown): FieldProblem | undefined => {
  if (typeof wanted !== 'object' || wanted === null) return undefined
  const stranger = isObject(wanted) && !isPattern(wanted) ? strangerIn(Object.keys(wanted)) : undefined
  if (stranger !== undefined) return { code: 'field_unknown', params: { field: stranger, known: PATTERN_WORDS } }
  return firstFound(Object.entries(wanted), ([key, part]) => {
    const problem = key === 'equals' && isPattern(wanted) ? undefined : misspeltPattern(part)
    return withinField(Array.isArray(wanted) ? `[${key}]` : key, problem)
  })
}

/** An unknown key next to a pattern's word, or a single key that is nearly a pattern's word. */
const strangerIn = (keys: readonly string[]): string | undefined => {
  const strangers = keys.filter((key) => !PATTERN_WORDS.includes(key))
  if (strangers.length < keys.length) return strangers[0]
  const [only, ...others] = strangers
  return others.length === 0 && only !== undefined && PATTERN_WORDS.some((word) => isSlipOf(word, only))
    ? only
    : undefined
}

/** Shorter words are too similar to real field names: `note`, `reach`. */
const SHORTEST = 5

/** True if a letter is missing or added, or two are swapped; names such as `batches` are different words. */
const isSlipOf = (word: string, key: string): boolean => {
  if (word.length < SHORTEST || word[0] !== key[0]) return false
  if (word.length === key.length) return sortedLetters(word) === sortedLetters(key)
  const [longer, shorter] = word.length > key.length ? [word, key] : [key, word]
  return longer.length === shorter.length + 1 && withoutOneLetter(longer).includes(shorter)
}

const sortedLetters = (word: string): string => [...word].sort().join('')

const withoutOneLetter = (word: string): readonly string[] =>
  [...word].map((_, i) => `${word.slice(0, i)}${word.slice(i + 1)}`)

export type Fields = Readonly<Record<string, unknown>>

const alternativesOf = (schema: JsonSchema): readonly JsonSchema[] =>
  schema.anyOf === undefined ? [schema] : schema.anyOf.flatMap(alternativesOf)

const isFree = ({ type, properties, anyOf, enum: values, const: value }: JsonSchema): boolean => {
  if (anyOf !== undefined || values !== undefined || value !== undefined) return false
  return type === undefined || (type === 'object' && properties === undefined)
}

const anyOf = (schemas: readonly JsonSchema[]): JsonSchema | undefined =>
  schemas.length < 2 ? schemas[0] : { anyOf: schemas }

/** Undefined if none of its values is a list. */
const entriesOf = (schema: JsonSchema): JsonSchema | undefined =>
  anyOf(alternativesOf(schema).flatMap(({ type, items }) => (type === 'array' ? [items ?? {}] : [])))

/** Undefined if none of its values is an object. */
const fieldsOf = (schema: JsonSchema): Readonly<Record<string, JsonSchema>> | undefined => {
  const objects = alternativesOf(schema).flatMap(({ properties }) => (properties === undefined ? [] : [properties]))
  if (objects.length === 0) return undefined
  const names = new Set(objects.flatMap(Object.keys))
  return Object.fromEntries(
    [...names].map((name) => [name, anyOf(objects.flatMap(({ [name]: inner }) => inner ?? [])) ?? {}]),
  )
}

/** All allowed texts if the alternatives list them; undefined if any text is allowed. */
const wordsOf = (alternatives: readonly JsonSchema[]): readonly string[] | undefined => {
  const words: unknown[] = []
  for (const { const: value, enum: values, type } of alternatives) {
    if (value === undefined && values === undefined) return undefined
    if (type !== undefined && type !== 'string') return undefined
    words.push(...(values ?? [value]))
  }
  return words.every((word) => typeof word === 'string') ? [...new Set(words)] : undefined
}

const takes = (schema: JsonSchema, types: readonly string[]): boolean =>
  alternativesOf(schema).some(({ type, const: value, enum: values = [value] }) =>
    type === undefined ? values.some((one) => types.includes(typeof one)) : types.includes(type),
  )

const WORDS: Readonly<Record<string, Word>> = {
  equals: (schema, part) => problemOfLiteral(schema, part),
  not: (schema, part, strict) => (strict ? findUnmatchable(schema, part) : undefined),
  matches: textWord('matches'),
  glob: textWord('glob'),
  contains: (schema, part, strict) => {
    const entries = entriesOf(schema)
    if (entries !== undefined && !takes(schema, ['string'])) return findUnmatchable(entries, part, strict)
    return typeof part === 'string' ? textWord('contains')(schema, part, strict) : unfit('', { code: 'text' }, part)
  },
  any_of: (schema, part, strict) => {
    if (!Array.isArray(part)) return undefined
    const problems = part.map((each, i) => withinField(`[${i}]`, findUnmatchable(schema, each, strict)))
    return strict || problems.every((problem) => problem !== undefined)
      ? problems.find((problem) => problem !== undefined)
      : undefined
  },
  each: (schema, part, strict) => {
    const entries = entriesOf(schema)
    return entries === undefined ? unfit('', { code: 'something_else' }, part) : findUnmatchable(entries, part, strict)
  },
  at_least: bound(({ most }, part) => part <= most),
  at_most: bound(({ least }, part) => part >= least),
  length: (schema, part, strict) =>
    takes(schema, ['string', 'array'])
      ? findUnmatchable({ type: 'integer', minimum: 0 }, part, strict)
      : unfit('', { code: 'something_else' }, part),
  present: () => undefined,
}

/** For `equals`: the object must have all required fields of the schema, and no unknown ones. */
const problemOfLiteral = (schema: JsonSchema, wanted: unknown): FieldProblem | undefined => {
  const alternatives = alternativesOf(schema)
  if (isVariable(wanted) || alternatives.some(isFree)) return undefined
  const entries = entriesOf(schema)
  if (Array.isArray(wanted) && entries !== undefined) {
    return firstFound(wanted, (part, i) => withinField(`[${i}]`, problemOfLiteral(entries, part)))
  }
  const fields = fieldsOf(schema)
  if (!isObject(wanted) || fields === undefined) return unfitValue(alternatives, wanted)
  const absent = (schema.required ?? []).find((key) => !Object.hasOwn(wanted, key))
  if (absent !== undefined) return { code: 'field_missing', params: { field: absent } }
  return firstFound(Object.keys(wanted), (key): FieldProblem | undefined => {
    const inner = Object.hasOwn(fields, key) ? fields[key] : undefined
    return inner === undefined
      ? { code: 'field_unknown', params: { field: key, known: Object.keys(fields) } }
      : withinField(key, problemOfLiteral(inner, wanted[key]))
  })
}

/** Why no event can match these fields: a step that expects none would pass without any meaning. */
export const eventProblem = (match: Fields): FieldProblem | undefined => {
  const events = matchableEvents()
  const { kind, ...fields } = match
  if (kind === undefined || isPattern(match)) return findUnmatchable({ anyOf: Object.values(events) }, match)
  const wrong = findUnmatchable({ type: 'string', enum: EVENT_KINDS }, kind)
  if (wrong !== undefined) return withinField('kind', wrong)
  const known = findReferences(kind).length === 0
  const kinds = EVENT_KINDS.filter((each) => !known || findMismatch(kind, each) === undefined)
  const [only, ...others] = kinds.map((each) => events[each])
  const schema = only !== undefined && others.length === 0 ? only : { anyOf: kinds.map((each) => events[each]) }
  return findUnmatchable(schema, fields) ?? impossibleMove(match)
}

const TAKES: Readonly<Record<string, readonly [expected: Expected, is: (value: unknown) => boolean]>> = {
  matches: [{ code: 'regular_expression', params: {} }, (value) => typeof value === 'string'],
  glob: [{ code: 'glob' }, (value) => typeof value === 'string'],
  any_of: [{ code: 'entries_at_least', params: { count: 1 } }, (value) => Array.isArray(value) && value.length > 0],
  at_least: [{ code: 'number', params: {} }, (value) => typeof value === 'number'],
  at_most: [{ code: 'number', params: {} }, (value) => typeof value === 'number'],
  present: [{ code: 'true_or_false' }, (value) => typeof value === 'boolean'],
}

/** A part that is a variable is checked when it has its value. */
export const patternProblem = (value: unknown): FieldProblem | undefined => {
  if (typeof value !== 'object' || value === null) return undefined
  return firstFound(Object.entries(value), ([word, part]) => {
    const problem = (isPattern(value) ? wordProblem(word, part) : undefined) ?? patternProblem(part)
    return withinField(Array.isArray(value) ? `[${word}]` : word, problem)
  })
}

/** The problem is in the word's own value, so its `field` is empty. */
const wordProblem = (word: string, part: unknown): FieldProblem | undefined => {
  const takes = TAKES[word]
  if (takes === undefined || (typeof part === 'string' && findReferences(part).length > 0)) return undefined
  const [expected, is] = takes
  if (!is(part)) return unfit('', expected, part)
  const error = word === 'matches' ? regexProblem(String(part)) : undefined
  return error === undefined ? undefined : unfit('', { code: 'regular_expression', params: { error } }, part)
}

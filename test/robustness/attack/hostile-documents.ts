import { type Dice, diceOf } from '../dice.ts'

type Json = unknown
type Path = readonly (string | number)[]

/** A document with one change, and where. */
export type Hostile = {
  readonly what: string
  /** Of the field, as a refusal names it. */
  readonly path: string
  readonly document: Readonly<Record<string, Json>>
}

/** What no field of a document may be taken to be. */
const VALUES: readonly (readonly [string, Json])[] = [
  ['nothing', null],
  ['an empty text', ''],
  ['a number in its place', 5],
  ['an object in its place', { a: 1 }],
  ['a list in its place', [[]]],
  ['a flag in its place', true],
  ['control characters', 'a\r\nSet-Cookie: b\u0000'],
  ['letters beyond Latin', '中文\u{1f511}'],
  ['a text without end', 'A'.repeat(200_000)],
  ['bytes that mean nothing', 'AAAA'],
  ['a number without end', 1e300],
  ['a fraction', 0.5],
  ['a number below nothing', -1],
  ['a number that does not count by one', 2 ** 53],
]
const PER_FIELD = 1

/**
 * Systematic, seeded and bounded: every field of the first row of each table and of each document inside, with some of
 * the values above; each row twice, each column left out, each reference to nothing.
 */
export const hostileDocuments = (good: Readonly<Record<string, Json>>, seed: number): readonly Hostile[] => {
  const dice = diceOf(seed)
  const out: Hostile[] = []
  const add = (what: string, path: Path, value: Json): void => {
    out.push({
      what: `${path.join('.')}: ${what}`,
      path: pathText(path),
      document: withValue(good, path, value) as Hostile['document'],
    })
  }
  const tables = at(good, ['service', 'tables']) as Readonly<Record<string, readonly Readonly<Record<string, Json>>[]>>
  for (const [table, rows] of Object.entries(tables)) {
    const path: Path = ['service', 'tables', table]
    const [first] = rows
    for (const [what, value] of some(dice, 2)) add(what, path, value)
    if (first === undefined) continue
    add('a row twice', path, [...rows, first])
    for (const column of Object.keys(first)) {
      for (const [what, value] of some(dice, PER_FIELD)) add(what, [...path, 0, column], value)
      add('left out', [...path, 0], Object.fromEntries(Object.entries(first).filter(([key]) => key !== column)))
    }
  }
  for (const [table, column] of [
    ['access_keys', 'rp'],
    ['devices', 'account'],
    ['messages', 'rp'],
    ['credentials', 'rp'],
    ['vault', 'account'],
  ] as const) {
    add('a reference to nothing', ['service', 'tables', table, 0, column], 'nothing_of_this_name')
  }
  for (const path of leaves(at(good, ['clock']), ['clock']))
    for (const [what, value] of some(dice, PER_FIELD)) add(what, path, value)
  for (const [what, value] of VALUES) {
    add(what, ['service', 'random'], { stream: value })
    add(what, ['service', 'tables', 'rps', 0, 'origins'], JSON.stringify(value))
    add(what, ['service', 'tables', 'settings'], [{ name: 'profile', value: JSON.stringify(value) }])
  }
  for (const at of [
    ['phones', 'makers'],
    ['phones', 'phones', 0, 'json'],
    ['phones', 'phones', 0, 'chip', 0, 'json'],
  ]) {
    out.push(...inside(good, at, dice))
  }
  return out
}

/** A JSON text within the document: each of its own fields. */
const inside = (good: Readonly<Record<string, Json>>, path: Path, dice: Dice): readonly Hostile[] => {
  const inner: Json = JSON.parse(String(at(good, path)))
  const chosen = leaves(inner).filter(() => dice.chance(0.4))
  return chosen.flatMap((leaf) =>
    some(dice, 1).map(([what, value]) => ({
      what: `${[...path, ...leaf].join('.')}: ${what}`,
      path: pathText([...path, ...leaf]),
      document: withValue(good, path, JSON.stringify(withValue(inner, leaf, value))) as Hostile['document'],
    })),
  )
}

const pathText = (path: Path): string =>
  path.map((key, index) => (typeof key === 'number' ? `[${key}]` : index === 0 ? key : `.${key}`)).join('')

const some = (dice: Dice, count: number): readonly (readonly [string, Json])[] => {
  const left = [...VALUES]
  return Array.from({ length: count }, () => left.splice(dice.below(left.length), 1)).flat()
}

const at = (value: Json, path: Path): Json =>
  path.reduce<Json>((inner, key) => (inner as Readonly<Record<string | number, Json>>)[key], value)

const withValue = (value: Json, [key, ...rest]: Path, changed: Json): Json => {
  if (key === undefined) return changed
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string | number, Json>
  copy[key] = withValue(copy[key], rest, changed)
  return copy
}

const leaves = (value: Json, path: Path = []): readonly Path[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) =>
        leaves(inner, [...path, Array.isArray(value) ? Number(key) : key]),
      )
    : [path]

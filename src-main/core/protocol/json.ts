import { orNothing } from './result.ts'

export type JsonObject = Readonly<Record<string, unknown>>

export const escapeForJson = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`

export const parseJsonOrNothing = (text: string): unknown => orNothing(() => JSON.parse(text))

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An object with the same keys. */
export const mapValues = <T extends object, V>(object: T, change: (value: T[keyof T], key: keyof T) => V) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key as keyof T)])) as {
    readonly [K in keyof T]: V
  }

/** The value with each text in it changed; the names of members stay. */
export const mapTexts = (value: unknown, change: (text: string) => unknown): unknown => {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapTexts(each, change)]))
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

export const withoutUndefined = <T extends object>(members: T): Defined<T> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<T>

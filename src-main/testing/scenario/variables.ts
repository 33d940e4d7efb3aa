import { isObject } from '../../core/protocol/json.ts'

/** `${name.part}`; `$${` is a plain `${`. */
const REFERENCE = /\$(\$?)\{([^{}]*)\}/g
const NAME = /^[A-Za-z_][\w-]*(\.[\w-]+)*$/

/** The value of `name.part`. */
export type Lookup = (reference: string) => unknown

export const isReference = (text: string): boolean => NAME.test(text)

const isOnly = (text: string): boolean => text.startsWith('${') && text.indexOf('}') === text.length - 1

/**
 * The value with each reference replaced, once: a variable's own text is never read as a reference. A text that is one
 * reference becomes the variable's value with its type.
 */
export const fillIn = (value: unknown, find: Lookup): unknown => {
  if (typeof value === 'string') return isOnly(value) ? find(value.slice(2, -1)) : fillText(value, find)
  if (Array.isArray(value)) return value.map((each) => fillIn(each, find))
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fillIn(each, find)]))
  return value
}

export const fillText = (text: string, find: Lookup): string =>
  text.replace(REFERENCE, (_, escaped: string, name: string) => (escaped === '$' ? `\${${name}}` : textOf(find(name))))

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

export const referencesIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') {
    return [...value.matchAll(REFERENCE)].flatMap(([, escaped, name = '']) => (escaped === '$' ? [] : [name]))
  }
  if (Array.isArray(value)) return value.flatMap(referencesIn)
  return isObject(value) ? Object.values(value).flatMap(referencesIn) : []
}

export const headOf = (reference: string): string => reference.split('.')[0] ?? reference

export const partOf = (value: unknown, parts: readonly string[]): unknown => {
  let at = value
  for (const part of parts) {
    const inside = (isObject(at) || Array.isArray(at)) && Object.hasOwn(at, part)
    at = inside ? (at as Readonly<Record<string, unknown>>)[part] : undefined
  }
  return at
}

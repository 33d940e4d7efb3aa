import { isObject, mapTexts } from '../../core/protocol/json.ts'

/** `${name.part}`; `$${` is a plain `${`. */
const REFERENCE = /\$(\$?)\{([^{}]*)\}/g
const NAME = /^[A-Za-z_][\w-]*(\.[\w-]+)*$/

/** The value of `name.part`. */
export type FindVariable = (reference: string) => unknown

export const isReference = (text: string): boolean => NAME.test(text)

const isOnly = (text: string): boolean => text.startsWith('${') && text.indexOf('}') === text.length - 1

/**
 * The value with each reference replaced, once: a variable's own text is never read as a reference. A text that is one
 * reference becomes the variable's value with its type.
 */
export const fillReferences = (value: unknown, find: FindVariable): unknown =>
  mapTexts(value, (text) => (isOnly(text) ? find(text.slice(2, -1)) : fillText(text, find)))

export const fillText = (text: string, find: FindVariable): string =>
  text.replace(REFERENCE, (_, escaped: string, name: string) => (escaped === '$' ? `\${${name}}` : textOf(find(name))))

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

export const findReferences = (value: unknown): readonly string[] => {
  if (typeof value === 'string') {
    return [...value.matchAll(REFERENCE)].flatMap(([, escaped, name = '']) => (escaped === '$' ? [] : [name]))
  }
  if (Array.isArray(value)) return value.flatMap(findReferences)
  return isObject(value) ? Object.values(value).flatMap(findReferences) : []
}

export const referenceName = (reference: string): string => reference.split('.')[0] ?? reference

export const readPart = (value: unknown, parts: readonly string[]): unknown => {
  let at = value
  for (const part of parts) {
    const inside = (isObject(at) || Array.isArray(at)) && Object.hasOwn(at, part)
    at = inside ? (at as Readonly<Record<string, unknown>>)[part] : undefined
  }
  return at
}

import { isObject, mapTexts } from '../../core/protocol/json.ts'

export type Values = Readonly<Record<string, unknown>>

/** A dot precedes a member, a colon another form of the value. Text in two pairs of braces stays as it is. */
const NAME = /\{(\{[a-z_][\w.:]*\})\}|\{([a-z_][\w.:]*)\}/gi

/** Doubles the braces of names in the text, so `fillTemplate` gives the text back and fills in no values. */
export const escapeTemplate = (text: string): string => text.replace(/\{[a-z_][\w.:]*\}/gi, '{$&}')

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

export const fillText = (template: string, values: Values, encode: (text: string) => string = (text) => text): string =>
  template.replace(
    NAME,
    (whole, stays: string | undefined, name: string) =>
      stays ?? (name in values ? encode(textOf(values[name])) : whole),
  )

/** A text that consists of a single name becomes the value itself: a list stays a list. */
export const fillTemplate = (template: unknown, values: Values): unknown =>
  mapTexts(template, (text) => {
    const alone = /^\{([a-z_][\w.:]*)\}$/i.exec(text)?.[1]
    return alone !== undefined && alone in values ? values[alone] : fillText(text, values)
  })

/** Members without a value are left out, as in JSON. */
export const fillTexts = (template: Values, values: Values): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(template).flatMap(([key, value]) => {
      const filled = fillTemplate(value, values)
      return filled === undefined ? [] : [[key, textOf(filled)]]
    }),
  )

export const placeholderNames = (template: unknown): readonly string[] => {
  if (typeof template === 'string') return [...template.matchAll(NAME)].flatMap(([, , name]) => name ?? [])
  if (Array.isArray(template)) return template.flatMap(placeholderNames)
  return isObject(template) ? Object.values(template).flatMap(placeholderNames) : []
}

import { escapedInJson, isObject } from '../../protocol/json.ts'

type Style = {
  readonly item: string
  readonly colon: string
  readonly indent?: string
  readonly sort?: true
  readonly text?: (written: string) => string
}

const ascii = (written: string): string => written.replace(/[\u0080-\uffff]/g, escapedInJson)

const html = (written: string): string => written.replace(/[<>&\u2028\u2029]/g, escapedInJson)

const slashes = (written: string): string => written.replaceAll('/', '\\/')

/** How the common libraries write JSON. */
const STYLES: readonly Style[] = [
  { item: ',', colon: ':' },
  { item: ', ', colon: ': ' },
  { item: ', ', colon: ': ', text: ascii },
  { item: ',', colon: ':', text: ascii },
  { item: ',', colon: ':', text: slashes },
  { item: ',', colon: ':', text: (written) => slashes(ascii(written)) },
  { item: ',', colon: ':', text: html },
  { item: ',', colon: ':', sort: true },
  { item: ', ', colon: ': ', sort: true },
  { item: ',', colon: ':', sort: true, text: html },
  { item: ',', colon: ': ', indent: '  ' },
  { item: ',', colon: ': ', indent: '    ' },
  { item: ',', colon: ': ', indent: '\t' },
  { item: ',', colon: ': ', indent: '  ', sort: true },
]

const write = (value: unknown, style: Style, depth = 0): string => {
  if (typeof value === 'string') return (style.text ?? String)(JSON.stringify(value))
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Array.isArray(value)
    ? value.map((inner) => write(inner, style, depth + 1))
    : entriesOf(value, style).map(
        ([name, inner]) => `${write(name, style)}${style.colon}${write(inner, style, depth + 1)}`,
      )
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  if (style.indent === undefined || members.length === 0) return `${open}${members.join(style.item)}${close}`
  const line = `\n${style.indent.repeat(depth + 1)}`
  return `${open}${line}${members.join(style.item + line)}\n${style.indent.repeat(depth)}${close}`
}

const entriesOf = (value: object, { sort }: Style): readonly (readonly [string, unknown])[] =>
  sort === true ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)) : Object.entries(value)

const MOST_MEMBERS = 5

const orders = <T>(list: readonly T[]): readonly (readonly T[])[] =>
  list.length < 2
    ? [list]
    : list.flatMap((first, i) => orders(list.filter((_, j) => j !== i)).map((rest) => [first, ...rest]))

export const parseBody = (body: string): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(body) }
  } catch {
    return undefined
  }
}

/** The same value, as other libraries would write it. */
export const restyled = (value: unknown): readonly string[] => STYLES.map((style) => write(value, style))

/** The same members in every order. */
export const reordered = (value: unknown): readonly string[] => {
  if (!isObject(value)) return []
  const entries = Object.entries(value)
  if (entries.length > MOST_MEMBERS) return []
  return orders(entries).flatMap((order) => STYLES.slice(0, 3).map((style) => write(Object.fromEntries(order), style)))
}

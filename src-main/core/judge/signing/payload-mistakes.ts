import { octetString, toBase64url, utf8Octets } from '../../protocol/bytes.ts'
import { escapeForJson, isObject, parseJsonOrNothing } from '../../protocol/json.ts'
import { toBase64 } from '../base64.ts'
import { type DraftChange, defineMistakes, type MistakeContext } from './mistake.ts'

const ofBodies = (bodies: readonly string[], { crypto, message }: MistakeContext): readonly DraftChange[] =>
  [...new Set(bodies)]
    .filter((body) => body !== message.body)
    .map((body) => ({ body, payload: crypto.sha256Hex(utf8Octets(body)) }))

const formOf = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null
    ? [new URLSearchParams(Object.entries(value).map(([name, inner]) => [name, String(inner)])).toString()]
    : []

export const payloadMistakes = {
  ...defineMistakes('payload', {
    'body-missing': (_, { crypto, message }) =>
      message.body === '' ? [] : [{ body: '', payload: crypto.sha256Hex('') }],
    'body-rewritten': (_, context) => ofBodies(restyled(parseJsonOrNothing(context.message.body)), context),
    'body-reordered': (_, context) => ofBodies(reordered(parseJsonOrNothing(context.message.body)), context),
    'body-newline': (_, context) => {
      const { body } = context.message
      const converted = [body.replaceAll('\r\n', '\n'), body.replace(/\r?\n/g, '\r\n')]
      return ofBodies([`${body}\n`, `${body}\r\n`, body.trimEnd(), body.trim(), ...converted], context)
    },
    'body-of-another-kind': (_, context) => {
      const parsed = parseJsonOrNothing(context.message.body)
      const usual = ['{}', 'null', 'undefined', '""', '[]', '[object Object]', ...formOf(parsed)]
      return ofBodies([...usual, JSON.stringify(context.message.body)], context)
    },
    'payload-unhashed': (_, { message }) => [{ payload: utf8Octets(message.body) }, { payload: 'UNSIGNED-PAYLOAD' }],
    'payload-writing': ({ payload }, { crypto, message }) => {
      const hash = crypto.sha256(utf8Octets(message.body))
      const base64 = toBase64(hash)
      return [payload.toUpperCase(), toBase64url(hash), base64, base64.replace('=', '')].map((text) => ({
        payload: text,
      }))
    },
    'payload-twice': ({ payload }, { crypto, message }) => [
      { payload: crypto.sha256Hex(payload) },
      { payload: crypto.sha256Hex(octetString(crypto.sha256(utf8Octets(message.body)))) },
    ],
  }),
}

type Style = {
  readonly item: string
  readonly colon: string
  readonly indent?: string
  readonly sort?: true
  readonly text?: (written: string) => string
}

const ascii = (written: string): string => written.replace(/[\u0080-\uffff]/g, escapeForJson)

const html = (written: string): string => written.replace(/[<>&\u2028\u2029]/g, escapeForJson)

const slashes = (written: string): string => written.replaceAll('/', '\\/')

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

const MAX_MEMBERS = 5

const orders = <T>(list: readonly T[]): readonly (readonly T[])[] =>
  list.length < 2
    ? [list]
    : list.flatMap((first, i) => orders(list.filter((_, j) => j !== i)).map((rest) => [first, ...rest]))

const restyled = (value: unknown): readonly string[] =>
  value === undefined ? [] : STYLES.map((style) => write(value, style))

const reordered = (value: unknown): readonly string[] => {
  if (!isObject(value)) return []
  const entries = Object.entries(value)
  if (entries.length > MAX_MEMBERS) return []
  return orders(entries).flatMap((order) => STYLES.slice(0, 3).map((style) => write(Object.fromEntries(order), style)))
}

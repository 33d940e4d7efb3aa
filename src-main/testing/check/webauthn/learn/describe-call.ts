import type { HttpCall, ValueSource } from '../../../../core/contract/http-call.ts'
import { isObject, type JsonObject, parseJsonOrNothing } from '../../../../core/protocol/json.ts'
import type { AuthenticationResponseJson, RegistrationResponseJson } from '../../../../core/protocol/webauthn-json.ts'
import { escapeTemplate } from '../../../calls/placeholders.ts'
import { decodeEntities } from '../../../calls/session.ts'
import { credentialValues, type ENCODINGS } from '../credential-names.ts'

/** A request of the page and its answer after all redirects. Header names are in lower case. */
export type ObservedCall = {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly answer: ObservedAnswer
}

export type ObservedAnswer = {
  readonly status: number
  readonly address: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Cookies that the answer or one of its redirects set. */
  readonly cookies: Readonly<Record<string, string>>
  readonly text: string
}

/** A ceremony that the page began. `at`: the number of requests before it. */
export type Ceremony = {
  readonly at: number
  readonly challenge: string
  readonly response: RegistrationResponseJson | AuthenticationResponseJson
}

/** One ceremony in a new browser. */
export type Visit = {
  readonly user: { readonly name: string; readonly displayName: string }
  readonly seen: readonly ObservedCall[]
  readonly ceremony: Ceremony
}

/** A place in a call. */
export type FieldPath = readonly (string | number)[]

// --- One call ---

export type KeptValue = {
  readonly at: number
  readonly name: string
  readonly reading: string
  /** The text in the first visit; `other` is the text at the same place in the second visit. */
  readonly value: string
  readonly other: string | undefined
}

export type CallContext = {
  readonly at: number
  readonly honest: Visit
  readonly wrong: Visit | undefined
  /** Calls of the second visit, by the index of the matching call in the first. */
  readonly partners: ReadonlyMap<number, ObservedCall>
  readonly kept: KeptValue[]
  /** Describes the call at this index too, and returns the map of values to keep from its answer. */
  readonly need: (at: number) => Record<string, ValueSource>
  readonly remark: (path: FieldPath, text: string) => void
  readonly isAnswer: boolean
}

type Body = { readonly kind: 'json' | 'form' | 'none' | 'other'; readonly value?: unknown; readonly remark?: string }

const bodyIn = ({ body, headers }: ObservedCall): Body => {
  if (body === undefined || body === '') return { kind: 'none' }
  const type = headers['content-type'] ?? ''
  const json = parseJsonOrNothing(body)
  if (json !== undefined && typeof json === 'object') return { kind: 'json', value: json }
  if (type.startsWith('application/x-www-form-urlencoded'))
    return { kind: 'form', value: Object.fromEntries(new URLSearchParams(body)) }
  const boundary = /^multipart\/form-data;.*boundary="?([^";]+)/.exec(type)?.[1]
  if (boundary === undefined) return { kind: 'other' }
  const parts = body.split(`--${boundary}`).flatMap((part) => {
    const [, name, value] = /name="([^"]*)"\r\n(?:[^\r]+\r\n)*\r\n(.*)\r\n$/s.exec(part) ?? []
    return name === undefined || value === undefined ? [] : [[name, value] as const]
  })
  return { kind: 'form', value: Object.fromEntries(parts), remark: 'The page sends multipart/form-data.' }
}

export const describeCall = (seen: ObservedCall, server: string, filling: CallContext): HttpCall => {
  const { partners, at, remark } = filling
  const partner = partners.get(at)
  const url = new URL(seen.url)
  const other = partner === undefined ? undefined : new URL(partner.url)
  const own = bodyIn(seen)
  const theirs = partner === undefined ? undefined : bodyIn(partner)
  if (own.kind === 'other') remark([], `The page sends ${seen.headers['content-type'] ?? 'a body without a type'}.`)
  if (own.remark !== undefined) remark(['form'], own.remark)
  const style = styleOf(filling, [own.value, theirs?.value])
  const fillEach = (value: unknown, beside: unknown, path: FieldPath): unknown =>
    filled(value, beside, path, { ...filling, style })
  const partsOf = ({ pathname }: URL): readonly string[] => pathname.split('/').map(decodeForm)
  const elsewhere = other === undefined ? [] : partsOf(other)
  const path = partsOf(url)
    .map((part, i) => fillEach(part, elsewhere[i], ['path']))
    .join('/')
  const query = [...url.searchParams].map(([key, value]) => {
    const beside = other?.searchParams.get(key) ?? undefined
    const text = String(fillEach(value, beside, ['path']))
    return `${key}=${text.includes('{') ? text : encodeURIComponent(text)}`
  })
  const whole = `${path}${query.length === 0 ? '' : `?${query.join('&')}`}`
  const usual = own.kind === 'none' || own.kind === 'other' ? 'GET' : 'POST'
  const headers = Object.fromEntries(
    Object.entries(seen.headers)
      .filter(([name, value]) => isDistinctive(name, value, own.kind))
      .map(([name, value]) => [name, fillEach(value, partner?.headers[name], ['headers', name])]),
  )
  return {
    path: url.origin === server ? whole : `${url.origin}${whole}`,
    ...(seen.method === usual ? {} : { method: seen.method as NonNullable<HttpCall['method']> }),
    ...(own.value === undefined ? {} : { [own.kind]: fillEach(own.value, theirs?.value, [own.kind]) }),
    ...(Object.keys(headers).length === 0 ? {} : { headers: headers as NonNullable<HttpCall['headers']> }),
  }
}

/** Headers that every browser sends on its own. */
const OF_BROWSERS =
  /^(:|accept-|content-length|user-agent|sec-|origin|referer|cookie|host|connection|cache-control|pragma|upgrade-insecure|priority|dnt|if-|te$|keep-alive|proxy-)/

const isDistinctive = (name: string, value: string, kind: Body['kind']): boolean => {
  if (OF_BROWSERS.test(name)) return false
  if (name === 'accept') return value.includes('json') && !value.includes('html')
  if (name !== 'content-type') return true
  return kind === 'json' && !value.startsWith('application/json')
}

type Styled = CallContext & { readonly style: (typeof ENCODINGS)[number] | undefined }

/** Octets in standard base64 may look like base64url. One value that differs shows the encoding of all. */
const styleOf = ({ isAnswer, honest, wrong }: CallContext, bodies: readonly unknown[]): Styled['style'] => {
  if (!isAnswer) return undefined
  const texts = new Set(bodies.flatMap((body) => findLeaves(body).map(({ value }) => value)))
  const standard = [honest, ...(wrong === undefined ? [] : [wrong])].flatMap(({ ceremony }) =>
    Object.entries(credentialValues(ceremony.response)).flatMap(([name, value]) =>
      name.endsWith(':base64') && typeof value === 'string' ? value : [],
    ),
  )
  return standard.some((text) => texts.has(text) && !texts.has(text.replace(/[+/=]/g, ''))) ? 'base64' : undefined
}

/** Replaces the parts that change with the user, the ceremony or the session by names in braces. */
const filled = (value: unknown, beside: unknown, path: FieldPath, filling: Styled): unknown => {
  if (filling.isAnswer) {
    const name = credentialName(value, path, filling)
    if (name !== undefined) return `{${name}}`
  }
  if (Array.isArray(value))
    return value.map((each, i) => filled(each, Array.isArray(beside) ? beside[i] : undefined, [...path, i], filling))
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [
        key,
        filled(each, isObject(beside) ? beside[key] : undefined, [...path, key], filling),
      ]),
    )
  if (typeof value !== 'string' && typeof value !== 'number') return value
  return filledText(value, beside, path, filling)
}

/** The name for this value if it is the credential, or one of its members in any encoding. */
const credentialName = (value: unknown, path: FieldPath, { honest, style }: Styled): string | undefined => {
  const key = String(path.at(-1))
  const { response } = honest.ceremony
  if (isObject(value)) return isWhole(value, response) ? 'credential' : undefined
  if (typeof value === 'string' && value.startsWith('{')) {
    const parsed = parseJsonOrNothing(value)
    // In a form, a value that is JSON is sent as its text.
    if (isObject(parsed) && isWhole(parsed, response)) return path[0] === 'form' ? 'credential' : 'credential:text'
  }
  const same = JSON.stringify(value)
  const names = Object.entries(credentialValues(response))
    .filter(([name, each]) => name !== 'credential' && JSON.stringify(each) === same)
    .map(([name]) => name)
  const isOctets =
    typeof value === 'string' ? value.length >= MAX_CHANCE_LENGTH : Array.isArray(value) && value.length > 8
  const isOfKey = (name: string): boolean =>
    name.split('.').at(-1)?.replace(/:.*/, '').toLowerCase() === key.toLowerCase()
  const fit = names.filter((name) => isOctets || isOfKey(name))
  const inStyle = fit.filter((name) => name.endsWith(`:${style}`))
  const best = inStyle.length > 0 ? inStyle : fit
  return best.find(isOfKey) ?? best[0]
}

/** Shorter texts may be the same by chance. */
export const MAX_CHANCE_LENGTH = 12

/** True for the JSON form of the credential, with or without its optional members. */
const isWhole = (value: JsonObject, credential: unknown): boolean => {
  const response = isObject(value.response) ? value.response : {}
  const isPart = (part: unknown, of: unknown): boolean => {
    if (!isObject(part)) return JSON.stringify(part) === JSON.stringify(of) || (part === null && of === undefined)
    return isObject(of) && Object.entries(part).every(([key, each]) => isPart(each, of[key]))
  }
  return 'id' in value && 'clientDataJSON' in response && isPart(value, credential)
}

const filledText = (value: string | number, beside: unknown, path: FieldPath, filling: Styled): unknown => {
  const { honest, wrong } = filling
  const text = withUser(String(value), honest)
  const other =
    typeof beside === 'string' || typeof beside === 'number' ? withUser(String(beside), wrong ?? honest) : undefined
  const isSame = text === other
  if (isSame && !looksDrawn(text)) return typeof value === 'number' ? value : text
  if (text !== value && other === undefined) return text
  const source = sourceOf(text, isSame ? undefined : other, String(path.at(-1)), filling)
  if (source !== undefined) return source
  if (!isSame && other !== undefined)
    filling.remark(path, 'It is another one each time, and was in no earlier answer: the page makes it.')
  return typeof value === 'number' ? value : text
}

/** A long random text may belong to the session, even if it was the same in both visits. */
const looksDrawn = (text: string): boolean => /^(?=.*\d)(?=.*[a-z])[\w+/=.-]{20,}$/i.test(text)

const withUser = (text: string, { user }: Visit): string =>
  escapeTemplate(text).replaceAll(user.displayName, '{display_name}').replaceAll(user.name, '{user_id}')

// --- Where a value comes from ---

/** Keeps the value of the earlier answer that has it; returns the text with its `{name}`. */
const sourceOf = (text: string, other: string | undefined, used: string, filling: Styled): string | undefined => {
  const { at, honest, partners, kept, need } = filling
  const known = kept.find((each) => each.at < at && each.value === text && each.other === other)
  if (known !== undefined) return `{${known.name}}`
  for (const isExact of [true, false]) {
    for (let source = at - 1; source >= 0; source--) {
      const answer = honest.seen[source]?.answer
      if (answer === undefined) continue
      const found = readingOf(text, other, { answer, partner: partners.get(source)?.answer, isExact })
      if (found === undefined) continue
      const reading = JSON.stringify(found.reading)
      let name = kept.find((each) => each.at === source && each.reading === reading)?.name
      if (name === undefined) {
        name = freeName(found.name ?? used, kept)
        kept.push({ at: source, name, reading, value: found.value, other })
      }
      need(source)[name] = found.reading
      return text.replace(found.value, () => `{${name}}`)
    }
  }
  return undefined
}

const TAKEN: ReadonlySet<string> = new Set([
  ...['user_id', 'display_name', 'credential', 'attestation', 'user_verification', 'authenticator_selection'],
])

const freeName = (wish: string, kept: readonly KeptValue[]): string => {
  const plain = wish.replaceAll(/\W+/g, '_').replace(/^[\d_]+|_+$/g, '') || 'kept'
  const isFree = (name: string): boolean => !TAKEN.has(name) && !kept.some((each) => each.name === name)
  let name = plain
  for (let i = 2; !isFree(name); i++) name = `${plain}_${i}`
  return name
}

type Answers = { readonly answer: ObservedAnswer; readonly partner: ObservedAnswer | undefined }
type Source = { readonly reading: ValueSource; readonly value: string; readonly name?: string | undefined }

/** The place of the text, or of a long part of it, in the answer. The other visit must have its own text there. */
const readingOf = (
  text: string,
  other: string | undefined,
  { answer, partner, isExact }: Answers & { readonly isExact: boolean },
): Source | undefined => {
  const isIt = (value: string): boolean =>
    isExact ? value === text : value.length >= MAX_CHANCE_LENGTH && text.includes(value) && value !== text
  const isTheirs = (value: unknown): boolean =>
    other === undefined || partner === undefined || (isExact ? String(value) === other : other.includes(String(value)))
  const theirs = membersOf(partner)
  for (const [member, value] of membersOf(answer))
    if ((typeof value === 'string' || typeof value === 'number') && isIt(String(value)) && isTheirs(theirs.get(member)))
      return { reading: member, value: String(value), name: member.split('.').at(-1) || undefined }
  for (const [name, value] of Object.entries(answer.cookies))
    if (isIt(value) && isTheirs(partner?.cookies[name])) return { reading: { cookie: name }, value, name }
  for (const [name, value] of answer.headers) {
    const theirValue = partner?.headers.find(([each]) => each === name)?.[1]
    if (name !== 'set-cookie' && value.length >= MAX_CHANCE_LENGTH && isIt(value) && isTheirs(theirValue))
      return { reading: { header: name }, value, name }
  }
  const sought = isExact ? text : (/[\w+/=.-]{12,}/.exec(text)?.[0] ?? '')
  return sought.length < 6 ? undefined : textReading(sought, other, { answer, partner })
}

/** Finds the text by the start of its element or line, or by its own attribute if other attributes change too. */
const textReading = (value: string, other: string | undefined, { answer, partner }: Answers): Source | undefined => {
  const escapes = [
    value,
    value.replaceAll('&', '&amp;'),
    value.replaceAll('+', '&#43;'),
    value.replaceAll('+', '&#x2B;'),
  ]
  const written = escapes.find((each) => answer.text.includes(each))
  if (written === undefined) return undefined
  const at = answer.text.indexOf(written)
  const end = answer.text.charAt(at + written.length)
  const until = end === '' ? '(.+)' : `([^${escapeRegex(end)}]+)${escapeRegex(end)}`
  const read = (pattern: string, text: string): string | undefined => {
    const found = new RegExp(pattern, 'u').exec(text)?.[1]
    return found === undefined ? undefined : decodeEntities(found)
  }
  const isTheirs = (pattern: string): boolean =>
    partner === undefined || other === undefined || other.includes(read(pattern, partner.text) ?? '\0')
  const before = patternBefore(answer.text, at)
  const pattern = [before, before.slice(before.lastIndexOf(' ') + 1)]
    .map((each) => each + until)
    .find((each) => read(each, answer.text) === value && isTheirs(each))
  if (pattern === undefined) return undefined
  const name = /(?:name|id)=["']([\w.-]+)["'][^<]*$/.exec(answer.text.slice(Math.max(0, at - MAX_TEXT_BEFORE), at))?.[1]
  return { reading: { text: pattern }, value, name }
}

const MAX_TEXT_BEFORE = 120

/** A pattern for the text before this place, back to the start of its element or member. */
export const patternBefore = (text: string, at: number): string => {
  const before = text.slice(Math.max(0, at - MAX_TEXT_BEFORE), at)
  const from = Math.max(before.lastIndexOf('<'), before.lastIndexOf('\n') + 1, before.lastIndexOf(',') + 1)
  const own = before.slice(from).trimStart()
  return escapeRegex(own === '' ? before.slice(-40) : own)
}

export const escapeRegex = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

// --- Parts of answers ---

export const decodeForm = (form: string): string => {
  try {
    return decodeURIComponent(form.replaceAll('+', ' '))
  } catch {
    return form
  }
}

type Leaf = { readonly path: readonly string[]; readonly value: unknown }

export const findLeaves = (value: unknown, path: readonly string[] = []): readonly Leaf[] => {
  if (Array.isArray(value)) return value.flatMap((each, i) => findLeaves(each, [...path, `[${i}]`]))
  if (!isObject(value)) return [{ path, value }]
  return Object.entries(value).flatMap(([key, each]) => findLeaves(each, [...path, key]))
}

/** The path as the configuration writes it; undefined for one entry of a list, which it cannot name. */
export const memberPath = (path: readonly string[]): string | undefined =>
  path.every((part) => /^[^.[\]]+$/.test(part)) ? path.join('.') : undefined

/** The values in an answer's JSON, by their paths as the configuration writes them. */
export const membersOf = (answer: ObservedAnswer | undefined): ReadonlyMap<string, unknown> =>
  new Map(
    findLeaves(parseJsonOrNothing(answer?.text ?? '')).flatMap(({ path, value }) => {
      const member = memberPath(path)
      return member === undefined ? [] : [[member, value] as const]
    }),
  )

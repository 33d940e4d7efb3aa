import type { Reading, RpCall } from '../../core/contract/rp-suite.ts'
import { isObject } from '../../core/protocol/json.ts'
import { readBounded } from '../../core/protocol/read-bounded.ts'
import { fetchTrusting } from '../../sdk/fetch-trusting.ts'
import { createCookies } from '../calls/cookies.ts'
import { crashCause } from './crash-cause.ts'
import { fill, fillText, fillTexts, type Values } from './placeholders.ts'
import { RpBroken } from './rp-driver.ts'

export const DEFAULT_ANSWER_S = 5
/** Most characters of an RP's text in a finding. */
export const MOST_TEXT = 300
const MOST_BYTES = 8 * 1024 * 1024
const MOST_REDIRECTS = 5
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

export type SessionOptions = {
  readonly url: string
  readonly ca?: string | undefined
  readonly answer_s?: number | undefined
  readonly signal?: AbortSignal | undefined
  readonly hears: (text: string, where: string) => void
}

export type HttpAnswer = {
  readonly where: string
  readonly status: number
  readonly address: string
  readonly headers: Headers
  readonly text: string
}

/** Keeps cookies and follows redirects as browsers do. */
export type HttpSession = {
  send(call: RpCall, values: Values): Promise<HttpAnswer>
  read(answer: HttpAnswer, reading: Reading): unknown
  kept(call: RpCall, answer: HttpAnswer): Values
}

export const createSession = ({ url, ca, answer_s = DEFAULT_ANSWER_S, signal, hears }: SessionOptions): HttpSession => {
  const cookies = createCookies()
  const trusting = ca === undefined ? fetch : fetchTrusting(ca)

  const once = async (to: URL, init: RequestInit & { readonly method: string }): Promise<HttpAnswer> => {
    const where = `${init.method} ${to.pathname}`
    const cookie = cookies.headerFor(to)
    const headers = { ...(init.headers as Record<string, string>), ...(cookie === undefined ? {} : { cookie }) }
    const limit = AbortSignal.timeout(answer_s * 1000)
    const response = await trusting(to, {
      ...init,
      headers,
      redirect: 'manual',
      signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
    }).catch((error: unknown) => broken(where, error, signal))
    cookies.keep(to, response.headers.getSetCookie())
    const bytes = await readBounded(response.body, MOST_BYTES).catch((error: unknown) => broken(where, error, signal))
    if (bytes === undefined) throw new RpBroken({ code: 'answered_too_much', params: { where, bytes: MOST_BYTES } })
    const text = new TextDecoder().decode(bytes)
    hears(`${text}\n${[...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')}`, where)
    if (response.status === 500) {
      const cause = crashCause(text)
      const more = cause === undefined ? {} : { cause }
      throw new RpBroken({ code: 'crashed', params: { where, text: text.slice(0, MOST_TEXT), ...more } })
    }
    return { where, status: response.status, address: to.href, headers: response.headers, text }
  }

  const read: HttpSession['read'] = (answer, reading) => {
    if (typeof reading === 'string') return memberOf(parsed(answer), reading)
    if ('text' in reading) return groupOf(reading.text, answer.text)
    if ('address' in reading) return groupOf(reading.address, answer.address)
    if ('header' in reading) return answer.headers.get(reading.header) ?? undefined
    const header = cookies.headerFor(new URL(answer.address)) ?? ''
    return header
      .split('; ')
      .find((pair) => pair.startsWith(`${reading.cookie}=`))
      ?.slice(reading.cookie.length + 1)
  }

  return {
    send: async (call, values) => {
      const path = fillText(call.path, values, encodeURIComponent)
      let to = new URL(/^https?:/.test(call.path) ? fillText(call.path, values) : below(url, path, values))
      const [body, type] = bodyOf(call, values)
      let init: RequestInit & { method: string } = {
        method: call.method ?? (body === undefined ? 'GET' : 'POST'),
        headers: {
          ...(type === undefined ? {} : { 'content-type': type }),
          ...lowerCase(fillTexts(call.headers ?? {}, values)),
          ...(body === undefined ? {} : { origin: new URL(url).origin }),
        },
        ...(body === undefined ? {} : { body }),
      }
      for (let followed = 0; ; followed++) {
        const answer = await once(to, init)
        const location = answer.headers.get('location')
        if (followed >= (call.redirects ?? MOST_REDIRECTS) || !REDIRECTS.has(answer.status) || location === null)
          return answer
        const next = URL.parse(location, to)
        if (next === null) return answer
        to = next
        if (answer.status < 307) {
          const { 'content-type': _, ...headers } = init.headers as Record<string, string>
          init = { method: 'GET', headers }
        }
      }
    },
    read,
    kept: ({ keep = {} }, answer) =>
      Object.fromEntries(
        (answer.status < 400 ? Object.entries(keep) : [])
          .map(([name, where]) => [name, read(answer, where)])
          .filter(([, value]) => value !== undefined && value !== null),
      ),
  }
}

/** The path may be a kept value, and that may be a whole address. */
const below = (url: string, path: string, values: Values): string => {
  const kept = /^\{(\w+)\}$/.exec(path)?.[1]
  const whole = decodeURIComponent(kept === undefined ? path : String(values[kept]))
  return /^https?:/.test(whole) ? whole : url.replace(/\/$/, '') + path
}

const bodyOf = ({ json, form }: RpCall, values: Values): readonly [string?, string?] => {
  if (json !== undefined) return [JSON.stringify(fill(json, values)), 'application/json']
  if (form === undefined) return []
  return [new URLSearchParams(fillTexts(form, values)).toString(), 'application/x-www-form-urlencoded']
}

const lowerCase = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

const groupOf = (pattern: string, text: string): string | undefined => {
  const found = new RegExp(pattern, 'u').exec(text)
  return found === null ? undefined : unescaped(found[1] ?? found[0])
}

const unescaped = (text: string): string =>
  text
    .replace(/&#x([0-9a-f]{1,5});/gi, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
    .replace(/&#(\d{1,6});/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

const parsed = ({ status, where, text }: HttpAnswer): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    if (status >= 400) return undefined
    throw new RpBroken({ code: 'answered_no_json', params: { where, text: text.slice(0, MOST_TEXT) } })
  }
}

/** `passkeys[].id` is the `id` of each entry of the list. */
export const memberOf = (body: unknown, path: string): unknown => {
  const [name = '', ...rest] = path.split('.')
  const each = name.endsWith('[]')
  const own = each ? name.slice(0, -2) : name
  const found = own === '' ? body : isObject(body) ? body[own] : undefined
  if (!each) return rest.length === 0 ? found : memberOf(found, rest.join('.'))
  if (!Array.isArray(found)) return undefined
  return rest.length === 0 ? found : found.map((one) => memberOf(one, rest.join('.')))
}

const broken = (where: string, error: unknown, signal: AbortSignal | undefined): never => {
  signal?.throwIfAborted()
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const late = error instanceof Error && error.name === 'TimeoutError'
  throw new RpBroken(
    late
      ? { code: 'answered_late', params: { where } }
      : { code: 'call_failed', params: { where, error: String(cause) } },
  )
}

import type { HttpCall, ValueSource } from '../../core/contract/http-call.ts'
import type { HeaderPair } from '../../core/protocol/canonical-request.ts'
import { isObject, parseJsonOrNothing, withoutUndefined } from '../../core/protocol/json.ts'
import { createCookies } from './cookies.ts'
import { fillTemplate, fillText, fillTexts, placeholderNames, type Values } from './placeholders.ts'

const MAX_REDIRECTS = 5
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

export type SentRequest = {
  readonly method: string
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export type ReceivedAnswer = { readonly status: number; readonly headers: readonly HeaderPair[]; readonly text: string }

/** An answer after all redirects: `where` is its request in short, `address` the last URL. */
export type HttpAnswer = ReceivedAnswer & {
  readonly where: string
  readonly address: string
  /** True if the status is 400 or more, or the text matches the call's `refused`. */
  readonly isRefusal: boolean
  /** One sentence for each value that the call uses but `keep` did not find. */
  readonly lost: readonly string[]
}

/** `refused`: a regular expression that finds a refusal in the text of an answer with HTTP 200. */
type Call = HttpCall & { readonly refused?: string }

export type SessionOptions = {
  readonly url: string
  /** Origin of the page that calls; that of `url` when absent. */
  readonly origin?: string | undefined
  /** Values by name that even the first call can use. */
  readonly known?: Values
  /** Sends one request and follows no redirect. */
  readonly send: (to: URL, request: SentRequest) => Promise<ReceivedAnswer>
  /** Called if an answer has no JSON where the call expects some. */
  readonly noJson?: (answer: HttpAnswer) => never
}

export type HttpSession = ReturnType<typeof createSession>

/** One browser's calls to a server: it keeps cookies and values of the answers, and follows redirects. */
export const createSession = ({ url, origin = new URL(url).origin, send, noJson, ...more }: SessionOptions) => {
  const cookies = createCookies()
  let known = more.known ?? {}
  const lost = new Map<string, string>()

  const once = async (to: URL, { headers, ...request }: SentRequest): Promise<ReceivedAnswer> => {
    const cookie = cookies.headerFor(to)
    const received = await send(to, {
      ...request,
      headers: { ...headers, ...(cookie === undefined ? {} : { cookie }) },
    })
    cookies.keep(
      to,
      received.headers.filter(([name]) => name.toLowerCase() === 'set-cookie').map(([, value]) => value),
    )
    return received
  }

  const call = async (call: Call, values: Values): Promise<HttpAnswer> => {
    // A kept value may be the whole address, or a path.
    const path = fillText(call.path, values, call.path.startsWith('/') ? encodeURIComponent : undefined)
    let to = new URL(/^https?:/.test(path) ? path : url.replace(/\/$/, '') + path.replace(/^(?!\/)/, '/'))
    const [body, type] = bodyOf(call, values)
    let request: SentRequest = {
      method: call.method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        ...(type === undefined ? {} : { 'content-type': type }),
        ...lowerCase(fillTexts(call.headers ?? {}, values)),
        ...(body === undefined ? {} : { origin }),
      },
      ...(body === undefined ? {} : { body }),
    }
    for (let followed = 0; ; followed++) {
      const received = await once(to, request)
      const { status, text } = received
      const location = findHeader(received, 'location')
      const next =
        followed >= (call.redirects ?? MAX_REDIRECTS) || !REDIRECTS.has(status) || location === undefined
          ? null
          : URL.parse(location, to)
      if (next === null) {
        const isRefusal = status >= 400 || (call.refused !== undefined && new RegExp(call.refused, 'u').test(text))
        const used = new Set(placeholderNames([call.path, call.json, call.form, call.headers]))
        const missed = [...lost].flatMap(([name, why]) => (used.has(name) ? why : []))
        return { ...received, where: `${request.method} ${to.pathname}`, address: to.href, isRefusal, lost: missed }
      }
      // The call's headers are meant for its own server: a redirect to another origin gets only these two.
      const { accept, 'content-type': type } = request.headers
      const headers = next.origin === to.origin ? request.headers : withoutUndefined({ accept, 'content-type': type })
      to = next
      request = { ...request, headers }
      if (status < 307) {
        const { 'content-type': _, ...others } = headers
        request = { method: 'GET', headers: others }
      }
    }
  }

  const read = (answer: HttpAnswer, reading: ValueSource): unknown => {
    if (typeof reading === 'string') {
      const json = parseJsonOrNothing(answer.text)
      if (json === undefined && answer.status < 400) noJson?.(answer)
      return memberOf(json, reading)
    }
    if ('text' in reading) return groupOf(reading.text, answer.text)
    if ('address' in reading) return groupOf(reading.address, answer.address)
    if ('header' in reading) return findHeader(answer, reading.header)
    const header = cookies.headerFor(new URL(answer.address)) ?? ''
    return header
      .split('; ')
      .find((pair) => pair.startsWith(`${reading.cookie}=`))
      ?.slice(reading.cookie.length + 1)
  }

  const kept = ({ keep = {} }: Call, answer: HttpAnswer): Values => {
    const found: Record<string, unknown> = {}
    for (const [name, where] of answer.status < 400 ? Object.entries(keep) : []) {
      const value = read(answer, where)
      if (value !== undefined && value !== null) found[name] = value
      if (name in found) lost.delete(name)
      else lost.set(name, `${name}: the answer of ${answer.where} has no ${textOf(where)}: keep found nothing`)
    }
    return found
  }

  return {
    /** Sends the calls in order until one is refused. Later calls can use the values kept of earlier answers. */
    ask: async (calls: Call | readonly Call[], values: Values = {}): Promise<HttpAnswer> => {
      let answer: HttpAnswer | undefined
      for (const one of [calls].flat()) {
        answer = await call(one, { ...known, ...values })
        known = { ...known, ...kept(one, answer) }
        if (answer.isRefusal) break
      }
      if (answer === undefined) throw new Error('there is no call')
      return answer
    },
    read,
    known: () => known,
    learn: (values: Values): void => {
      known = { ...known, ...values }
    },
  }
}

const textOf = (reading: ValueSource): string => {
  if (typeof reading === 'string') return `member ${reading}`
  const [[kind, what] = []] = Object.entries(reading)
  return `${kind}${kind === 'text' || kind === 'address' ? ' that fits' : ''} ${what}`
}

/** The value of a header, whatever its case. */
export const findHeader = ({ headers }: Pick<ReceivedAnswer, 'headers'>, name: string): string | undefined =>
  headers.find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1]

const bodyOf = ({ json, form }: HttpCall, values: Values): readonly [string?, string?] => {
  if (json !== undefined) return [JSON.stringify(fillTemplate(json, values)), 'application/json']
  if (form === undefined) return []
  return [new URLSearchParams(fillTexts(form, values)).toString(), 'application/x-www-form-urlencoded']
}

const lowerCase = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

const groupOf = (pattern: string, text: string): string | undefined => {
  const found = new RegExp(pattern, 'u').exec(text)
  return found === null ? undefined : decodeEntities(found[1] ?? found[0])
}

/** Decodes HTML entities. */
export const decodeEntities = (text: string): string =>
  text
    .replace(/&#x([0-9a-f]{1,5});/gi, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
    .replace(/&#(\d{1,6});/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

/** `passkeys[].id` is the `id` of each entry of the list. */
const memberOf = (body: unknown, path: string): unknown => {
  const [name = '', ...rest] = path.split('.')
  const each = name.endsWith('[]')
  const own = each ? name.slice(0, -2) : name
  const found = own === '' ? body : isObject(body) ? body[own] : undefined
  if (!each) return rest.length === 0 ? found : memberOf(found, rest.join('.'))
  if (!Array.isArray(found)) return undefined
  return rest.length === 0 ? found : found.map((one) => memberOf(one, rest.join('.')))
}

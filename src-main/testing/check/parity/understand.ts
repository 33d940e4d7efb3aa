import type { CheckedCase, CheckedExchange } from '../../../core/contract/check-report.ts'
import { isObject, jsonIn } from '../../../core/protocol/json.ts'

/** Addresses of a service: texts that contain them do not differ. */
export type Standing = { readonly base_url: string; readonly app_url?: string | undefined }

/** An exchange with everything taken out of it that is another each time, so that two services can be compared. */
export type Understood = {
  /** Which operation it is, such as `GET /rp/credentials`. */
  readonly operation: string
  readonly isApp: boolean
  /** Identifies the request. */
  readonly sent: string
  readonly status: number
  readonly problem: string
  readonly headers: ReadonlyMap<string, string>
  /** Parsed where it is JSON, else the text. */
  readonly body: unknown
  readonly tookMs: number
}

type Rule = (text: string) => string

/** Names that a case makes, of which no two plays have the same. */
const FRESH = /\b[a-z]+-[0-9a-f]{8}[0-9a-z]{1,2}-\d+/g
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [FRESH, '<name>'],
  [/\b\d{8}T\d{6}Z/g, '<date>'],
  [/\b\d{4}-\d\d-\d\dT[0-9:.]+Z?/g, '<date>'],
  [/\b\d{3}\*{4}\d{4}\b/g, '<phone>'],
  [/\b1\d{10}\b/g, '<phone>'],
  [/\b[0-9a-f]{40,}\b/g, '<hex>'],
  [/\b\d+ s(econds)?\b/g, '<seconds>'],
  [/\b\d{5,}\b/g, '<number>'],
  [/\b[A-Z][a-z]+ [A-Z][a-z]+ \d{1,3}\b/g, '<two words and a number>'],
]

/** Under such a key are values drawn for each message, credential or phone. */
const ID_KEY = /^(id|rawId|challenge)$|(^|_)(id|ids|token|handle|url)$/i
const SHORTEST_ID = 8

/** No word of a route is that long. */
const LONG_SEGMENT = /\/[\w-]{14,}/g

const idsIn = (value: unknown, key: string, found: Map<string, string>): void => {
  if (Array.isArray(value)) for (const each of value) idsIn(each, key, found)
  else if (isObject(value)) {
    // An RP has the same ID everywhere.
    for (const [name, each] of Object.entries(value)) if (name !== 'rp') idsIn(each, name, found)
  } else if (typeof value === 'string' && ID_KEY.test(key)) {
    // Of a message's address only the drawn part, without the character for its kind.
    const id = value.includes('#') ? value.slice(value.indexOf('#') + 2) : value
    if (id.length >= SHORTEST_ID && !id.includes('://') && id.search(FRESH) < 0)
      found.set(id, `<${value === id ? key : 'msg_id'} of ${id.length}>`)
  }
}

const standingRule = ({ base_url, app_url }: Standing): Rule => {
  const { host, pathname, origin } = new URL(base_url)
  const path = pathname.replace(/\/$/, '')
  return (text) => {
    const named = app_url === undefined ? text : text.replaceAll(app_url, '<app_url>')
    const based = named.replaceAll(`${origin}${path}`, '<base_url>').replaceAll(origin, '<origin>')
    return (path === '' ? based : based.replaceAll(`${path}/`, '<path>/')).replaceAll(host, '<host>')
  }
}

/** Not compared: they depend on the connection, the moment and the length. */
const UNHEARD = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding'])
/** The values of these matter; of other headers only their presence. */
const HEARD = /^(content-type|cache-control|allow|retry-after|www-authenticate|access-control-.*)$/

/** A moment is shown as its distance from the exchange. */
export class Moment {
  readonly secondsAway: number
  constructor(secondsAway: number) {
    this.secondsAway = secondsAway
  }
  /** Two exchanges that differ in it alone are the same. */
  toJSON(): string {
    return '<moment>'
  }
  toString(): string {
    return `${Math.round(this.secondsAway)} s away`
  }
}

export const understandCase = ({ exchanges }: CheckedCase, standing: Standing): readonly Understood[] => {
  const ids = new Map<string, string>()
  const stands = standingRule(standing)
  const basePath = new URL(standing.base_url).pathname.replace(/\/$/, '')
  const appPath = standing.app_url === undefined ? '' : new URL(standing.app_url).pathname.replace(/\/$/, '')
  const clean: Rule = (text) => {
    let plain = stands(text)
    for (const [id, name] of ids) plain = plain.replaceAll(id, name)
    return PATTERNS.reduce((so, [pattern, name]) => so.replaceAll(pattern, name), plain)
  }
  const understand = (value: unknown, key: string, at: number): unknown => {
    if (Array.isArray(value)) return value.map((each) => understand(each, key, at))
    if (key === 'rp') return value
    if (isObject(value))
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, understand(each, name, at)]))
    if (typeof value === 'number' && key.endsWith('_at')) return new Moment(value - at / 1000)
    if (typeof value === 'number' && key === 'seconds') return new Moment(value)
    if (typeof value === 'number' && key === 'timeout') return new Moment(value / 1000)
    return typeof value === 'string' ? clean(value) : value
  }
  return exchanges.map((exchange): Understood => {
    const url = new URL(exchange.url)
    const isApp =
      appPath !== '' && url.pathname.startsWith(`${appPath}/`) && !url.pathname.startsWith(`${basePath}/rp/`)
    const path = url.pathname.slice((isApp ? appPath : basePath).length)
    idsIn(jsonIn(exchange.response_body), '', ids)
    return {
      operation: `${exchange.method} ${isApp ? '(app) ' : ''}${clean(path).replaceAll(LONG_SEGMENT, '/<id>')}`,
      isApp,
      sent: clean(`${url.search} ${exchange.request_body}`),
      status: exchange.status,
      problem: exchange.problem ?? '',
      headers: new Map(headersOf(exchange, clean)),
      body: understand(jsonIn(exchange.response_body) ?? exchange.response_body, '', exchange.at),
      tookMs: exchange.took_ms,
    }
  })
}

const headersOf = (
  { request_headers, response_headers }: CheckedExchange,
  clean: Rule,
): readonly (readonly [string, string])[] => {
  // Whose page asked is told back: RPs of two services stand at different addresses.
  const asking = request_headers.find(([name]) => name.toLowerCase() === 'origin')?.[1]
  return response_headers.flatMap(([name, value]) => {
    const key = name.toLowerCase()
    if (UNHEARD.has(key)) return []
    const told = value === asking ? '<the page that asked>' : clean(value)
    return [[key, HEARD.test(key) ? told.toLowerCase().replaceAll(/;\s*/g, '; ') : '']]
  })
}

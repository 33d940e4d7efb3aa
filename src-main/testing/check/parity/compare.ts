import type { CheckedCase, CheckedExchange } from '../../../core/contract/check-report.ts'
import type { Difference, DifferenceKind } from '../../../core/contract/parity-report.ts'
import { isObject, parseJsonOrNothing } from '../../../core/protocol/json.ts'

/** One difference in one exchange; `Difference` combines equal ones. */
export type Deviation = Omit<Difference, 'cases' | 'removed_by'>

export type CaseComparison = {
  readonly deviations: readonly Deviation[]
  /** Number of recorded exchanges that have no counterpart with the same code and status. */
  readonly unmatched: number
}

export const compareCases = (one: readonly ComparedExchange[], other: readonly ComparedExchange[]): CaseComparison => {
  const together = one.findIndex((each, n) => each.operation !== other[n]?.operation)
  const pairs = together < 0 ? one.length : together
  const found = one.slice(0, pairs).flatMap((each, n) => {
    const twin = other[n]
    return twin === undefined ? [] : compareExchanges(each, twin)
  })
  const unmatched = one.length - one.slice(0, pairs).filter((each, n) => isAlike(each, other[n])).length
  // After a different answer a case may send other requests, so their number is no difference of its own.
  if (found.length > 0 || (pairs === one.length && pairs === other.length)) return { deviations: found, unmatched }
  const where = (one[pairs] ?? other[pairs])?.operation ?? ''
  const calls: Deviation = { kind: 'calls', where, field: '', theirs: `${one.length}`, ours: `${other.length}` }
  return { deviations: [calls], unmatched }
}

const isAlike = (one: ComparedExchange, other: ComparedExchange | undefined): boolean =>
  other !== undefined &&
  one.problem === other.problem &&
  one.status === other.status &&
  codeOf(one.body) === codeOf(other.body)

/** Repeated requests may be parallel, and then their answers come in any order. */
const ordered = (exchanges: readonly ComparedExchange[]): readonly ComparedExchange[] => {
  const runs: ComparedExchange[][] = []
  for (const each of exchanges) {
    const run = runs.at(-1)
    const last = run?.at(-1)
    if (last !== undefined && last.operation === each.operation && last.sent === each.sent) run?.push(each)
    else runs.push([each])
  }
  const text = ({ status, body }: ComparedExchange): string => `${status} ${JSON.stringify(body)}`
  return runs.flatMap((run) => run.toSorted((a, b) => (text(a) < text(b) ? -1 : 1)))
}

const compareExchanges = (theirs: ComparedExchange, ours: ComparedExchange): readonly Deviation[] => {
  const where = theirs.operation
  const deviation = (kind: DifferenceKind, field: string, one: unknown, other: unknown, place = where): Deviation => {
    return { kind, where: place, field, theirs: shown(one), ours: shown(other) }
  }
  if (theirs.problem !== ours.problem)
    return [deviation('status', '', theirs.problem || 'an answer', ours.problem || 'an answer')]
  const [one, other] = [codeOf(theirs.body), codeOf(ours.body)]
  // Another code has another status and other data: only the code is reported.
  if (one !== other) return [deviation('code', 'code', one ?? `HTTP ${theirs.status}`, other ?? `HTTP ${ours.status}`)]
  const place = typeof one === 'number' && one !== 0 ? `code ${one}` : where
  return [
    ...(theirs.status === ours.status ? [] : [deviation('status', 'status', theirs.status, ours.status, place)]),
    ...compareHeaders(theirs, ours),
    ...compareValues(theirs.body, ours.body, '').map(({ kind, field, theirs: a, ours: b }) =>
      deviation(kind, field, a, b, place),
    ),
  ]
}

const codeOf = (body: unknown): unknown => (isObject(body) ? body.code : undefined)

const compareHeaders = (theirs: ComparedExchange, ours: ComparedExchange): readonly Deviation[] =>
  [...new Set([...theirs.headers.keys(), ...ours.headers.keys()])].flatMap((name) => {
    const [one, other] = [theirs.headers.get(name), ours.headers.get(name)]
    if (one === other) return []
    const say = (value: string | undefined): string => (value === undefined ? ABSENT : value || 'present')
    return [{ kind: 'header', where: '', field: name, theirs: say(one), ours: say(other) } as const]
  })

const ABSENT = 'absent'

type Found = { readonly kind: DifferenceKind; readonly field: string; readonly theirs: unknown; readonly ours: unknown }

const kindOf = (value: unknown): string => {
  if (value === undefined) return ABSENT
  if (value === null) return 'null'
  if (value instanceof Moment) return 'a number'
  return Array.isArray(value) ? 'a list' : isObject(value) ? 'an object' : `a ${typeof value}`
}

const compareValues = (theirs: unknown, ours: unknown, field: string): readonly Found[] => {
  if (Object.is(theirs, ours)) return []
  const found = (kind: DifferenceKind, one: unknown = theirs, other: unknown = ours): readonly Found[] => [
    { kind, field, theirs: one, ours: other },
  ]
  if (kindOf(theirs) !== kindOf(ours)) return found('shape', kindOf(theirs), kindOf(ours))
  if (theirs instanceof Moment && ours instanceof Moment) {
    const [one, other] = [theirs.secondsAway, ours.secondsAway]
    return Math.abs(one - other) <= MOMENT_TOLERANCE_S || isMeasured(one, other)
      ? []
      : found('time', `${theirs}`, `${ours}`)
  }
  if (isObject(theirs) && isObject(ours)) {
    const names = new Set([...Object.keys(theirs), ...Object.keys(ours)])
    return [...names].flatMap((name) =>
      compareValues(theirs[name], ours[name], field === '' ? name : `${field}.${name}`),
    )
  }
  if (Array.isArray(theirs) && Array.isArray(ours)) {
    if (theirs.length !== ours.length) return found('value')
    return theirs.flatMap((each, n) => compareValues(each, ours[n], `${field}[]`))
  }
  if (typeof theirs === 'number' && typeof ours === 'number' && isMeasured(theirs, ours)) return []
  if (typeof theirs === 'string' && typeof ours === 'string') return compareTexts(theirs, ours, field)
  return found('value')
}

/** Measured milliseconds are never quite the same. */
const isMeasured = (one: number, other: number): boolean =>
  Math.abs(one) >= 1000 && Math.abs(one - other) <= Math.abs(one) / 100

/** Equal times may differ by this much, because the services answer at different speeds. */
const MOMENT_TOLERANCE_S = 3
/** A stable error word, optionally followed by a colon and a sentence. */
const WORD = /^([a-z][a-z0-9_]*)(?::\s.*)?$/s

const compareTexts = (theirs: string, ours: string, field: string): readonly Found[] => {
  if (!field.endsWith('error')) return [{ kind: field.endsWith('.status') ? 'code' : 'value', field, theirs, ours }]
  const [word, twin] = [WORD.exec(theirs)?.[1], WORD.exec(ours)?.[1]]
  const isCoded = field !== 'error' && (word !== undefined || twin !== undefined)
  if (isCoded && word !== twin) return [{ kind: 'code', field, theirs: word ?? theirs, ours: twin ?? ours }]
  return [{ kind: 'words', field, theirs, ours }]
}

const MAX_SHOWN = 160

const shown = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? ABSENT)
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

/** Groups equal differences. Sentences at one place form one group, as do times at one place; the first is shown. */
export const groupDifferences = (all: ReadonlyMap<string, CaseComparison>): readonly Difference[] => {
  const groups = new Map<string, { readonly first: Deviation; readonly cases: Set<string> }>()
  for (const [id, { deviations }] of all) {
    for (const each of deviations) {
      const key = differenceKey(each)
      const group = groups.get(key) ?? { first: each, cases: new Set() }
      group.cases.add(id)
      groups.set(key, group)
    }
  }
  return [...groups.values()].map(({ first, cases }) => ({ ...first, cases: [...cases] }))
}

export const differenceKey = ({ kind, where, field, theirs, ours }: Deviation): string =>
  JSON.stringify(kind === 'words' || kind === 'time' ? [kind, where, field] : [kind, where, field, theirs, ours])

/** Addresses of a service: placeholders replace them before a comparison, so they are never a difference. */
export type ServiceAddresses = { readonly base_url: string; readonly app_url?: string | undefined }

/** An exchange without the values that change on each run, so that two services can be compared. */
export type ComparedExchange = {
  /** Method and path, such as `GET /rp/credentials`. */
  readonly operation: string
  readonly sent: string
  readonly status: number
  readonly problem: string
  readonly headers: ReadonlyMap<string, string>
  /** Parsed if it is JSON, else the text. */
  readonly body: unknown
}

type Rule = (text: string) => string

/** Names that a case generates, different in each run. */
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

/** Keys whose values are generated for each message, credential or phone. */
const ID_KEY = /^(id|rawId|challenge)$|(^|_)(id|ids|token|handle|url)$/i
const SHORTEST_ID = 8

/** A path segment that is too long to be a fixed word of a route. */
const LONG_SEGMENT = /\/[\w-]{14,}/g

const idsIn = (value: unknown, key: string, found: Map<string, string>): void => {
  if (Array.isArray(value)) for (const each of value) idsIn(each, key, found)
  else if (isObject(value)) {
    // An RP has the same ID everywhere.
    for (const [name, each] of Object.entries(value)) if (name !== 'rp') idsIn(each, name, found)
  } else if (typeof value === 'string' && ID_KEY.test(key)) {
    // A message's address: only the generated part counts, without the character for its kind.
    const id = value.includes('#') ? value.slice(value.indexOf('#') + 2) : value
    if (id.length >= SHORTEST_ID && !id.includes('://') && id.search(FRESH) < 0)
      found.set(id, `<${value === id ? key : 'msg_id'} of ${id.length}>`)
  }
}

const standingRule = ({ base_url, app_url }: ServiceAddresses): Rule => {
  const { host, pathname, origin } = new URL(base_url)
  const path = pathname.replace(/\/$/, '')
  return (text) => {
    const named = app_url === undefined ? text : text.replaceAll(app_url, '<app_url>')
    const based = named.replaceAll(`${origin}${path}`, '<base_url>').replaceAll(origin, '<origin>')
    return (path === '' ? based : based.replaceAll(`${path}/`, '<path>/')).replaceAll(host, '<host>')
  }
}

/** Not compared: a busy service may leave it out of a 40104, and another service may never give it. */
const NOT_ALWAYS_NAMED = 'mistake'

/** Headers that are not compared: they depend on the connection, the time or the length. */
const UNHEARD = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding'])
/** Headers whose values are compared; for others only the presence is. */
const HEARD = /^(content-type|cache-control|allow|retry-after|www-authenticate|access-control-.*)$/

/** A point in time, shown as its distance from the exchange. */
export class Moment {
  readonly secondsAway: number
  constructor(secondsAway: number) {
    this.secondsAway = secondsAway
  }
  /** Equal for all moments, so that exchanges that differ only in a moment compare as equal. */
  toJSON(): string {
    return '<moment>'
  }
  toString(): string {
    return `${Math.round(this.secondsAway)} s away`
  }
}

/** Not compared: signals are optional, and they list passkeys that other cases registered. */
const SIGNALS = /event: signal\ndata: .*\n*/g

export const readCase = ({ exchanges }: CheckedCase, standing: ServiceAddresses): readonly ComparedExchange[] => {
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
    if (isObject(value)) {
      const compared = Object.entries(value).filter(([name]) => name !== NOT_ALWAYS_NAMED)
      return Object.fromEntries(compared.map(([name, each]) => [name, understand(each, name, at)]))
    }
    if (typeof value === 'number' && key.endsWith('_at')) return new Moment(value - at / 1000)
    if (typeof value === 'number' && key === 'seconds') return new Moment(value)
    if (typeof value === 'number' && key === 'timeout') return new Moment(value / 1000)
    return typeof value === 'string' ? clean(value) : value
  }
  const compared = exchanges.map((exchange): ComparedExchange => {
    const url = new URL(exchange.url)
    const isApp =
      appPath !== '' && url.pathname.startsWith(`${appPath}/`) && !url.pathname.startsWith(`${basePath}/rp/`)
    const path = url.pathname.slice((isApp ? appPath : basePath).length)
    const body = parseJsonOrNothing(exchange.response_body)
    idsIn(body, '', ids)
    return {
      operation: `${exchange.method} ${isApp ? '(app) ' : ''}${clean(path).replaceAll(LONG_SEGMENT, '/<id>')}`,
      sent: clean(`${url.search} ${exchange.request_body}`),
      status: exchange.status,
      problem: exchange.problem ?? '',
      headers: new Map(headersOf(exchange, clean)),
      body: understand(body ?? exchange.response_body.replaceAll(SIGNALS, ''), '', exchange.at),
    }
  })
  return ordered(compared)
}

const headersOf = (
  { request_headers, response_headers }: CheckedExchange,
  clean: Rule,
): readonly (readonly [string, string])[] => {
  // CORS headers repeat the origin of the request, which is different for the RPs of two services.
  const asking = request_headers.find(([name]) => name.toLowerCase() === 'origin')?.[1]
  return response_headers.flatMap(([name, value]) => {
    const key = name.toLowerCase()
    if (UNHEARD.has(key)) return []
    const text = value === asking ? '<the page that asked>' : clean(value)
    return [[key, HEARD.test(key) ? text.toLowerCase().replaceAll(/;\s*/g, '; ') : '']]
  })
}

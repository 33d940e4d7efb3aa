import { fromAnyBase64 } from '../../core/judge/base64.ts'
import { fromUtf8 } from '../../core/protocol/bytes.ts'
import { isObject, type JsonObject, jsonIn } from '../../core/protocol/json.ts'
import { type Bench, type Check, type Found, type Inspection, inspectionOf, judged } from './inspection.ts'
import { requestFound, responseFound } from './signed-request.ts'

/** Most entries; no user reads more of them one by one. */
const MOST_ENTRIES = 100
/** To find out how a request was signed wrongly takes long; with a wrong secret, all of them are. */
const MOST_EXPLAINED = 3

/** Each exchange of this interface as if its request and its answer had been pasted, and the others by their number. */
export const harFound = async (entries: readonly unknown[], bench: Bench): Promise<Found> => {
  const own = entries.filter(isObject).map(messagesOf).filter(isOurs)
  const within: Inspection[] = []
  const checks: Check[] = []
  for (const { name, request, response } of own.slice(0, MOST_ENTRIES)) {
    await bench.pause?.()
    const refused = checks.filter(({ outcome }) => outcome === 'failed').length
    const { accessKey: _, ...unsigned } = bench.given
    const looking = { ...bench, given: refused < MOST_EXPLAINED ? bench.given : unsigned }
    const asked = await requestFound(request, looking)
    const answered = await responseFound(response, looking)
    const both = [asked, answered].filter((found) => found !== undefined).map((found) => inspectionOf(found, []))
    const [first, ...rest] = both
    if (first === undefined) continue
    within.push({ ...first, within: [...first.within, ...rest] })
    checks.push({ name, outcome: first.verdict === undefined ? 'skipped' : OUTCOMES[first.verdict] })
  }
  return {
    kind: 'har',
    facts: [
      ['exchanges', String(entries.length)],
      ...(own.length === 0 ? [] : ([['of this interface', String(own.length)]] as const)),
    ],
    ...judged(checks),
    missing: [...new Set(within.flatMap(({ missing }) => missing))],
    within,
  }
}

const OUTCOMES = { verified: 'passed', refused: 'failed' } as const

type Messages = { readonly name: string; readonly request: string; readonly response: string }

/** The exact request and response, as far as the archive has them. */
const messagesOf = ({ request, response }: JsonObject): Messages => {
  const asked = isObject(request) ? request : {}
  const answered = isObject(response) ? response : {}
  const posted = isObject(asked.postData) ? asked.postData : {}
  const [, target = ''] = /^https?:\/\/[^/?#]+([^#]*)/.exec(textIn(asked.url)) ?? []
  const first = `${textIn(asked.method)} ${target === '' ? '/' : target}`
  const status = String(answered.status)
  return {
    name: `${first} · ${status}`,
    request: message(`${first} HTTP/1.1`, asked.headers, textIn(posted.text)),
    response: message(`HTTP/1.1 ${status}`, answered.headers, contentOf(answered.content)),
  }
}

const message = (first: string, headers: unknown, body: string): string =>
  [first, ...(Array.isArray(headers) ? headers.filter(isObject).flatMap(headerLine) : []), '', body].join('\r\n')

/** HTTP/2 has headers that begin with a colon; only the host among them was signed. */
const headerLine = ({ name, value }: JsonObject): readonly string[] => {
  const known = textIn(name) === ':authority' ? 'Host' : textIn(name)
  return known.startsWith(':') ? [] : [`${known}: ${textIn(value)}`.replace(/[\r\n]+/g, ' ')]
}

const contentOf = (content: unknown): string => {
  if (!isObject(content)) return ''
  const text = textIn(content.text)
  if (content.encoding !== 'base64') return text
  const bytes = fromAnyBase64(text)
  return (bytes === undefined ? undefined : fromUtf8(bytes)) ?? ''
}

/** Signed as an RP signs, or answered by an envelope. */
const isOurs = ({ request, response }: Messages): boolean => {
  if (/^Authorization: SVC-/im.test(request)) return true
  const answer = jsonIn(response.slice(response.indexOf('\r\n\r\n') + 4))
  return isObject(answer) && isEnvelope(answer)
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The form of every answer of the interface. */
export const isEnvelope = (value: JsonObject): value is JsonObject & { readonly error: string } =>
  Number.isInteger(value.code) && typeof value.error === 'string' && 'data' in value

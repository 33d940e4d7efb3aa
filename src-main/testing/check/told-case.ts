import { Buffer } from 'node:buffer'
import type { CheckedCase, CheckedExchange } from '../../core/contract/check-report.ts'
import { ALGORITHM } from '../../core/protocol/authorization.ts'
import type { HeaderPair } from '../../core/protocol/canonical-request.ts'
import { curlBody, curlCommand, shellWord } from '../../core/protocol/shell-word.ts'
import type { TimedExchange } from './exchange.ts'
import type { PlayedCase } from './play-cases.ts'

/** Maximum number of characters of one text in a report. */
const MAX_TEXT = 4096

type ReportContext = {
  /** Why cases may fail, by their ids. */
  readonly expected: Readonly<Record<string, string>>
  /** The command to run a case again, without its `--case` option. */
  readonly again: string
}

/** A case of any kind of check. */
export type ReportableCase = Pick<CheckedCase, 'id' | 'name' | 'says'>

/** A result for reports. Secrets that open an account or a phone are masked. */
export const reportedCase = (
  { case: each, finding, exchanges, tookMs }: PlayedCase<ReportableCase>,
  { expected, again }: ReportContext,
): CheckedCase => {
  const { id, name, says } = each
  const reason = expected[id]
  const mask = maskFor(exchanges)
  return {
    ...{ id, name, says, verdict: finding.verdict },
    ...(reason === undefined ? {} : { expected: reason }),
    ...(finding.text === undefined ? {} : { text: mask(finding.text) }),
    took_ms: Math.round(tookMs),
    exchanges: exchanges.map((each) => reportedExchange(each, mask)),
    again: `${again} --case ${id}`,
  }
}

const SECRET = 'pass(?:word|wd|phrase|code)|secret|token|[cx]srf|api[-_]?key'
const SECRET_HEADER = new RegExp(SECRET, 'i')
/** Finds secrets by name: members of JSON, also inside a text in JSON, and fields of a form or an address. */
const NAMED_SECRETS = [
  `(?<=(?<quote>\\\\{0,3})")(?:[^"\\\\]{0,40}(?:${SECRET})[^"\\\\]{0,40}|proof)\\k<quote>"\\s*:\\s*\\k<quote>"(?<value>(?:(?!\\k<quote>")(?:\\\\.|[^\\\\]))+)`,
  `(?<=^|[?&#])[^?&=\\s"'<>]{0,40}(?:${SECRET})[^?&=\\s"'<>]{0,40}=(?<value>[^?&\\s"'<>#]+)`,
].map((source) => new RegExp(source, 'gis'))
/** Shorter texts may be the same by chance. */
const MIN_SECRET = 10

type Mask = (text: string) => string

const hidden = (whole: string, value: string): string => `${whole.slice(0, whole.length - value.length)}***`

/** Masks secrets everywhere in the case, also where a page contained the same text. */
const maskFor = (exchanges: readonly TimedExchange[]): Mask => {
  const secrets = new Set<string>()
  const masked: Mask = (text) =>
    NAMED_SECRETS.reduce(
      (so, pattern) =>
        so.replace(pattern, (whole, ...more) => {
          const { value } = more.at(-1) as { readonly value: string }
          secrets.add(value)
          return hidden(whole, value)
        }),
      text,
    )
  for (const { request, response, origin } of exchanges) {
    for (const text of [origin + request.target, Buffer.from(request.body).toString(), response?.text ?? ''])
      masked(text)
    for (const header of [...request.headers, ...(response?.headers ?? [])]) secrets.add(secretOf(header) ?? '')
  }
  const spread = [...secrets].filter(({ length }) => length >= MIN_SECRET)
  return (text) => spread.reduce((so, secret) => so.replaceAll(secret, '***'), masked(text))
}

const shown = (text: string): string =>
  text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}… (${text.length} characters)` : text

const secretOf = ([name, value]: HeaderPair): string | undefined => {
  // Our own signatures are not secret.
  if (/^www-authenticate$/i.test(name) || value.startsWith(ALGORITHM)) return undefined
  const isAuthorization = /^(proxy-)?authorization$/i.test(name)
  const scheme = (isAuthorization ? /^\S+ / : /^(Bearer|Basic|Digest|Token) /i).exec(value)?.[0]
  if (scheme !== undefined) return value.slice(scheme.length)
  return isAuthorization || SECRET_HEADER.test(name) ? value : undefined
}

/** Masks the values of cookies; the attributes of a new cookie stay. */
const cookiesIn = (text: string, isSet: boolean): string =>
  text
    .split(';')
    .map((pair, n) => (isSet && n > 0 ? pair : pair.replace(/^([^=]*=|\s*).*/s, '$1***')))
    .join(';')

const shownHeader = (header: HeaderPair, mask: Mask): HeaderPair => {
  const [name, value] = header
  const secret = secretOf(header)
  if (secret !== undefined) return [name, hidden(value, secret)]
  const text = Buffer.from(value, 'latin1').toString()
  return [name, /^(set-)?cookie$/i.test(name) ? cookiesIn(text, name.length > 'cookie'.length) : mask(text)]
}

const reportedExchange = (
  { origin, request, response, problem, at, tookMs }: TimedExchange,
  mask: Mask,
): CheckedExchange => {
  const url = mask(origin + request.target)
  const body = mask(Buffer.from(request.body).toString())
  const headers = request.headers.map((header) => shownHeader(header, mask))
  return {
    ...{ method: request.method, url, request_headers: headers, request_body: shown(body) },
    status: response?.status ?? 0,
    response_headers: response?.headers.map((header) => shownHeader(header, mask)) ?? [],
    response_body: shown(mask(response?.text ?? '')),
    ...(problem === undefined ? {} : { problem }),
    at: Math.round(at),
    took_ms: Math.round(tookMs),
    curl: curlOf(request.method, url, headers, body),
  }
}

const curlOf = (method: string, url: string, headers: readonly HeaderPair[], body: string): string => {
  const { before, data } = curlBody(body)
  const sent = headers.filter(([name]) => name !== 'Host')
  return (before + curlCommand({ method, url: shellWord(url), headers: sent, data })).replaceAll(' \\\n  ', ' ')
}

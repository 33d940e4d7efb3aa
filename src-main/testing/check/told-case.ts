import { Buffer } from 'node:buffer'
import type { CheckedCase, CheckedExchange } from '../../core/contract/check-report.ts'
import { curlBody, curlCommand, shellWord } from '../../core/protocol/shell-word.ts'
import type { KeptExchange } from './exchange.ts'
import type { Played } from './play-cases.ts'

/** Most characters of one text: more does not help a reader. */
const MOST_TEXT = 4096

export type Told = {
  readonly expected: Expected
  /** The command to run a case again, without its `--case` option. */
  readonly again: string
}

/** A result of any kind of check. */
export type Result = Played<Pick<CheckedCase, 'id' | 'name' | 'says'>>

/** Why cases may fail, by their ids. */
export type Expected = Readonly<Record<string, string>>

/** A result for reports. Secrets that open an account or a phone are masked. */
export const toldCase = (
  { case: each, finding, exchanges, tookMs }: Result,
  { expected, again }: Told,
): CheckedCase => {
  const { id, name, says } = each
  const reason = expected[id]
  return {
    ...{ id, name, says, verdict: finding.verdict },
    ...(reason === undefined ? {} : { expected: reason }),
    ...(finding.text === undefined ? {} : { text: finding.text }),
    took_ms: Math.round(tookMs),
    exchanges: exchanges.map(toldExchange),
    again: `${again} --case ${id}`,
  }
}

const SECRET_FIELDS = /("(?:device_token|proof)"\s*:\s*")[^"]*/g

const masked = (text: string): string => text.replaceAll(SECRET_FIELDS, '$1***')

const shown = (text: string): string => {
  const whole = masked(text)
  return whole.length > MOST_TEXT ? `${whole.slice(0, MOST_TEXT)}… (${whole.length} characters)` : whole
}

const SECRET_SCHEME = /^(Bearer|Basic|Digest|Token) /i
const SECRET_HEADER = /api-?key|token|secret|password/i
/** The value of each cookie, but no attribute of one. */
const COOKIE_VALUES = /(^|;\s*)((?!(?:path|domain|expires|max-age|samesite|priority)=)[^=;]+=)[^;]*/gi

const shownHeader = ([name, value]: readonly [string, string]): readonly [string, string] => {
  const scheme = SECRET_SCHEME.exec(value)?.[0]
  if (scheme !== undefined) return [name, `${scheme}***`]
  if (SECRET_HEADER.test(name)) return [name, '***']
  const text = Buffer.from(value, 'latin1').toString()
  return [name, /^(set-)?cookie$/i.test(name) ? text.replace(COOKIE_VALUES, '$1$2***') : text]
}

const toldExchange = ({ origin, request, response, problem, at, tookMs }: KeptExchange): CheckedExchange => {
  const body = Buffer.from(request.body).toString()
  return {
    method: request.method,
    url: origin + request.target,
    request_headers: request.headers.map(shownHeader),
    request_body: shown(body),
    status: response?.status ?? 0,
    response_headers: response?.headers.map(shownHeader) ?? [],
    response_body: shown(response?.text ?? ''),
    ...(problem === undefined ? {} : { problem }),
    at: Math.round(at),
    took_ms: Math.round(tookMs),
    curl: curlOf(request.method, origin + request.target, request.headers.map(shownHeader), masked(body)),
  }
}

const curlOf = (method: string, url: string, headers: readonly (readonly [string, string])[], body: string): string => {
  const { before, data } = curlBody(body)
  const sent = headers.filter(([name]) => name !== 'Host')
  return (before + curlCommand({ method, url: shellWord(url), headers: sent, data })).replaceAll(' \\\n  ', ' ')
}

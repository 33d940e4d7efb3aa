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

const shown = (text: string): string => {
  const masked = text.replaceAll(SECRET_FIELDS, '$1***')
  return masked.length > MOST_TEXT ? `${masked.slice(0, MOST_TEXT)}… (${masked.length} characters)` : masked
}

const shownHeader = ([name, value]: readonly [string, string]): readonly [string, string] =>
  /^Bearer /.test(value) ? [name, 'Bearer ***'] : [name, Buffer.from(value, 'latin1').toString()]

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
    curl: curlOf(request.method, origin + request.target, request.headers.map(shownHeader), shown(body)),
  }
}

const curlOf = (method: string, url: string, headers: readonly (readonly [string, string])[], body: string): string => {
  const { before, data } = curlBody(body)
  const sent = headers.filter(([name]) => name !== 'Host')
  return (before + curlCommand({ method, url: shellWord(url), headers: sent, data })).replaceAll(' \\\n  ', ' ')
}

import { readFileSync } from 'node:fs'
import { realClock } from '../bench/harness/clock.ts'
import { en } from '../core/messages/en/en.ts'
import { octetString, decodeOctets as textOfOctets, utf8 } from '../core/protocol/bytes.ts'
import type { HeaderPair } from '../core/protocol/canonical-request.ts'
import { textOf } from '../core/protocol/coded.ts'
import { withoutUndefined } from '../core/protocol/json.ts'
import { rpProblemText } from '../core/protocol/rp-client-problems.ts'
import { curlBody, curlCommand, shellWord } from '../core/protocol/shell-word.ts'
import { type Millis, parseSvcDate } from '../core/protocol/time.ts'
import { type SignedRequest, signRequest, type UnsignedRequest } from '../sdk/sign-request.ts'
import { makeCommand } from './command.ts'
import { ifGiven, misuse } from './command-end.ts'
import { parseAccessKey } from './option-values.ts'
import type { OptionsOf } from './options.ts'
import type { NameOption } from './read-options.ts'
import { paintFor, type Terminal } from './terminal.ts'

export const sign = makeCommand(
  {
    name: 'sign',
    usage: 'METHOD URL [OPTIONS]',
    more: ['The URL as it will be sent: its query percent-encoded, its host with the port.'],
  },
  async ({ options, positionals, named }, environment) => {
    const { url, request, key, time } = parseRequest(options, positionals, named)
    const signed = signRequest(request, key, time)
    if (!signed.ok) return misuse(rpProblemText({ code: 'not_signable', params: { problem: signed.error } }))
    const { terminal } = environment
    terminal.out(printed({ ...signed.value, request, url, file: options['body-file'] }, options, terminal))
    return 0
  },
)

type Options = OptionsOf<'sign'>

const parseRequest = (options: Options, positionals: readonly string[], named: NameOption) => {
  const [method, url, stranger] = positionals
  if (method === undefined || url === undefined) return misuse('it needs a method and a URL: handset sign GET URL')
  if (stranger !== undefined) misuse(`it takes no "${stranger}".`)
  const address = /^https?:\/\/([^/?#]+)(\/[^?#]*)?(\?[^#]*)?$/.exec(url)
  if (address === null)
    return misuse(`the URL must be one such as http://localhost:7420/fido/rp/credentials; got "${url}".`)
  const { 'access-key': given, scope, short, date } = options
  if (given === undefined)
    return misuse('it needs an access key: HANDSET_ACCESS_KEY, --access-key-file FILE or --access-key ID:SECRET.')
  const { id: accessKeyId, secret: secretKey } = parseAccessKey(given, named('access-key'))
  const headers = parseHeaders(options.header ?? [], named('header'))
  const body = bodyOf(options, named)
  const time = ifGiven(date, (text) => parseDate(text, named('date'))) ?? realClock.now()
  const [, host = '', path = '/', query = ''] = address
  const form = short === true ? ('short' as const) : undefined
  return {
    url,
    request: { method: method.toUpperCase(), host, target: path + query, headers, body },
    key: { accessKeyId, secretKey, ...withoutUndefined({ scopeIdentifier: scope, form }) },
    time,
  }
}

const parseDate = (text: string, name: string): Millis => {
  const time = parseSvcDate(text)
  if (time.ok) return time.value
  return misuse(`${name}: ${textOf(en.reasons, { code: time.error, params: { got: JSON.stringify(text) } })}`)
}

const OWN_HEADERS = /^(host|x-svc-date|authorization)$/i

const parseHeaders = (texts: readonly string[], name: string): readonly HeaderPair[] => {
  const pairs = texts.map((text): HeaderPair => {
    const colon = text.indexOf(':')
    return [text.slice(0, Math.max(0, colon)), text.slice(colon + 1)]
  })
  const wrong = texts.find((_, i) => pairs[i]?.[0] === '')
  if (wrong !== undefined) misuse(`${name} must be NAME:VALUE; got "${wrong}".`)
  const own = pairs.find(([header]) => OWN_HEADERS.test(header))
  return own === undefined ? pairs : misuse(`${name}: ${own[0]} is written by handset sign itself.`)
}

const bodyOf = ({ body, 'body-file': file }: Options, named: NameOption): Uint8Array => {
  if (file === undefined) return utf8(body ?? '')
  try {
    return readFileSync(file === '-' ? 0 : file)
  } catch (reason) {
    const { code, message } = reason as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? `there is no file ${file}` : `${file} cannot be read: ${message}`
    return misuse(`${named('body-file')}: ${why}.`)
  }
}

type Printable = SignedRequest & {
  readonly request: UnsignedRequest
  readonly url: string
  readonly file?: string | undefined
}

const printed = (signed: Printable, { json, curl, explain }: Options, terminal: Terminal): string => {
  if (json === true) return asJson(signed)
  if (curl === true) return asCurl(signed)
  const { bold } = paintFor(terminal)
  const texts = [
    [bold('Canonical request'), signed.canonicalRequest],
    [bold('String to sign'), signed.stringToSign],
    [bold('Request'), asHttp(signed)],
  ]
  return explain === true ? texts.map((part) => part.join('\n')).join('\n\n') : asHttp(signed)
}

const textHeaders = ({ headers }: Pick<SignedRequest, 'headers'>): readonly HeaderPair[] =>
  headers.map(([name, value]) => [name, textOfOctets(value)])

const asHttp = (signed: Printable): string => {
  const { method, target, body } = signed.request
  const length: readonly HeaderPair[] = body.length === 0 ? [] : [['Content-Length', String(body.length)]]
  const head = [...textHeaders(signed), ...length].map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${target} HTTP/1.1`, ...head, '', Buffer.from(body).toString()].join('\n').trimEnd()
}

const asCurl = ({ request, file, url, ...signed }: Printable): string => {
  // curl sends the Host of the URL.
  const headers = textHeaders(signed).filter(([name]) => name !== 'Host')
  const isTyped = request.body.length === 0 || headers.some(([name]) => name.toLowerCase() === 'content-type')
  const typed: readonly HeaderPair[] = isTyped ? headers : [...headers, ['Content-Type', 'application/json']]
  const isFile = file !== undefined && request.body.length > 0
  const given = isFile ? '' : textOfOctets(octetString(request.body))
  const { before, data } = isFile ? { before: '', data: [`--data-binary ${shellWord(`@${file}`)}`] } : curlBody(given)
  return before + curlCommand({ method: request.method, url: shellWord(url), headers: typed, data })
}

const asJson = (signed: Printable): string =>
  JSON.stringify({
    method: signed.request.method,
    url: signed.url,
    headers: textHeaders(signed),
    body: Buffer.from(signed.request.body).toString(),
    canonical_request: signed.canonicalRequest,
    string_to_sign: signed.stringToSign,
    signature: signed.signature,
  })

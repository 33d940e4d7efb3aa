import { encodeScope, SCOPE_MODULE } from '../../protocol/authorization.ts'
import { type Bytes, fromHex, latin1, octetString, toBase64url, toHex, utf8, utf8Octets } from '../../protocol/bytes.ts'
import { unwrap } from '../../protocol/result.ts'
import { DAY_MS, formatSvcDate, parseSvcDate, svcDay } from '../../protocol/time.ts'
import { fromAnyBase64, toBase64 } from '../base64.ts'
import { headerValue, replaced } from './draft.ts'
import { type DraftChange, defineMistakes, type Mistake } from './mistake.ts'

/** A client that reads its clock twice for one request rarely gets times further apart. */
const SECONDS_APART = [1, -1, 2, -2, 3, -3, 4, -4, 5, -5]

const HOUR = 3_600_000

/** Identifiers used by clients of other services and by examples. */
const USUAL_IDENTIFIERS = [
  ...['default', 'main', 'rp', 'fido', 'fido2', 'webauthn', 'server', SCOPE_MODULE, 'service', 'global', 'local'],
  ...['test', 'dev', 'staging', 'prod', 'production', 'svc', 'svc_request', 'request', 'identifier', '<identifier>'],
  ...['us-east-1', 'us-west-2', 'eu-west-1', 'eu-central-1', 'ap-southeast-1', 'cn-north-1', 'cn-hangzhou', 'cn'],
]

/** The days before and after, for a client that reads its clock in another time zone. */
const otherDays = (svcDate: string): readonly string[] => {
  const time = parseSvcDate(svcDate)
  return time.ok ? [-1, 1].map((days) => svcDay(formatSvcDate(time.value + days * DAY_MS))) : []
}

const identifierChanges: Mistake['changes'] = ({ date }, { message, key }) => {
  if (message.authorization.form === 'general') return []
  const day = svcDay(date)
  const host = headerValue(message.headers, 'host') ?? ''
  const usual = [...USUAL_IDENTIFIERS, host, host.replace(/:\d+$/, ''), key.id.toLowerCase()]
  const dated = ['', ...usual, key.id].map((identifier) => `${day}/${identifier}`)
  return [...usual, ...dated, ...otherDays(date)].map((identifier) => ({
    scope: encodeScope(identifier),
    note: identifier,
  }))
}

export const textMistakes = {
  ...defineMistakes('text', {
    'canonical-newline': () => [{ canonical: (parts) => `${parts.join('\n')}\n` }],
    'canonical-crlf': () => [
      { canonical: (parts) => parts.join('\n').replaceAll('\n', '\r\n') },
      { canonical: (parts) => parts.join('\r\n') },
      { canonical: (parts) => parts.join('\n').replaceAll('\n', '\r\n'), toSign: (lines) => lines.join('\r\n') },
    ],
    'canonical-without-payload': () => [{ canonical: (parts) => parts.slice(0, 5).join('\n') }],
    'string-newline': () => [{ toSign: (lines) => `${lines.join('\n')}\n` }],
    'string-crlf': () => ['\r\n', '', ' ', '\\n'].map((mark) => ({ toSign: (lines) => lines.join(mark) })),
    'string-algorithm': () =>
      ['AWS4-HMAC-SHA256', 'HMAC-SHA256', 'svc-hmac-sha256', 'SVC4-HMAC-SHA256', ''].map((algorithm) => ({
        algorithm,
      })),
    'string-line-missing': () =>
      [0, 1, 2].map((left) => ({ toSign: (lines) => lines.filter((_, i) => i !== left).join('\n') })),
    'string-missing': ({ requestHash }) => [
      { toSign: (lines) => lines[3] ?? '' },
      { requestHash: (canonical) => canonical, toSign: (lines) => lines[3] ?? '' },
      { toSign: (lines) => requestHash(lines.join('\n')) },
    ],
    'request-unhashed': () => [{ requestHash: (canonical) => canonical }],
    'request-hash-writing': ({ requestHash }, { crypto }) => {
      const url = (canonical: string) => toBase64url(crypto.sha256(canonical))
      const plain = (canonical: string) => toBase64(crypto.sha256(canonical))
      return [(canonical: string) => requestHash(canonical).toUpperCase(), url, plain].map((hash) => ({
        requestHash: hash,
      }))
    },
  }),
  ...defineMistakes('date', {
    'date-second-reading': ({ date }) => {
      const time = parseSvcDate(date)
      return time.ok ? SECONDS_APART.map((seconds) => ({ date: formatSvcDate(time.value + seconds * 1000) })) : []
    },
    'date-set-later': ({ date, headers }) => {
      const time = parseSvcDate(date)
      if (!time.ok || !headers.some(([name]) => name === 'x-svc-date')) return []
      return SECONDS_APART.map((seconds) => {
        const earlier = formatSvcDate(time.value + seconds * 1000)
        return { date: earlier, headers: replaced(headers, 'x-svc-date', earlier) }
      })
    },
    'date-writing': ({ date }, { message }) => {
      const time = parseSvcDate(date)
      if (!time.ok) return []
      const iso = new Date(time.value).toISOString()
      const seconds = String(time.value / 1000)
      const others = [
        iso,
        iso.replace(/\.\d+Z$/, 'Z'),
        svcDay(date),
        seconds,
        `${seconds}000`,
        date.replace(/Z$/, ''),
        '',
      ]
      const zones = Array.from({ length: 27 }, (_, i) => formatSvcDate(time.value + (i - 12) * HOUR))
      return [...others, headerValue(message.headers, 'date') ?? iso, ...zones].map((text) => ({ date: text }))
    },
  }),
  ...defineMistakes('scope', {
    'short-form-identifier': identifierChanges,
    'scope-other': ({ date }, { key }) => {
      const day = svcDay(date)
      const whole = [encodeScope(''), encodeScope(key.id), encodeScope(day), SCOPE_MODULE, '', '/', key.id]
      const longer = [`${day}/${SCOPE_MODULE}`, `${day}/${SCOPE_MODULE}/`, `${day}/${SCOPE_MODULE}/${key.id}`]
      return [...whole, ...longer, ...[...whole, ...longer].map((scope) => `${key.id}/${scope}`)].map((scope) => ({
        scope,
      }))
    },
  }),
}

const keys = (...secrets: readonly string[]): readonly DraftChange[] => secrets.map((secret) => ({ key: utf8(secret) }))

/** None of them ever names a secret. */
export const keyMistakes = defineMistakes('key', {
  'key-of-another': (_, { others }) => others.map(({ id, secret }) => ({ key: utf8(secret), note: id })),
  'secret-with-space': (_, { key: { secret } }) =>
    keys(`${secret}\n`, `${secret}\r\n`, `${secret} `, ` ${secret}`, `${secret}\r`, `\uFEFF${secret}`),
  'secret-trimmed': (_, { key: { secret } }) => keys(secret.trim()),
  'secret-quoted': (_, { key: { secret } }) => keys(`"${secret}"`, `'${secret}'`, JSON.stringify(secret)),
  'secret-decoded': (_, { key: { secret } }) => {
    const hex = fromHex(secret)
    return [fromAnyBase64(secret), hex.ok ? hex.value : undefined].flatMap((key) => (key ? [{ key }] : []))
  },
  'secret-encoded': (_, { key: { secret } }) => {
    const bytes = utf8(secret)
    const [base64, hex] = [toBase64(bytes), toHex(bytes)]
    return keys(base64, base64.replace(/=+$/, ''), hex, hex.toUpperCase())
  },
  'secret-case': (_, { key: { secret } }) => keys(secret.toLowerCase(), secret.toUpperCase()),
  'secret-url-coded': (_, { key: { secret } }) => keys(encodeURIComponent(secret), secret.replaceAll('+', ' ')),
  'secret-hashed': (_, { crypto, key: { secret } }) => {
    const octets = utf8Octets(secret)
    return [{ key: crypto.sha256(octets) }, ...keys(crypto.sha256Hex(octets))]
  },
  'secret-with-id': (_, { key: { id, secret } }) => keys(id, `${id}:${secret}`, `${id}/${secret}`, id + secret),
  'secret-empty': () => keys('', 'undefined', 'null', 'None'),
  'key-derived': ({ scope, date }, { crypto, key: { secret } }) => {
    const day = svcDay(date)
    const names = scope.split('/').filter((name) => name !== '' && name !== day)
    const chain = (prefix: string, steps: readonly string[]): Bytes =>
      steps.reduce(
        (made, step) => unwrap(fromHex(crypto.hmacSha256Hex(made, utf8Octets(step))), 'HMAC'),
        utf8(prefix + secret),
      )
    const prefixes = ['', 'AWS4', 'SVC', 'SVC4', 'SVC-HMAC-SHA256']
    const ends = [[], ['svc_request'], ['aws4_request'], ['request']]
    return prefixes.flatMap((prefix) =>
      ends.flatMap((end) => [
        { key: chain(prefix, [day, ...names, ...end]) },
        { key: chain(prefix, [day, ...scope.split('/'), ...end]) },
        { key: chain(prefix, [date, ...names, ...end]) },
        { key: chain(prefix, [day, ...end]) },
      ]),
    )
  },
  'mac-swapped': () => [{ mac: (crypto, key, text) => crypto.hmacSha256Hex(latin1(text), octetString(key)) }],
  'mac-plain-hash': () => [
    { mac: (crypto, key, text) => crypto.sha256Hex(octetString(key) + text) },
    { mac: (crypto, key, text) => crypto.sha256Hex(text + octetString(key)) },
    { mac: (crypto, _, text) => crypto.sha256Hex(text) },
  ],
})

import { type Bytes, fromHex, latin1, octetString, utf8, utf8Octets } from '../../protocol/bytes.ts'
import { unwrap } from '../../protocol/result.ts'
import { svcDay } from '../../protocol/time.ts'
import { fromAnyBase64 } from '../base64.ts'
import { type DraftChange, defineMistakes } from './mistake.ts'

const keys = (...secrets: readonly string[]): readonly DraftChange[] => secrets.map((secret) => ({ key: utf8(secret) }))

const decodedBase64 = (secret: string): readonly DraftChange[] => {
  const key = fromAnyBase64(secret)
  return key === undefined ? [] : [{ key }]
}

const decodedHex = (secret: string): readonly DraftChange[] => {
  const decoded = fromHex(secret.toLowerCase())
  return decoded.ok ? [{ key: decoded.value }] : []
}

/** None of them ever names a secret. */
export const keyMistakes = defineMistakes('key', {
  'key-of-another': (_, { others }) => others.map(({ id, secret }) => ({ key: utf8(secret), note: id })),
  'secret-with-space': (_, { key: { secret } }) =>
    keys(`${secret}\n`, `${secret}\r\n`, `${secret} `, ` ${secret}`, `${secret}\r`, `\uFEFF${secret}`),
  'secret-trimmed': (_, { key: { secret } }) => keys(secret.trim()),
  'secret-quoted': (_, { key: { secret } }) => keys(`"${secret}"`, `'${secret}'`, JSON.stringify(secret)),
  'secret-decoded': (_, { key: { secret } }) => [...decodedBase64(secret), ...decodedHex(secret)],
  'secret-encoded': (_, { key: { secret } }) => {
    const bytes = utf8(secret)
    const binary = String.fromCharCode(...bytes)
    const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
    return keys(btoa(binary), btoa(binary).replace(/=+$/, ''), hex, hex.toUpperCase())
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

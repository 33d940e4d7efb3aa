import { canonicalUri, type HeaderPair, pathAndQuery } from '../../protocol/canonical-request.ts'
import { headerLines, headerValue, replaced, type SignedMessage } from './draft.ts'
import { defineMistakes, type Mistake } from './mistake.ts'

const pairsOf = (query: string): readonly string[] => query.split('&').filter((pair) => pair !== '')

const decoded = (text: string): string =>
  text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

export const addressMistakes = {
  ...defineMistakes('method', { 'method-lower-case': ({ method }) => [{ method: method.toLowerCase() }] }),
  ...defineMistakes('path', {
    'path-without-prefix': ({ path }) => {
      const starts = [...path.matchAll(/\//g)].map(({ index }) => index).filter((at) => at > 0)
      return starts.map((at) => ({ path: path.slice(at) }))
    },
    'path-trailing-slash': ({ path }) => [{ path: path.endsWith('/') ? path.slice(0, -1) : `${path}/` }],
    'path-with-query': ({ query }, { message: { target } }) =>
      target.includes('?')
        ? [{ path: target, query: '' }, { path: target }, { path: `${pathAndQuery(target).path}?${query}`, query: '' }]
        : [],
    'path-whole-url': ({ path, headers }, { message: { target } }) => {
      const host = headers.find(([name]) => name === 'host')?.[1] ?? ''
      return ['http', 'https'].flatMap((scheme) => [
        { path: `${scheme}://${host}${path}` },
        { path: `${scheme}://${host}${target}` },
        { path: `${scheme}://${host}${target}`, query: '' },
      ])
    },
    'path-encoding': (_, { message: { target, rule } }) => {
      const { path } = pathAndQuery(target)
      const other = canonicalUri(path, rule === 'as-sent' ? 'encoded' : 'as-sent')
      return [other, decoded(path), canonicalUri(decoded(path), 'encoded')].map((text) => ({ path: text }))
    },
    'path-missing': () => [{ path: '/' }, { path: '' }],
  }),
  ...defineMistakes('query', {
    'query-missing': () => [{ query: '' }],
    'query-unsorted': (_, { message: { target } }) => {
      const { query } = pathAndQuery(target)
      const full = pairsOf(query).map((pair) => (pair.includes('=') ? pair : `${pair}=`))
      return [{ query: full.join('&') }, { query: [...full].sort().reverse().join('&') }]
    },
    'query-without-equals': ({ query }) => [{ query: query.replace(/=(?=&|$)/g, '') }],
    'query-not-encoded': ({ query }) => [{ query: decoded(query) }],
    'query-form-encoding': ({ query }) => [
      { query: query.replaceAll('%20', '+') },
      { query: query.replaceAll('%2B', '%20') },
    ],
    'query-script-encoding': ({ query }) => [{ query: query.replace(/%(21|27|28|29|2A)/g, (text) => decoded(text)) }],
    'query-lower-hex': ({ query }) => [{ query: query.replace(/%[0-9A-F]{2}/g, (text) => text.toLowerCase()) }],
    'query-question-mark': ({ query }) => [{ query: `?${query}` }],
  }),
}

const PORT = /:\d+$/

const otherHosts =
  (change: (host: string, message: SignedMessage) => readonly string[]): Mistake['changes'] =>
  ({ headers }, { message }) =>
    change(headerValue(headers, 'host') ?? '', message).map((host) => ({ headers: replaced(headers, 'host', host) }))

const headersNamed = ({ headers }: SignedMessage, name: string): readonly HeaderPair[] =>
  headers.filter(([key]) => key.toLowerCase() === name)

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

const JSON_TYPES = ['', '; charset=utf-8', ';charset=utf-8', '; charset=UTF-8', ';charset=UTF-8'].map(
  (tail) => `application/json${tail}`,
)

export const headerMistakes = {
  ...defineMistakes('host', {
    'host-without-port': otherHosts((host) => [host.replace(PORT, '')]),
    'host-with-port': otherHosts((host) => (PORT.test(host) ? [] : [80, 443, 7420].map((port) => `${host}:${port}`))),
    'host-another-name': otherHosts((host, message) => {
      const port = PORT.exec(host)?.[0] ?? ''
      const forwarded = ['x-forwarded-host', 'x-original-host'].map((name) => headerValue(message.headers, name) ?? '')
      const names = [...LOOPBACK.flatMap((name) => [name + port, name]), ...forwarded, host.toLowerCase()]
      return [...names, `http://${host}`, `https://${host}`].filter(
        (name) => name !== '' && name !== host.slice(0, host.length - port.length),
      )
    }),
  }),
  ...defineMistakes('headers', {
    'content-type-other': ({ headers }) =>
      headers.some(([name]) => name === 'content-type')
        ? JSON_TYPES.map((type) => ({ headers: replaced(headers, 'content-type', type) }))
        : [],
    'header-left-out': ({ headers }) =>
      headers.map(([left]) => ({ headers: headers.filter(([name]) => name !== left) })),
    'header-empty': ({ headers }) => headers.map(([name]) => ({ headers: replaced(headers, name, '') })),
    'header-not-listed': ({ headers }, { message }) =>
      ['x-svc-date', 'content-type', 'content-length', 'accept', 'user-agent']
        .filter(
          (name) => !headers.some(([known]) => known === name) && headerValue(message.headers, name) !== undefined,
        )
        .map((name) => {
          const more: readonly HeaderPair[] = [...headers, [name, headerValue(message.headers, name) ?? '']]
          return { headers: [...more].sort(([a], [b]) => (a < b ? -1 : 1)) }
        }),
    'headers-untrimmed': ({ headers }, { message }) => [
      { headers: headers.map(([name, value]) => [name, headersNamed(message, name)[0]?.[1] ?? value]) },
    ],
    'headers-repeated': ({ headers }, { message }) =>
      headers.flatMap(([name]) => {
        const values = headersNamed(message, name).map(([, value]) => value.trim())
        if (values.length < 2) return []
        return [values[0] ?? '', values.at(-1) ?? '', values.join(', '), [...values].sort().join(',')].map((value) => ({
          headers: replaced(headers, name, value),
        }))
      }),
    'headers-case': (_, { message }) => {
      const asSent = (name: string) => headersNamed(message, name)[0]?.[0] ?? name
      const capitalised = (name: string) => name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase())
      return [asSent, capitalised].map((style) => ({
        headerText: (pairs) => headerLines(pairs.map(([name, value]) => [style(name), value])),
      }))
    },
    'headers-order': ({ headers }, { message }) => {
      const sent = message.headers.map(([name]) => name.toLowerCase())
      return [
        { headers: [...headers].sort(([a], [b]) => sent.indexOf(a) - sent.indexOf(b)) },
        { headers: [...headers].reverse() },
      ]
    },
    'headers-space': () => [{ headerText: (pairs) => headerLines(pairs.map(([name, value]) => [name, ` ${value}`])) }],
    'headers-no-blank-line': () => [{ headerText: (pairs) => headerLines(pairs).replace(/\n$/, '') }],
    'headers-two-blank-lines': () => [{ headerText: (pairs) => `${headerLines(pairs)}\n` }],
  }),
  ...defineMistakes('list', {
    'list-separator': ({ signed }) =>
      [',', '; ', ' ', ', ', '\n'].map((mark) => ({ signed: signed.replaceAll(';', mark) })),
    'list-case': ({ signed }) => [
      { signed: signed.replace(/(^|[-;])[a-z]/g, (start) => start.toUpperCase()) },
      { signed: signed.toUpperCase() },
    ],
    'list-other': ({ signed }) => {
      const names = signed.split(';')
      const shorter = names.map((left) => names.filter((name) => name !== left))
      const longer = ['x-svc-date', 'content-type']
        .filter((name) => !names.includes(name))
        .map((name) => [...names, name].sort())
      return [...shorter, ...longer, [...names].reverse()].map((list) => ({ signed: list.join(';') }))
    },
  }),
}

import type { HeaderPair } from '../../protocol/canonical-request.ts'
import { headerLines, headerValue } from './draft.ts'
import type { MistakeTable } from './mistake.ts'

const replaced = (headers: readonly HeaderPair[], name: string, value: string): readonly HeaderPair[] =>
  headers.map((pair) => (pair[0] === name ? [name, value] : pair))

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

const JSON_TYPES = ['', '; charset=utf-8', ';charset=utf-8', '; charset=UTF-8', ';charset=UTF-8'].map(
  (tail) => `application/json${tail}`,
)

/** What may go wrong with the header lines and the list of their names. */
export const headerMistakes = {
  'host-without-port': {
    part: 'host',
    sentence: 'The host was signed without its port.',
    changes: ({ headers }) => {
      const host = headerValue(headers, 'host') ?? ''
      return [{ headers: replaced(headers, 'host', host.replace(/:\d+$/, '')) }]
    },
  },
  'host-with-port': {
    part: 'host',
    sentence: 'The host was signed with a port that was not sent.',
    changes: ({ headers }) => {
      const host = headerValue(headers, 'host') ?? ''
      return /:\d+$/.test(host)
        ? []
        : [80, 443, 7420].map((port) => ({ headers: replaced(headers, 'host', `${host}:${port}`) }))
    },
  },
  'host-another-name': {
    part: 'host',
    sentence: 'Another host was signed than the Host header that arrived. A proxy in between may have changed it.',
    changes: ({ headers }, { message }) => {
      const host = headerValue(headers, 'host') ?? ''
      const port = /:\d+$/.exec(host)?.[0] ?? ''
      const forwarded = ['x-forwarded-host', 'x-original-host'].map((name) => headerValue(message.headers, name) ?? '')
      const names = [...LOOPBACK.flatMap((name) => [name + port, name]), ...forwarded, host.toLowerCase()]
      return [...names, `http://${host}`, `https://${host}`]
        .filter((name) => name !== '' && name !== host.slice(0, host.length - port.length))
        .map((name) => ({ headers: replaced(headers, 'host', name) }))
    },
  },
  'content-type-other': {
    part: 'headers',
    sentence: 'Another Content-Type was signed than the one that arrived. HTTP libraries like to add a charset.',
    changes: ({ headers }) =>
      headers.some(([name]) => name === 'content-type')
        ? JSON_TYPES.map((type) => ({ headers: replaced(headers, 'content-type', type) }))
        : [],
  },
  'header-left-out': {
    part: 'headers',
    sentence: 'A header stands in the list of signed headers, but its line was not signed.',
    changes: ({ headers }) => headers.map(([left]) => ({ headers: headers.filter(([name]) => name !== left) })),
  },
  'header-empty': {
    part: 'headers',
    sentence: 'A header was signed with an empty value. It may have been set only after signing.',
    changes: ({ headers }) => headers.map(([name]) => ({ headers: replaced(headers, name, '') })),
  },
  'header-not-listed': {
    part: 'headers',
    sentence: 'A header line was signed whose name is not in the list of signed headers.',
    changes: ({ headers }, { message }) =>
      ['x-svc-date', 'content-type', 'content-length', 'accept', 'user-agent']
        .filter(
          (name) => !headers.some(([known]) => known === name) && headerValue(message.headers, name) !== undefined,
        )
        .map((name) => {
          const more: readonly HeaderPair[] = [...headers, [name, headerValue(message.headers, name) ?? '']]
          return { headers: [...more].sort(([a], [b]) => (a < b ? -1 : 1)) }
        }),
  },
  'headers-untrimmed': {
    part: 'headers',
    sentence: 'Header values were signed as they are: spaces at the ends were not removed, runs not made one.',
    changes: ({ headers }, { message }) => [
      {
        headers: headers.map(([name, value]) => [
          name,
          message.headers.find(([key]) => key.toLowerCase() === name)?.[1] ?? value,
        ]),
      },
    ],
  },
  'headers-repeated': {
    part: 'headers',
    sentence: 'Of a header that stands more than once, not all values were signed, joined by commas in their order.',
    changes: ({ headers }, { message }) =>
      headers.flatMap(([name]) => {
        const values = message.headers.filter(([key]) => key.toLowerCase() === name).map(([, value]) => value.trim())
        if (values.length < 2) return []
        return [values[0] ?? '', values.at(-1) ?? '', values.join(', '), [...values].sort().join(',')].map((value) => ({
          headers: replaced(headers, name, value),
        }))
      }),
  },
  'headers-case': {
    part: 'headers',
    sentence: 'Header names were signed as they are written in the request, not in lower case.',
    changes: (_, { message }) => {
      const written = (name: string) => message.headers.find(([key]) => key.toLowerCase() === name)?.[0] ?? name
      return [
        (name: string) => written(name),
        (name: string) => name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase()),
      ].map((style) => ({
        headerText: (pairs: readonly HeaderPair[]) => headerLines(pairs.map(([name, value]) => [style(name), value])),
      }))
    },
  },
  'headers-order': {
    part: 'headers',
    sentence: 'The header lines were signed in the order in which they were sent, not sorted by name.',
    changes: ({ headers }, { message }) => {
      const sent = message.headers.map(([name]) => name.toLowerCase())
      return [
        { headers: [...headers].sort(([a], [b]) => sent.indexOf(a) - sent.indexOf(b)) },
        { headers: [...headers].reverse() },
      ]
    },
  },
  'headers-space': {
    part: 'headers',
    sentence: 'A space was signed after the colon of each header.',
    changes: () => [
      { headerText: (pairs: readonly HeaderPair[]) => headerLines(pairs.map(([name, value]) => [name, ` ${value}`])) },
    ],
  },
  'headers-no-blank-line': {
    part: 'headers',
    sentence: 'The empty line between the headers and the list of their names is missing.',
    changes: () => [{ headerText: (pairs: readonly HeaderPair[]) => headerLines(pairs).replace(/\n$/, '') }],
  },
  'headers-two-blank-lines': {
    part: 'headers',
    sentence: 'There is one empty line too many after the headers.',
    changes: () => [{ headerText: (pairs: readonly HeaderPair[]) => `${headerLines(pairs)}\n` }],
  },
  'list-separator': {
    part: 'list',
    sentence: 'The list of signed headers was joined in another way than by ";".',
    changes: ({ signed }) => [',', '; ', ' ', ', ', '\n'].map((mark) => ({ signed: signed.replaceAll(';', mark) })),
  },
  'list-case': {
    part: 'list',
    sentence: 'The list of signed headers was signed with capitals.',
    changes: ({ signed }) => [
      { signed: signed.replace(/(^|[-;])[a-z]/g, (start) => start.toUpperCase()) },
      { signed: signed.toUpperCase() },
    ],
  },
  'list-other': {
    part: 'list',
    sentence: 'Another list of signed headers was signed than the Authorization header names.',
    changes: ({ signed }) => {
      const names = signed.split(';')
      const shorter = names.map((left) => names.filter((name) => name !== left))
      const longer = ['x-svc-date', 'content-type']
        .filter((name) => !names.includes(name))
        .map((name) => [...names, name].sort())
      return [...shorter, ...longer, [...names].reverse()].map((list) => ({ signed: list.join(';') }))
    },
  },
} as const satisfies MistakeTable

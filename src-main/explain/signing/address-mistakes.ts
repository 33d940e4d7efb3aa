import { canonicalUri } from '../../protocol/canonical-request.ts'
import { pathAndQuery } from './draft.ts'
import type { MistakeTable } from './mistake.ts'

const pairsOf = (query: string): readonly string[] => query.split('&').filter((pair) => pair !== '')

const decoded = (text: string): string =>
  text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** What may go wrong with method, path and query. */
export const addressMistakes = {
  'method-lower-case': {
    part: 'method',
    sentence: 'The method was signed in lower case.',
    changes: ({ method }) => [{ method: method.toLowerCase() }],
  },
  'path-without-prefix': {
    part: 'path',
    sentence: 'The path was signed without its prefix.',
    changes: ({ path }) => {
      const starts = [...path.matchAll(/\//g)].map(({ index }) => index).filter((at) => at > 0)
      return starts.map((at) => ({ path: path.slice(at) }))
    },
  },
  'path-trailing-slash': {
    part: 'path',
    sentence: 'The path was signed with a slash at its end that was not sent, or without the one that was.',
    changes: ({ path }) => [{ path: path.endsWith('/') ? path.slice(0, -1) : `${path}/` }],
  },
  'path-with-query': {
    part: 'path',
    sentence: 'The path was signed together with the query.',
    changes: ({ query }, { message: { target } }) =>
      target.includes('?')
        ? [{ path: target, query: '' }, { path: target }, { path: `${pathAndQuery(target).path}?${query}`, query: '' }]
        : [],
  },
  'path-whole-url': {
    part: 'path',
    sentence: 'The whole address was signed instead of the path.',
    changes: ({ path, headers }, { message: { target } }) => {
      const host = headers.find(([name]) => name === 'host')?.[1] ?? ''
      return ['http', 'https'].flatMap((scheme) => [
        { path: `${scheme}://${host}${path}` },
        { path: `${scheme}://${host}${target}` },
        { path: `${scheme}://${host}${target}`, query: '' },
      ])
    },
  },
  'path-encoding': {
    part: 'path',
    sentence: 'The path was percent-encoded in another way (profile canonical_uri).',
    changes: (_, { message: { target, rule } }) => {
      const { path } = pathAndQuery(target)
      const other = canonicalUri(path, rule === 'as-sent' ? 'encoded' : 'as-sent')
      return [other, decoded(path), canonicalUri(decoded(path), 'encoded')].map((text) => ({ path: text }))
    },
  },
  'path-missing': {
    part: 'path',
    sentence: 'No path was signed.',
    changes: () => [{ path: '/' }, { path: '' }],
  },
  'query-missing': {
    part: 'query',
    sentence: 'The query was not signed.',
    changes: () => [{ query: '' }],
  },
  'query-unsorted': {
    part: 'query',
    sentence: 'The parameters of the query were not sorted by name.',
    changes: (_, { message: { target } }) => {
      const { query } = pathAndQuery(target)
      const full = pairsOf(query).map((pair) => (pair.includes('=') ? pair : `${pair}=`))
      return [{ query: full.join('&') }, { query: [...full].sort().reverse().join('&') }]
    },
  },
  'query-without-equals': {
    part: 'query',
    sentence: 'A parameter without a value was signed without its "=".',
    changes: ({ query }) => [{ query: query.replace(/=(?=&|$)/g, '') }],
  },
  'query-not-encoded': {
    part: 'query',
    sentence: 'The names and values of the query were not percent-encoded.',
    changes: ({ query }) => [{ query: decoded(query) }],
  },
  'query-form-encoding': {
    part: 'query',
    sentence: 'The query was encoded as a form: a space as "+".',
    changes: ({ query }) => [{ query: query.replaceAll('%20', '+') }, { query: query.replaceAll('%2B', '%20') }],
  },
  'query-script-encoding': {
    part: 'query',
    sentence: "The query was encoded as encodeURIComponent does: !'()* stayed as they are.",
    changes: ({ query }) => [{ query: query.replace(/%(21|27|28|29|2A)/g, (text) => decoded(text)) }],
  },
  'query-lower-hex': {
    part: 'query',
    sentence: 'The query was percent-encoded with lower-case hex digits.',
    changes: ({ query }) => [{ query: query.replace(/%[0-9A-F]{2}/g, (text) => text.toLowerCase()) }],
  },
  'query-question-mark': {
    part: 'query',
    sentence: 'The query was signed with its question mark.',
    changes: ({ query }) => [{ query: `?${query}` }],
  },
} as const satisfies MistakeTable

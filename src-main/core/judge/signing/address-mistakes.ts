import { canonicalUri } from '../../protocol/canonical-request.ts'
import { pathAndQuery } from './draft.ts'
import type { MistakeTable } from './mistake.ts'

const pairsOf = (query: string): readonly string[] => query.split('&').filter((pair) => pair !== '')

const decoded = (text: string): string =>
  text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

export const addressMistakes = {
  'method-lower-case': { part: 'method', changes: ({ method }) => [{ method: method.toLowerCase() }] },
  'path-without-prefix': {
    part: 'path',
    changes: ({ path }) => {
      const starts = [...path.matchAll(/\//g)].map(({ index }) => index).filter((at) => at > 0)
      return starts.map((at) => ({ path: path.slice(at) }))
    },
  },
  'path-trailing-slash': {
    part: 'path',
    changes: ({ path }) => [{ path: path.endsWith('/') ? path.slice(0, -1) : `${path}/` }],
  },
  'path-with-query': {
    part: 'path',
    changes: ({ query }, { message: { target } }) =>
      target.includes('?')
        ? [{ path: target, query: '' }, { path: target }, { path: `${pathAndQuery(target).path}?${query}`, query: '' }]
        : [],
  },
  'path-whole-url': {
    part: 'path',
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
    changes: (_, { message: { target, rule } }) => {
      const { path } = pathAndQuery(target)
      const other = canonicalUri(path, rule === 'as-sent' ? 'encoded' : 'as-sent')
      return [other, decoded(path), canonicalUri(decoded(path), 'encoded')].map((text) => ({ path: text }))
    },
  },
  'path-missing': { part: 'path', changes: () => [{ path: '/' }, { path: '' }] },
  'query-missing': { part: 'query', changes: () => [{ query: '' }] },
  'query-unsorted': {
    part: 'query',
    changes: (_, { message: { target } }) => {
      const { query } = pathAndQuery(target)
      const full = pairsOf(query).map((pair) => (pair.includes('=') ? pair : `${pair}=`))
      return [{ query: full.join('&') }, { query: [...full].sort().reverse().join('&') }]
    },
  },
  'query-without-equals': { part: 'query', changes: ({ query }) => [{ query: query.replace(/=(?=&|$)/g, '') }] },
  'query-not-encoded': { part: 'query', changes: ({ query }) => [{ query: decoded(query) }] },
  'query-form-encoding': {
    part: 'query',
    changes: ({ query }) => [{ query: query.replaceAll('%20', '+') }, { query: query.replaceAll('%2B', '%20') }],
  },
  'query-script-encoding': {
    part: 'query',
    changes: ({ query }) => [{ query: query.replace(/%(21|27|28|29|2A)/g, (text) => decoded(text)) }],
  },
  'query-lower-hex': {
    part: 'query',
    changes: ({ query }) => [{ query: query.replace(/%[0-9A-F]{2}/g, (text) => text.toLowerCase()) }],
  },
  'query-question-mark': { part: 'query', changes: ({ query }) => [{ query: `?${query}` }] },
} as const satisfies MistakeTable

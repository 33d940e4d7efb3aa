import { canonicalUri } from '../../protocol/canonical-request.ts'
import { pathAndQuery } from './draft.ts'
import { type MistakeTable, mistakesIn } from './mistake.ts'

const pairsOf = (query: string): readonly string[] => query.split('&').filter((pair) => pair !== '')

const decoded = (text: string): string =>
  text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

export const addressMistakes = {
  ...mistakesIn('method', { 'method-lower-case': ({ method }) => [{ method: method.toLowerCase() }] }),
  ...mistakesIn('path', {
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
  ...mistakesIn('query', {
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
} as const satisfies MistakeTable

import type { Bench, Found } from './inspection.ts'
import { requestFound } from './signed-request.ts'

/** The request that a curl command would send, judged like any other. */
export const curlFound = async (text: string, bench: Bench): Promise<Found | undefined> => {
  const [program, ...words] = /^(?:\$ )?curl\s/.test(text) ? shellWords(text.replace(/^\$ /, '')) : []
  if (program === undefined) return undefined
  const request = requestIn(words)
  const found = request === undefined ? undefined : await requestFound(request, bench)
  return found === undefined ? undefined : { ...found, kind: 'curl-command' }
}

const BODY: ReadonlySet<string> = new Set(['-d', '--data', '--data-raw', '--data-binary', '--data-ascii', '--json'])
/** Other options with a value, which is no address. */
const WITH_VALUE = /^(?:-[oAbceFmuxT]|--(?:output|user-agent|cookie|max-time|user|proxy|cacert|resolve|connect-to))$/

const requestIn = (words: readonly string[]): string | undefined => {
  let method: string | undefined
  let url: string | undefined
  const headers: string[] = []
  const body: string[] = []
  for (let i = 0; i < words.length; i++) {
    const [word = '', value = ''] = [words[i], words[i + 1]]
    if (word === '-X' || word === '--request') method = words[++i]
    else if (word === '-H' || word === '--header') headers.push(words[++i] ?? '')
    else if (BODY.has(word)) {
      body.push(value)
      i++
    } else if (word === '--url') url = words[++i]
    else if (WITH_VALUE.test(word)) i++
    else if (!word.startsWith('-')) url ??= word
  }
  const target = URL.parse(url?.includes('://') === true ? url : `http://${url ?? ''}`)
  if (url === undefined || target === null) return undefined
  const isNamed = headers.some((header) => /^host:/i.test(header))
  const sent = body.join('&')
  const first = `${method ?? (body.length > 0 ? 'POST' : 'GET')} ${target.pathname}${target.search} HTTP/1.1`
  return `${[first, ...(isNamed ? [] : [`Host: ${target.host}`]), ...headers].join('\n')}\n\n${sent}`
}

/** Quotes, `$'…'` without escapes but `\n` and `\'`, and lines that go on behind a backslash. */
const shellWords = (text: string): readonly string[] => {
  const words: string[] = []
  const pieces = text.matchAll(/\\\r?\n|\s+|'([^']*)'|\$'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)"|\\(.)|([^\s'"\\]+)|./gs)
  let word: string | undefined
  for (const [all, single, dollar, double, escaped, bare] of pieces) {
    if (/^(?:\\\r?\n|\s+)$/.test(all)) {
      if (word !== undefined) words.push(word)
      word = undefined
      continue
    }
    const piece =
      single ??
      dollar?.replace(/\\(.)/gs, (_, char: string) => (char === 'n' ? '\n' : char)) ??
      double?.replace(/\\(["\\$`])/g, '$1') ??
      escaped ??
      bare ??
      all
    word = (word ?? '') + piece
  }
  return word === undefined ? words : [...words, word]
}

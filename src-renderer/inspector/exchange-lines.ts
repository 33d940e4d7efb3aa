import type { EventOf } from '../../src-main/core/contract/events.ts'
import type { HeaderPair } from '../../src-main/core/protocol/canonical-request.ts'
import { parseJsonOrNothing } from '../../src-main/core/protocol/json.ts'

export type Exchange = EventOf<'exchange'>

export const requestLines = ({ request }: Exchange): readonly string[] =>
  linesOf(`${request.method} ${request.target}`, request)

export const responseLines = ({ response }: Exchange): readonly string[] => linesOf(`HTTP ${response.status}`, response)

const linesOf = (
  first: string,
  { headers, body }: { readonly headers: readonly HeaderPair[]; readonly body: string },
): readonly string[] => [
  first,
  ...headers.map(([name, value]) => `${name}: ${value}`),
  ...(body === ''
    ? []
    : [
        '',
        ...jsonPieces(body)
          .map(({ text }) => text)
          .join('')
          .split('\n'),
      ]),
]

/** Masked parts stay masked. */
export const exchangeJson = (exchange: Exchange): string => JSON.stringify(exchange, undefined, 2)

type Piece = { readonly look: 'key' | 'text' | 'value' | 'plain'; readonly text: string }

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g

/** JSON laid out, in pieces with their kind; anything else as one piece. Each token stays as it was written. */
export const jsonPieces = (text: string): readonly Piece[] => {
  if (parseJsonOrNothing(text) === undefined) return [{ look: 'plain', text }]
  const tokens = text.match(TOKEN) ?? []
  const pieces: Piece[] = []
  let depth = 0
  const plain = (more: string) => {
    const last = pieces.at(-1)
    if (last?.look === 'plain') pieces[pieces.length - 1] = { look: 'plain', text: last.text + more }
    else pieces.push({ look: 'plain', text: more })
  }
  const line = () => plain(`\n${'  '.repeat(depth)}`)
  for (const [i, token] of tokens.entries()) {
    const next = tokens[i + 1]
    if (token === '{' || token === '[') {
      plain(token)
      const empty = next === '}' || next === ']'
      depth++
      if (!empty) line()
    } else if (token === '}' || token === ']') {
      depth--
      const before = tokens[i - 1]
      if (before !== '{' && before !== '[') line()
      plain(token)
    } else if (token === ',') {
      plain(token)
      line()
    } else if (token === ':') plain(': ')
    else if (token.startsWith('"')) pieces.push({ look: next === ':' ? 'key' : 'text', text: token })
    else pieces.push({ look: 'value', text: token })
  }
  return pieces
}

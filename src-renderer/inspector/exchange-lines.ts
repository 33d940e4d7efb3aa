import type { BenchEvent } from '../../src-main/core/contract/events.ts'
import type { HeaderPair } from '../../src-main/core/protocol/canonical-request.ts'
import { piecesOf } from './json-pieces.ts'

export type Exchange = Extract<BenchEvent, { kind: 'exchange' }>

/** A request or a response as lines: first line, headers, and the body laid out. */
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
        ...piecesOf(body)
          .map(({ text }) => text)
          .join('')
          .split('\n'),
      ]),
]

/** The whole recorded exchange, for another program; masked parts stay masked. */
export const exchangeJson = (exchange: Exchange): string => JSON.stringify(exchange, undefined, 2)

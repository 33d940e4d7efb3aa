import type { HeaderPair } from '../../core/protocol/canonical-request.ts'
import type { RawResponse } from '../../http/message.ts'
import { headOf, octetsOf, sendOctets, sendPieces } from './octets.ts'
import type { Works } from './works.ts'

const lost: Works = { wire: (response) => ({ ...response, lost: true }) }

const octets = (write: (response: RawResponse, body: string) => string, then?: 'end' | 'wait'): Works => ({
  wire: (response) => ({ ...response, raw: sendOctets(write(response, octetsOf(response)), then) }),
})

/** The honest body behind a head that frames it otherwise. */
const framed = (framing: (length: number) => readonly HeaderPair[]): Works =>
  octets((response, body) => headOf(response, framing(body.length)) + body)

const CHUNKED: HeaderPair = ['Transfer-Encoding', 'chunked']
const chunk = (body: string): string => `${body.length.toString(16)}\r\n${body}\r\n`
const length = (octetCount: number): HeaderPair => ['Content-Length', String(octetCount)]

function* octetByOctet(body: string): Generator<Uint8Array> {
  const bytes = Buffer.from(body, 'latin1')
  for (let at = 0; at < bytes.length; at++) yield bytes.subarray(at, at + 1)
}

/** Faults of the connection: the answer is honest, but hardly a client can read it. */
export const connectionWorks = {
  'connection-cut': lost,
  'no-answer': octets(() => '', 'wait'),
  'body-stalls': octets((response, body) => headOf(response, [length(body.length)]) + body.slice(0, 8), 'wait'),
  'slow-drip': {
    wire: (response, { wall, parameters }) => ({
      ...response,
      raw: sendPieces(response, octetByOctet(octetsOf(response)), {
        wall,
        length: octetsOf(response).length,
        pause_ms: Number(parameters.pause_ms),
      }),
    }),
  },
  'final-answer-lost': lost,
  'final-answer-cut-off': octets(
    (response, body) => headOf(response, [length(body.length)]) + body.slice(0, body.length / 2),
  ),
  'length-too-short': framed((own) => [length(Math.floor(own / 2))]),
  'length-too-long': framed((own) => [length(own + 100)]),
  'length-twice': framed((own) => [length(own), length(own + 1)]),
  'length-and-chunks': octets(
    (response, body) => `${headOf(response, [length(body.length), CHUNKED]) + chunk(body)}0\r\n\r\n`,
  ),
  'chunks-cut-off': octets((response, body) => headOf(response, [CHUNKED]) + chunk(body)),
  'chunk-size-wrong': octets((response, body) => `${headOf(response, [CHUNKED])}zz\r\n${body}\r\n0\r\n\r\n`),
  'header-malformed': framed((own) => [['X Handset', 'spaced'], length(own)]),
  'headers-too-large': framed((own) => [['X-Padding', 'x'.repeat(100_000)], length(own)]),
  'protocol-switched': octets((response) =>
    headOf({ ...response, status: 101 }, [
      ['Connection', 'Upgrade'],
      ['Upgrade', 'h2c'],
    ]),
  ),
  'not-http': octets(() => 'SSH-2.0-OpenSSH_9.9\r\n'),
} as const satisfies Readonly<Record<string, Works>>

import type { HeaderPair } from '../../core/protocol/canonical-request.ts'
import type { CancelAlarm, Clock } from '../../core/protocol/time.ts'
import type { RawResponse, RawWire } from '../../http/message.ts'
import { reasonPhrase } from '../../http/write-response.ts'

type Raw = NonNullable<RawResponse['raw']>

const NOTHING_TO_STOP = (): void => undefined

/** The head of an answer as octets, with what frames its body. */
export const headOf = ({ status, headers }: RawResponse, framing: readonly HeaderPair[]): string =>
  [
    `HTTP/1.1 ${status} ${reasonPhrase(status)}`,
    ...[...headers, ...framing].map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n')

/** The body with one character for each octet. */
export const octetsOf = ({ body }: RawResponse): string => Buffer.from(body).toString('latin1')

/** These octets, and then the connection ends, or stays open with nothing more to come. */
export const sendOctets =
  (octets: string, then: 'end' | 'wait' = 'end'): Raw =>
  (wire) => {
    wire.write(Buffer.from(octets, 'latin1'))
    if (then === 'end') wire.end()
    return NOTHING_TO_STOP
  }

type Pace = { readonly wall: Clock; readonly length: number; readonly pause_ms: number }

/** A whole answer, piece by piece: the next one when the last one was taken and a pause has gone by. */
export const sendPieces =
  (response: RawResponse, pieces: Iterable<Uint8Array>, { wall, length, pause_ms }: Pace): Raw =>
  (wire: RawWire) => {
    const left = pieces[Symbol.iterator]()
    let cancel: CancelAlarm = NOTHING_TO_STOP
    let stopped = false
    const next = (): void => {
      if (stopped) return
      const piece = left.next()
      if (piece.done === true) wire.end()
      else if (wire.write(piece.value)) pause()
      else wire.onceDrained(pause)
    }
    const pause = (): void => {
      if (!stopped) cancel = wall.at(wall.now() + pause_ms, next)
    }
    wire.write(Buffer.from(headOf(response, [['Content-Length', String(length)]]), 'latin1'))
    next()
    return () => {
      stopped = true
      cancel()
    }
  }

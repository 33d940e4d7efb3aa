import type { ClientRequest } from 'node:http'
import type { Bytes } from '../../core/protocol/bytes.ts'
import { concat, utf8 } from '../../core/protocol/bytes.ts'
import type { Clock } from '../../core/protocol/clock.ts'

/** How a request with a body behaves on the wire. */
export type Conduct = {
  /** The bytes that are sent instead. */
  bend(body: Bytes): Bytes
  readonly contentType: string
  write(request: ClientRequest, body: Bytes | undefined): void
  /** Whether the response is listened to once it begins. */
  readonly listens: boolean
}

export const plain: Conduct = {
  bend: (body) => body,
  contentType: 'application/json',
  write: (request, body) => void request.end(body),
  listens: true,
}

/** The service has answered, but its answer never arrives. */
export const hangingUp: Conduct = { ...plain, listens: false }

/** The connection breaks in the middle of the body. */
export const cutOff: Conduct = {
  ...plain,
  write: (request, body = new Uint8Array(0)) =>
    void request.write(body.subarray(0, body.length >> 1), () => request.destroy(new Error('cut off'))),
}

/** The body in pieces, with pauses of real time. */
export const trickling = (
  wall: Clock,
  { pieceBytes, pauseMs }: { readonly pieceBytes: number; readonly pauseMs: number },
): Conduct => ({
  ...plain,
  write(request, body = new Uint8Array(0)) {
    const from = (start: number): void => {
      if (request.destroyed) return
      const end = start + Math.max(1, pieceBytes)
      request.write(body.subarray(start, end))
      if (end >= body.length) request.end()
      else wall.at(wall.now() + pauseMs, () => from(end))
    }
    from(0)
  },
})

const bent = (bend: Conduct['bend']): Conduct => ({ ...plain, bend })

const BODY_LIMIT = 64 * 1024

export const notJson = bent((body) => body.slice(0, -1))
export const asArray = bent((body) => concat(utf8('['), body, utf8(']')))
export const tooLarge = bent((body) => concat(body, new Uint8Array(BODY_LIMIT + 1 - body.length).fill(0x20)))
export const empty = bent(() => new Uint8Array(0))
export const asText: Conduct = { ...plain, contentType: 'text/plain' }

import type { ClientRequest } from 'node:http'
import type { Clock } from '../protocol/clock.ts'

/** How a request behaves on the wire. */
export type Conduct = {
  write(request: ClientRequest, body: Uint8Array | undefined): void
  /** Whether the response is listened to once it begins. */
  readonly listens: boolean
}

export const plain: Conduct = { write: (request, body) => void request.end(body), listens: true }

/** The service has answered, but its answer never arrives. */
export const hangingUp: Conduct = { ...plain, listens: false }

const PIECES = 8

/** The body in pieces, over so much real time. */
export const dripping = (wall: Clock, ms: number): Conduct => ({
  listens: true,
  write(request, body = new Uint8Array(0)) {
    const size = Math.ceil(body.length / PIECES)
    const piece = (index: number): void => {
      if (request.destroyed) return
      request.write(body.subarray(index * size, (index + 1) * size))
      if (index + 1 >= PIECES) request.end()
      else wall.at(wall.now() + ms / PIECES, () => piece(index + 1))
    }
    piece(0)
  },
})

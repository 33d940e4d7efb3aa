import type { ServerResponse } from 'node:http'
import type { Bytes } from '../core/protocol/bytes.ts'
import type { HeaderPair } from '../core/protocol/canonical-request.ts'
import type { RawRequest, RequestHead } from './message.ts'

/**
 * Whether the client is gone is asked by few, and an AbortController for each request costs more than its parsing. A
 * class, since an accessor in an object literal would give every request a shape of its own, which costs even more.
 */
export class ArrivedRequest implements RawRequest {
  readonly id: string
  readonly arrived: number
  readonly workspace: string
  readonly method: string
  readonly target: string
  readonly path: string
  readonly query: string
  readonly headers: readonly HeaderPair[]
  readonly body: Bytes
  readonly #outgoing: ServerResponse
  #gone: AbortSignal | undefined

  constructor(head: RequestHead, body: Bytes, outgoing: ServerResponse) {
    this.id = head.id
    this.arrived = head.arrived
    this.workspace = head.workspace
    this.method = head.method
    this.target = head.target
    this.path = head.path
    this.query = head.query
    this.headers = head.headers
    this.body = body
    this.#outgoing = outgoing
  }

  get gone(): AbortSignal {
    this.#gone ??= goneSignal(this.#outgoing)
    return this.#gone
  }
}

const goneSignal = (outgoing: ServerResponse): AbortSignal => {
  const gone = new AbortController()
  const { socket } = outgoing
  if (outgoing.destroyed || socket === null || socket.readableEnded) gone.abort()
  else {
    // A client that only ended its own side cannot be told from one that left: it does not wait for what may come.
    const leave = (): void => {
      socket.off('end', leave)
      gone.abort()
    }
    socket.once('end', leave)
    outgoing.once('close', leave)
  }
  return gone.signal
}

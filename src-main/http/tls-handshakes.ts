import type { Server } from 'node:https'
import type { Socket } from 'node:net'
import type { Connections } from './answer-request.ts'

/** The first octet of a TLS record with a handshake (RFC 8446 §5.1). */
const HANDSHAKE = 0x16

type HandshakeOptions = {
  readonly connections: Connections
  /** A handshake that takes longer is cut off. */
  readonly limitMs: number
  /** Called for a client that sends HTTP without TLS. */
  readonly answerPlain: (socket: Socket) => void
}

/**
 * Counts connections when they are accepted: beyond the limit, one in a handshake is closed like an idle one. Node's
 * own listener for connections is called only after the client's first octet shows that it uses TLS.
 */
export const watchHandshakes = (server: Server, { connections, limitMs, answerPlain }: HandshakeOptions): void => {
  const shakeHands = server.listeners('connection')
  server.removeAllListeners('connection')
  const underWay = new Map<string, { readonly socket: Socket; readonly limit: NodeJS.Timeout }>()

  const finish = (name: string): void => {
    const handshake = underWay.get(name)
    if (handshake === undefined) return
    clearTimeout(handshake.limit)
    underWay.delete(name)
    connections.forget(handshake.socket)
  }

  server.on('connection', (socket: Socket) => {
    const name = peerOf(socket)
    underWay.set(name, { socket, limit: setTimeout(() => socket.destroy(), limitMs) })
    connections.add(socket)
    socket.once('close', () => finish(name))
    const leave = (): void => void socket.destroy()
    socket.once('end', leave)
    socket.once('data', (octets: Buffer) => {
      if (octets[0] === HANDSHAKE) {
        socket.pause()
        socket.unshift(octets)
        socket.off('end', leave)
        for (const listener of shakeHands) listener.call(server, socket)
      } else if (/^[A-Z]{3,10} \S/.test(octets.toString('latin1', 0, 20))) answerPlain(socket)
      else socket.destroy()
    })
  })
  server.on('secureConnection', (secured: Socket) => {
    finish(peerOf(secured))
    connections.add(secured)
  })
  server.on('tlsClientError', (_, secured: Socket) => secured.destroy())
}

/** Identifies a connection: equal for a socket and the TLS socket around it. */
const peerOf = ({ remoteAddress, remotePort, localAddress }: Socket): string =>
  `${remoteAddress} ${remotePort} ${localAddress}`

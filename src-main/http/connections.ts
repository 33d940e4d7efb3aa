import type { Socket } from 'node:net'
import { Connection, type ConnectionShare } from './connection.ts'

/** All connections of a server, oldest first. When there are too many, the one that is least missed gives way. */
export type Connections = {
  add(socket: Socket): void
  of(socket: Socket): Connection | undefined
  /** It counts no longer; the socket stays. */
  forget(socket: Socket): void
  /** Ends those whose request has not come yet, or not wholly. */
  closeIdle(): void
  closeAll(): void
}

export const createConnections = (most: number, share: ConnectionShare): Connections => {
  const open = new Map<Socket, Connection>()

  const makeRoom = (newest: Connection): void => {
    if (open.size <= most) return
    const spare = oldestIdle(newest) ?? oldestUnfinished(newest) ?? newest
    spare.socket.destroy()
    open.delete(spare.socket)
  }

  /** Second chance: a connection with a request since the last search goes to the end of the line. */
  const oldestIdle = (newest: Connection): Connection | undefined => {
    let looks = open.size * 2
    for (const [socket, connection] of open) {
      if (looks-- === 0) return undefined
      if (connection === newest || !connection.idle) continue
      if (!connection.used) return connection
      connection.used = false
      open.delete(socket)
      open.set(socket, connection)
    }
    return undefined
  }

  /** The client is slow to send its request or to read its answer. */
  const oldestUnfinished = (newest: Connection): Connection | undefined => {
    for (const connection of open.values()) {
      if (connection !== newest && connection.phase !== 'working') return connection
    }
    return undefined
  }

  return {
    add: (socket) => {
      const connection = new Connection(socket, share)
      open.set(socket, connection)
      socket.once('close', () => open.delete(socket))
      makeRoom(connection)
    },
    of: (socket) => open.get(socket),
    forget: (socket) => void open.delete(socket),
    closeIdle: () => {
      for (const { socket, phase, idle } of open.values()) if (idle || phase === 'receiving') socket.destroy()
    },
    closeAll: () => {
      for (const socket of open.keys()) socket.destroy()
    },
  }
}

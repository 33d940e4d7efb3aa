import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { freePort } from '../../support/free-port.ts'

export type Line = Awaited<ReturnType<typeof openLine>>

/** A piece of network between the page and the service, which can be cut and mended. */
export const openLine = async (target: number) => {
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
      // Either end may go at any time: that is what this is for.
      socket.on('error', () => undefined)
    }
    near.pipe(far).pipe(near)
  })
  // It is listened on again when the line is mended.
  const port = await freePort()
  await listen(server, port)
  const cut = async (): Promise<void> => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  return {
    origin: `http://localhost:${port}`,
    cut,
    mend: () => listen(server, port),
  }
}

const listen = async (server: Server, port: number): Promise<void> => {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
}

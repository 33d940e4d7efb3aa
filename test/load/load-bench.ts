import { connect, createServer, type Socket } from 'node:net'
import { startTestBench } from '../support/bench.ts'

/** A bench behind a proxy that can stand still: connections are kept, and no octet passes for so long from the next one on. */
export const startPausingBench = async () => {
  const sockets = new Set<Socket>()
  let target = 0
  const held: (() => void)[] = []
  let pauseMs = 0
  const pass = (to: Socket, octets: Buffer): void => {
    if (pauseMs === 0) return void to.write(octets)
    held.push(() => to.write(octets))
    if (held.length > 1) return
    setTimeout(() => {
      pauseMs = 0
      for (const send of held.splice(0)) send()
    }, pauseMs)
  }
  const proxy = createServer((client) => {
    const service = connect(target, '127.0.0.1')
    for (const [from, to] of [
      [client, service],
      [service, client],
    ] as const) {
      sockets.add(from)
      from.on('data', (octets) => pass(to, octets))
      from.on('error', () => to.destroy())
      from.on('close', () => to.destroy())
    }
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const it = await startTestBench({ allowHosts: [`localhost:${port}`] })
  target = it.bench.port
  return {
    ...it,
    baseUrl: `http://localhost:${port}/fido`,
    pauseFor: (ms: number) => {
      pauseMs = ms
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      proxy.close()
      await it.close()
    },
  }
}

import type { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { isLong } from '../support/parts.ts'
import { callersOf, hostOf } from './callers.ts'
import { good, straightPath } from './cast.ts'
import { serve } from './served.ts'
import { connected, nextAnswer, requestBytes } from './wire.ts'

/** Those who wait, those who dawdle and those who never read: they cost other callers nothing. */
describe('thousands of connections that say nothing', () => {
  /** `npm test -- long` opens ten thousand. */
  const WANTED = isLong ? 10_000 : 2_000
  const TOGETHER = 200

  /** As many as this system lets one process have. */
  const openMany = async (port: number): Promise<readonly Socket[]> => {
    const sockets: Socket[] = []
    const ping = requestBytes({ method: 'HEAD', target: '/', headers: [['Host', hostOf(port)]] })
    while (sockets.length < WANTED) {
      const more = await Promise.allSettled(
        Array.from({ length: TOGETHER }, async () => {
          const socket = await connected(port)
          // Once answered, a connection may stay as it is for a minute.
          const answer = nextAnswer(socket, 'HEAD')
          socket.write(ping)
          await answer
          return socket
        }),
      )
      const good = more.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      sockets.push(...good)
      if (good.length < TOGETHER) break
    }
    return sockets
  }

  test('leave the service as quick and as right as it was', { timeout: 300_000 }, async () => {
    const served = await serve()
    const callers = callersOf(served)
    const idle = await openMany(served.port)
    try {
      if (idle.length < WANTED) console.warn(`this system allows ${idle.length} connections of ${WANTED}`)
      expect(idle.length).toBeGreaterThanOrEqual(process.platform === 'linux' ? 1_000 : 200)
      await straightPath(callers)
      // They are still served, too.
      for (const socket of [idle[0], idle[idle.length >> 1], idle.at(-1)]) {
        const answer = nextAnswer(socket as Socket)
        socket?.write(requestBytes(callers.rp('GET', '/rp/credentials?user_id=u1')))
        expect((await answer).json.data.total).toBe(1)
      }
      const { accounts } = good(await callers.send(callers.control('GET', '/overview'))).json.data.counts
      expect(accounts).toBe(1)
    } finally {
      for (const socket of idle) socket.destroy()
    }
    const stopped = performance.now()
    expect(await served.stop()).toBe(process.platform === 'win32' ? null : 0)
    expect(performance.now() - stopped).toBeLessThan(20_000)
    expect(served.stderr()).toBe('')
  })
})

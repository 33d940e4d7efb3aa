import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { type Running, startService } from '../support/service/start-service.ts'
import { callersOf, hostOf } from './callers.ts'
import { good, registered, signIn } from './cast.ts'
import { listenOn } from './listen-on.ts'
import { serve } from './served.ts'
import { straightPath } from './straight-path.ts'
import { connected, nextAnswer, requestBytes } from './wire.ts'

/** Those who wait, those who dawdle and those who never read: they cost nobody else anything. */
describe('ten thousand connections that say nothing', () => {
  const WANTED = 10_000
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
    expect(performance.now() - stopped).toBeLessThan(10_000)
    expect(served.stderr()).toBe('')
  })
})

describe('those who dawdle', () => {
  let running: Running
  afterEach(async () => {
    await running.stop()
    expect(running.log.filter(({ level }) => level === 'error')).toEqual([])
  })
  const start = async () => {
    running = await startService({ limits: { headersTimeoutMs: 400, requestTimeoutMs: 800, keepAliveMs: 400 } })
    const { key } = await running.makeRp()
    return callersOf({ port: running.port, token: '', key: { accessKeyId: key.id, secretKey: key.secret } })
  }

  test('300 that send one octet now and then are told 40801, and nobody else waits for them', async () => {
    const callers = await start()
    const { port } = running
    const octets = requestBytes(callers.rp('POST', '/rp/attestation/options', { user_id: 'u', username: 'u' }))
    const dawdle = async (n: number): Promise<readonly unknown[]> => {
      // A third breaks off in the first line, a third in the headers, a third in the body.
      const from = [4, 60, octets.length - 12][n % 3] ?? 0
      const socket = await connected(port)
      const heard = nextAnswer(socket)
      socket.write(octets.subarray(0, from))
      const timer = setInterval(() => socket.write(octets.subarray(from, from + 1)), 150)
      try {
        return [(await heard).json.code]
      } catch {
        return ['ended']
      } finally {
        clearInterval(timer)
        socket.destroy()
      }
    }
    const [told] = await Promise.all([
      Promise.all(Array.from({ length: 300 }, (_, n) => dawdle(n))),
      straightPath(callers),
    ])
    expect(new Set(told.flat())).toEqual(new Set([40801]))
    const made = await running.store.messages.list('main', { user_id: 'u', limit: 10 })
    expect(made).toEqual([])
  })

  test('a connection without a request, and one that is done, are ended', async () => {
    const callers = await start()
    const silent = await listenOn(running.port, Buffer.alloc(0))
    expect(silent.ended).toBe('ended')
    const ask = requestBytes(callers.rp('GET', '/rp/credentials?user_id=u'))
    const done = await listenOn(running.port, ask, { answers: 2 })
    expect([done.answers.map(({ status }) => status), done.ended]).toEqual([[200], 'ended'])
  })

  test('one who asks two thousand times and never reads does not hold up the others', async () => {
    const callers = await start()
    const phone = await signIn(callers, 'Li Wei')
    await registered(callers, phone, 'u0')
    const socket = await connected(running.port)
    socket.pause()
    const ask = requestBytes(callers.rp('GET', '/rp/credentials?user_id=u0'))
    for (let i = 0; i < 2000; i++) socket.write(ask)
    await straightPath(callers)
    socket.destroy()
    await wait(1)
    await straightPath(callers)
  })
})

import { once } from 'node:events'
import { test } from 'vitest'
import { hostOf } from '../callers.ts'
import { connected } from '../wire.ts'
import { underAttack } from './under-attack.ts'

/** Requests after which the socket is no longer the parser's. */
const LEAVING = [
  'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: HOST\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: HOST\r\nExpect: wonders\r\n\r\n',
  'NONSENSE\r\n\r\n',
]

test('a connection that is reset right after CONNECT, an upgrade or nonsense does not end the process', () =>
  underAttack({}, async ({ port }) => {
    for (let round = 0; round < 10; round++) {
      for (const octets of LEAVING) {
        const socket = await connected(port)
        socket.on('error', () => undefined)
        socket.write(octets.replace('HOST', hostOf(port)))
        // Once with the answer in the buffer, once before it comes.
        if (round % 2 === 0) await once(socket, 'data')
        const closed = once(socket, 'close')
        socket.resetAndDestroy()
        await closed
      }
    }
  }))

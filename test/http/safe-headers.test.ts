import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { writeResponse } from '../../src-main/http/write-response.ts'

test('[import.rules] a header value that cannot be sent ends nothing and smuggles nothing in', async () => {
  const server = createServer((_request, response) => {
    writeResponse(
      response,
      { status: 200, headers: [['ETag', '"a\r\nSet-Cookie: b=中"']], body: 'here' },
      { unreadMs: 1000, lingerMs: 1000, streamBytes: 1000 },
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const [answer] = (await once(get({ port: (server.address() as AddressInfo).port }), 'response')) as [IncomingMessage]
  answer.resume()
  expect(answer.headers.etag).toBe('"a??Set-Cookie: b=?"')
  expect(answer.headers['set-cookie']).toBeUndefined()
  server.close()
})

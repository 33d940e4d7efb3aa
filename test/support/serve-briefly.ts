import { createServer, type Server as HttpServer, type RequestListener } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { onTestFinished } from 'vitest'

/** Listens for as long as the test that asked for it runs; the port. */
export const listenBriefly = async (server: Server | HttpServer): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    if ('closeAllConnections' in server) server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** An HTTP server that goes with the test that asked for it; its origin. */
export const serveBriefly = async (answer: RequestListener): Promise<string> =>
  `http://127.0.0.1:${await listenBriefly(createServer(answer))}`

// @ts-nocheck An RP as somebody else would write it: plain JavaScript.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'

/** The RP's own interface: JSON, with a session in a cookie. What a handler throws is a 500. */
export const startWeb = async (routes, port) => {
  const sessions = new Map()
  const server = createServer(async (request, response) => {
    const url = new URL(request.url, 'http://rp')
    const answer = (status, body, headers = {}) =>
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body))
    const handler = routes[`${request.method} ${url.pathname}`]
    if (handler === undefined) return answer(404, { error: 'There is no such page.' })
    const cookie = /sid=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1]
    const session = sessions.get(cookie) ?? { id: randomUUID() }
    sessions.set(session.id, session)
    try {
      let text = ''
      for await (const part of request) text += part
      const { status = 200, type = 'application/json', ...body } = await handler(session, {
        ...Object.fromEntries(url.searchParams),
        ...(text === '' ? {} : JSON.parse(text)),
      })
      answer(status, body, { 'Content-Type': type, 'Set-Cookie': `sid=${session.id}; HttpOnly; SameSite=Lax; Path=/` })
    } catch (error) {
      answer(500, { error: String(error) })
    }
  })
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Runs it as a program, configured by its environment. */
export const runAsProgram = async (module, start) => {
  if (process.argv[1] !== module) return
  const { RP_BASE_URL, RP_ACCESS_KEY_ID, RP_SECRET_KEY, PORT = '0' } = process.env
  const { url } = await start({
    baseUrl: RP_BASE_URL,
    accessKeyId: RP_ACCESS_KEY_ID,
    secretKey: RP_SECRET_KEY,
    port: Number(PORT),
  })
  console.log(url)
}

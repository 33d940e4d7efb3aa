// @ts-nocheck An RP as somebody else would write it: plain JavaScript.
import { createServer, request } from 'node:http'
import { startCareful } from './careful.mjs'

const { RP_BASE_URL, RP_ACCESS_KEY_ID, RP_SECRET_KEY, PORT, FATE } = process.env

const readNothing = (data) => data.user_id

let isRubbish = false
const FATES = {
  exit: () => {
    console.error('out of luck')
    process.exit(7)
  },
  throw: () => {
    setImmediate(() => readNothing(null))
  },
  // It never answers again, and needs no processor for it.
  hang: () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0),
  rubbish: () => {
    isRubbish = true
  },
}

/** A careful RP that something ends when the service has answered with HTML. */
const inner = await startCareful({
  ...{ baseUrl: RP_BASE_URL, accessKeyId: RP_ACCESS_KEY_ID, secretKey: RP_SECRET_KEY },
  hears: (type) => {
    if (type === 'text/html') FATES[FATE]()
  },
})

createServer(async (incoming, response) => {
  let body = ''
  for await (const part of incoming) body += part
  if (isRubbish) return response.end('<p>rubbish')
  const { method, headers, url } = incoming
  request(inner.url + url, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers)
    answer.pipe(response)
  }).end(body)
}).listen(Number(PORT), '127.0.0.1')

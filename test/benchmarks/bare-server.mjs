// What any service of this kind stands on: node:http, and an answer of the same size that nobody had to think about.
import { createServer } from 'node:http'

const body = JSON.stringify({ code: 0, data: { svc_user: '', status: 'init', error: '' }, error: '' })
const server = createServer((_request, response) => {
  response.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Length': Buffer.byteLength(body),
  })
  response.end(body)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(JSON.stringify({ port: typeof address === 'object' ? address?.port : undefined }))
})

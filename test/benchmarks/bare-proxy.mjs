// The least that a proxy does: node:http on both sides, connections kept, bodies piped, nothing looked at.
import { Agent, createServer, request } from 'node:http'

const agent = new Agent({ keepAlive: true })
const port = Number(process.argv[2])
const server = createServer((incoming, outgoing) => {
  const { method, url, rawHeaders } = incoming
  const passed = request({ agent, host: '127.0.0.1', port, method, path: url, headers: rawHeaders }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
    answer.pipe(outgoing)
  })
  passed.on('error', () => outgoing.destroy())
  incoming.pipe(passed)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(JSON.stringify({ port: typeof address === 'object' ? address?.port : undefined }))
})

import { createServer } from 'node:http'
import { handler } from './build/handler.js'

// The site is served over plain HTTP under whatever name the visitor uses. SvelteKit's origin check needs the
// scheme, and a visitor must not choose it.
createServer((request, response) => {
  request.headers['x-forwarded-proto'] = 'http'
  handler(request, response)
}).listen(Number(process.env.PORT), '127.0.0.1')

// The health check of the container image: exit code 0 as long as the bench of this container answers.
import { get } from 'node:http'
import { get as getOverTls } from 'node:https'

const port = Number(process.env.HANDSET_PORT ?? 7420)
const options = { host: '127.0.0.1', port, path: '/healthz', timeout: 5000, agent: false }
const withTls = process.env.HANDSET_TLS === '1' || process.env.HANDSET_TLS_CERT !== undefined
// What answers on this port of this container is the bench, whatever its certificate says.
const asked = withTls ? getOverTls({ ...options, rejectUnauthorized: false }) : get(options)
asked.on('response', ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1))
asked.on('timeout', () => process.exit(1))
asked.on('error', ({ message }) => {
  console.error(message)
  process.exit(1)
})

// The health check of the container image: exit code 0 as long as the bench of this container answers.
import { get } from 'node:http'
import { get as getOverTls } from 'node:https'

// Variables as the command line reads them (cli/read-options.ts): an empty one is not set.
const { HANDSET_HOST, HANDSET_PORT, HANDSET_TLS, HANDSET_TLS_CERT } = process.env
const [address = '127.0.0.1'] = (HANDSET_HOST ?? '').split(/[\s,]+/).filter(Boolean)
const host = { '0.0.0.0': '127.0.0.1', '::': '::1' }[address] ?? address
const options = { host, port: Number(HANDSET_PORT || 7420), path: '/healthz', timeout: 5000, agent: false }
const withTls = HANDSET_TLS === '1' || HANDSET_TLS === 'true' || Boolean(HANDSET_TLS_CERT)
// The bench is in this container, so its certificate does not matter.
const asked = withTls ? getOverTls({ ...options, rejectUnauthorized: false }) : get(options)
asked.on('response', ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1))
asked.on('timeout', () => process.exit(1))
asked.on('error', ({ message }) => {
  console.error(message)
  process.exit(1)
})

// @ts-nocheck An RP as somebody else would write it: plain JavaScript.
import { createHash, createHmac } from 'node:crypto'

const sha256 = (data) => createHash('sha256').update(data).digest('hex')

/** The headers of a signed request, as docs/interface/signing.md has it. */
export const signedHeaders = ({ method, host, target, body, accessKeyId, secretKey, now }) => {
  const date = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')
  const [path, query = ''] = target.split('?')
  const canonical = [method, path, query, `host:${host}`, `x-svc-date:${date}`, '', 'host;x-svc-date', sha256(body)]
  const scope = 'fido-server/'
  const text = ['SVC-HMAC-SHA256', date, scope, sha256(canonical.join('\n'))].join('\n')
  const signature = createHmac('sha256', secretKey).update(text).digest('hex')
  return {
    Host: host,
    'X-Svc-Date': date,
    Authorization: `SVC-HMAC-SHA256 ${accessKeyId}/${scope},host;x-svc-date,${signature}`,
    ...(body === '' ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
  }
}

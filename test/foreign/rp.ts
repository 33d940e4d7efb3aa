import { createHash, createHmac } from 'node:crypto'
import { request } from 'node:http'

/**
 * A relying party written with the interface document alone: it imports nothing of the product.
 */
export type ForeignRp = {
  readonly baseUrl: string
  readonly accessKeyId: string
  readonly secretKey: string
  readonly now?: () => number
}

export type Answer = {
  readonly status: number
  readonly code: number
  readonly error: string
  readonly data: Record<string, unknown>
}

const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')

export const callAsRp = (rp: ForeignRp, method: string, pathAndQuery: string, body?: unknown): Promise<Answer> => {
  const url = new URL(rp.baseUrl + pathAndQuery)
  const payload = body === undefined ? '' : JSON.stringify(body)
  const date = new Date((rp.now ?? Date.now)()).toISOString().replace(/[-:]/g, '').replace(/\.\d+/, '')
  const query = [...url.searchParams]
    .map(([k, v]) => `${encodeURIComponent(k)}=${encodeURIComponent(v)}`)
    .sort()
    .join('&')
  const canonical = [
    method,
    url.pathname,
    query,
    `host:${url.host}`,
    `x-svc-date:${date}`,
    '',
    'host;x-svc-date',
    sha256(payload),
  ].join('\n')
  const toSign = ['SVC-HMAC-SHA256', date, 'fido-server/', sha256(canonical)].join('\n')
  const signature = createHmac('sha256', rp.secretKey).update(toSign).digest('hex')
  return send(url, method, payload, {
    'x-svc-date': date,
    authorization: `SVC-HMAC-SHA256 ${rp.accessKeyId}/fido-server/,host;x-svc-date,${signature}`,
  })
}

export const send = (url: URL, method: string, payload: string, headers: Record<string, string>): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const req = request(
      url,
      {
        method,
        headers: {
          ...headers,
          ...(payload === ''
            ? {}
            : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(payload)) }),
        },
      },
      (res) => {
        let text = ''
        res.setEncoding('utf8')
        res.on('data', (chunk) => {
          text += chunk
        })
        res.on('end', () => resolve({ status: res.statusCode ?? 0, ...JSON.parse(text) }))
      },
    )
    req.on('error', reject)
    req.end(payload)
  })

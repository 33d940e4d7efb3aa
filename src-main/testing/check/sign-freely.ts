import { Buffer } from 'node:buffer'
import { createHash, createHmac } from 'node:crypto'
import { latin1 } from '../../core/protocol/bytes.ts'
import { canonicalRequest, type HeaderPair } from '../../core/protocol/canonical-request.ts'
import { formatSvcDate } from '../../core/protocol/time.ts'
import { CaseEnded, type WireRequest } from './exchange.ts'
import type { World } from './world.ts'

/** Parts of a request that the SDK's signer cannot change. */
export type SigningOverrides = {
  readonly method?: string
  readonly target?: string
  /** Headers after Host and X-Svc-Date. */
  readonly headers?: readonly HeaderPair[]
  readonly signedHeaders?: string
  readonly date?: string
  /** The query as it is signed, instead of its canonical form. */
  readonly signedQuery?: string
  /** The whole scope, `fido-server/` included. */
  readonly scope?: string
  readonly key?: { readonly accessKeyId: string; readonly secretKey: string }
  readonly form?: 'general' | 'short'
}

const sha256 = (data: Uint8Array): string => createHash('sha256').update(data).digest('hex')

/** Changes any part that docs/interface/signing.md defines; the signature still fits the signed text. */
export const signWithOverrides = (world: World, free: SigningOverrides = {}): WireRequest => {
  const { fresh, now, profile } = world
  const { baseUrl, key: own } = world.target
  const { host, pathname } = new URL(baseUrl)
  const { method = 'GET', date = formatSvcDate(now()), scope = 'fido-server/', key = own } = free
  const form = free.form ?? (profile.authorization_forms.includes('general') ? 'general' : 'short')
  const target = pathname.replace(/\/$/, '') + (free.target ?? `/rp/credentials?user_id=${fresh('u')}`)
  const headers: readonly HeaderPair[] = [['Host', host], ['X-Svc-Date', date], ...(free.headers ?? [])]
  const names = free.signedHeaders ?? [...new Set(headers.map(([name]) => name.toLowerCase()))].sort().join(';')
  const [path = '', ...query] = target.split('?')
  const canonical = canonicalRequest(
    {
      method,
      path,
      query: query.join('?'),
      headers,
      signedHeaders: names.split(';'),
      payloadHash: sha256(Buffer.of()),
    },
    'as-sent',
  )
  if (!canonical.ok) throw new CaseEnded(`it cannot be signed: ${canonical.error}`)
  const lines = canonical.value.split('\n')
  if (free.signedQuery !== undefined) lines[2] = free.signedQuery
  const text = ['SVC-HMAC-SHA256', date, scope, sha256(latin1(lines.join('\n')))].join('\n')
  const signature = createHmac('sha256', key.secretKey).update(latin1(text)).digest('hex')
  const who = form === 'short' ? '' : `${key.accessKeyId}/${scope},`
  return {
    method,
    target,
    headers: [...headers, ['Authorization', `SVC-HMAC-SHA256 ${who}${names},${signature}`]],
    body: Buffer.of(),
  }
}

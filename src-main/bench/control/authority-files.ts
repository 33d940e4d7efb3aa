import { refuse } from '../../core/contract/errors.ts'
import { refusalResponse } from '../../http/envelope-response.ts'
import type { RawResponse } from '../../http/message.ts'
import { trustStoreOf } from '../tls/trust-store.ts'

/** What clients need before they can trust the bench, so no token is asked for; a certificate is public. */
export const authorityPem = (authority: string | undefined): RawResponse =>
  file(authority, { type: 'application/x-pem-file', body: (pem) => pem })

/** The same for Java. */
export const authorityStore = (authority: string | undefined): RawResponse =>
  file(authority, { type: 'application/x-pkcs12', body: trustStoreOf })

const file = (
  authority: string | undefined,
  { type, body }: { readonly type: string; readonly body: (pem: string) => string | Uint8Array },
): RawResponse =>
  authority === undefined
    ? refusalResponse(refuse('no_route', { code: 'no_authority' }))
    : { status: 200, headers: [['Content-Type', type]], body: body(authority) }

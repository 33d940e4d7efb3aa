import { encodeAuthorization, parseAuthorization } from '../../core/protocol/authorization.ts'
import { latin1, octetsOf } from '../../core/protocol/bytes.ts'
import { canonicalRequest } from '../../core/protocol/canonical-request.ts'
import { stringToSign } from '../../core/protocol/string-to-sign.ts'
import { headerOf, isNamed } from '../../http/message.ts'
import type { Asked } from '../../http/upstream.ts'
import type { RequestContext } from '../services.ts'
import { type Caller, hmacOf } from './authenticate.ts'
import { sha256Hex } from './hmac-sha256.ts'

/** The same claim by the same key, for a request with a changed host, path or body. */
export const signAnew = async (
  { services, workspace, profile }: RequestContext,
  caller: Caller,
  asked: Asked,
): Promise<Asked> => {
  const authorization = parseAuthorization(headerOf(asked.headers, 'authorization') ?? '')
  const found = await services.store.accessKeys.withRp(workspace, caller.accessKeyId)
  if (!authorization.ok || found === undefined) return asked
  const mark = asked.target.indexOf('?')
  const text = canonicalRequest(
    {
      method: asked.method,
      path: mark < 0 ? asked.target : asked.target.slice(0, mark),
      query: mark < 0 ? '' : asked.target.slice(mark + 1),
      headers: asked.headers,
      signedHeaders: authorization.value.signedHeaders,
      payloadHash: sha256Hex(asked.body),
    },
    profile.canonical_uri,
  )
  if (!text.ok) return asked
  const signature = hmacOf(found.key)(
    stringToSign({
      date: headerOf(asked.headers, 'x-svc-date')?.trim() ?? '',
      scope: octetsOf(caller.scope),
      canonicalRequestHash: sha256Hex(latin1(text.value)),
    }),
  )
  const signed = encodeAuthorization({ ...authorization.value, signature })
  return {
    ...asked,
    headers: asked.headers.map((pair) => (isNamed(pair[0], 'authorization') ? [pair[0], signed] : pair)),
  }
}

import type { ErrorName } from '../../src-main/core/contract/errors.ts'
import { type Authorization, parseAuthorization } from '../../src-main/core/protocol/authorization.ts'
import { parseJsonOrNothing } from '../../src-main/core/protocol/json.ts'
import { formatSvcDate } from '../../src-main/core/protocol/time.ts'
import { jsonMember } from '../../src-main/views/timeline/json-member.ts'
import type { Exchange } from './exchange-lines.ts'

/** Received and expected values; undefined if there is no value. */
export type RefusalProof = { readonly received: string | undefined; readonly expected: string | undefined }

export type RefusalContext = {
  /** The clock that X-Svc-Date is compared with. */
  readonly skewClock: 'wall' | 'bench'
  readonly activeKeys: readonly string[]
}

type Prove = (exchange: Exchange, context: RefusalContext) => RefusalProof

const AUTHORIZATION = 'SVC-HMAC-SHA256 <access key>/fido-server/<identifier>,<signed headers>,<signature>'

const PROOFS: Partial<Readonly<Record<ErrorName, Prove>>> = {
  no_authorization: ({ request }) => ({
    received: joined(request.headers.map(([name]) => name.toLowerCase())),
    expected: `Authorization: ${AUTHORIZATION}`,
  }),
  malformed_authorization: ({ request }) => ({ received: headerIn(request, 'authorization'), expected: AUTHORIZATION }),
  unknown_access_key: (exchange, { activeKeys }) => ({
    received: generalAuthorization(exchange)?.accessKeyId,
    expected: joined(activeKeys),
  }),
  bad_date: ({ request, wall }) => ({ received: headerIn(request, 'x-svc-date'), expected: formatSvcDate(wall) }),
  clock_skew: ({ request, wall, bench }, { skewClock }) => ({
    received: headerIn(request, 'x-svc-date'),
    expected: formatSvcDate(skewClock === 'bench' ? bench : wall),
  }),
  host_not_signed: (exchange) => {
    const signed = readAuthorization(exchange)?.signedHeaders ?? []
    return { received: signed.join(';'), expected: [...signed, 'host'].sort().join(';') }
  },
  bad_scope: (exchange) => ({ received: generalAuthorization(exchange)?.scope, expected: 'fido-server/<identifier>' }),
  missing_parameter: ({ request, response }) => ({
    received: joined(namesIn(request)),
    expected: parameterIn(response.body),
  }),
  method_not_allowed: ({ request, response }) => ({ received: request.method, expected: headerIn(response, 'allow') }),
  no_route: ({ request }) => ({ received: `${request.method} ${request.target}`, expected: undefined }),
  not_json: ({ request }) => ({ received: headerIn(request, 'content-type'), expected: 'application/json' }),
}

/** Undefined if the service's own sentence is a complete explanation. */
export const refusalProof = (name: ErrorName, exchange: Exchange, context: RefusalContext): RefusalProof | undefined =>
  PROOFS[name]?.(exchange, context)

export const readAuthorization = ({ request }: Exchange): Authorization | undefined => {
  const parsed = parseAuthorization(headerIn(request, 'authorization') ?? '')
  return parsed.ok ? parsed.value : undefined
}

export const generalAuthorization = (exchange: Exchange) => {
  const claim = readAuthorization(exchange)
  return claim?.form === 'general' ? claim : undefined
}

export const headerIn = ({ headers }: Pick<Exchange['request'], 'headers'>, wanted: string): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1]

const joined = (names: readonly string[]): string | undefined => (names.length === 0 ? undefined : names.join(', '))

const namesIn = ({ target, body }: Exchange['request']): readonly string[] => {
  const parsed = parseJsonOrNothing(body)
  const query = new URLSearchParams(target.split('?')[1] ?? '').keys()
  return [...query, ...(typeof parsed === 'object' && parsed !== null ? Object.keys(parsed) : [])]
}

const parameterIn = (body: string): string | undefined => {
  const data = jsonMember(body, 'data')
  return typeof data === 'object' && data !== null && 'parameter' in data ? String(data.parameter) : undefined
}

import { Buffer } from 'node:buffer'
import { type Refusal, refuse } from '../../core/contract/errors.ts'
import type { ResendSigning } from '../../core/contract/resending.ts'
import { parseAuthorization, parseScope } from '../../core/protocol/authorization.ts'
import { utf8, utf8Octets } from '../../core/protocol/bytes.ts'
import type { HeaderPair } from '../../core/protocol/canonical-request.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import type { RpClientProblem } from '../../core/protocol/rp-client-problems.ts'
import type { Millis } from '../../core/protocol/time.ts'
import { exchange } from '../../sdk/rp-client.ts'
import { type SigningKey, signRequest } from '../../sdk/sign-request.ts'

export type { SigningKey }

export type PlainRequest = Omit<RawCall, 'body'> & { readonly body: string }

type Signing = {
  readonly how: Exclude<ResendSigning, 'kept'>
  readonly key: SigningKey
  /** For a request without a Host header. */
  readonly host: string
  readonly now: Millis
  readonly skewMs: number
}

/** Headers that signing writes, and Host, which is always signed. */
const OF_SIGNING = ['host', 'x-svc-date', 'authorization']
const isOfSigning = ([name]: HeaderPair): boolean => OF_SIGNING.includes(name.toLowerCase())
const LEFT_OUT: Partial<Record<ResendSigning, string>> = { none: 'authorization', no_date: 'x-svc-date' }
const MINUTE = 60_000

/** Signs the edited request like its original: with the same form, scope and further signed headers. */
export const signAgain = (
  { before, after }: { readonly before: PlainRequest; readonly after: PlainRequest },
  { how, key, host, now, skewMs }: Signing,
): Result<RawCall, Refusal> => {
  const claim = parseAuthorization(headerIn(before, 'authorization') ?? '')
  const signedNames = claim.ok ? claim.value.signedHeaders : []
  const isSigned = ([name]: HeaderPair): boolean => signedNames.includes(name.toLowerCase())
  const others = (request: PlainRequest) => request.headers.filter((header) => !isOfSigning(header))
  const signing = how === 'before_edits' ? before : after
  const made = signRequest(
    {
      method: signing.method,
      host: headerIn(signing, 'host') ?? host,
      target: signing.target,
      body: utf8(signing.body),
      headers: others(signing).filter(isSigned),
    },
    {
      ...key,
      ...(how === 'other_secret' ? { secretKey: 'the secret of another key' } : {}),
      ...(how === 'unknown_key' ? { accessKeyId: 'ak_that_nobody_has' } : {}),
      ...(claim.ok && claim.value.form === 'general'
        ? { scopeIdentifier: parseScope(claim.value.scope) ?? '' }
        : { form: claim.ok && how !== 'unknown_key' ? 'short' : 'general' }),
    },
    how === 'old_date' ? now - skewMs - MINUTE : now,
  )
  if (!made.ok) return err(refuse('invalid_parameter', { code: 'not_signable', params: { problem: made.error } }))
  const written = made.value.headers.filter(isOfSigning).filter(([name]) => name.toLowerCase() !== LEFT_OUT[how])
  return ok(toRawCall(after, [...written, ...others(after)]))
}

export const toRawCall = (request: PlainRequest, headers: readonly HeaderPair[] = request.headers): RawCall => ({
  method: request.method,
  target: request.target,
  headers: headers.map(([name, value]): HeaderPair => [name, utf8Octets(value)]),
  body: utf8(request.body),
})

const headerIn = ({ headers }: PlainRequest, wanted: string): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1]

export type RawCall = {
  readonly method: string
  readonly target: string
  /** Values have one character for each octet. */
  readonly headers: readonly HeaderPair[]
  readonly body: Uint8Array
}

export type RawAnswer = { readonly status: number; readonly body: string }

/** Sends a request unchanged; only the length of its body is added. */
export const sendRaw = async (
  { headers, body, ...call }: RawCall,
  to: Pick<Parameters<typeof exchange>[0], 'base' | 'agent' | 'timeoutMs'>,
): Promise<Result<RawAnswer, RpClientProblem>> => {
  const length: readonly HeaderPair[] = body.length === 0 ? [] : [['Content-Length', String(body.length)]]
  const answer = await exchange({ ...call, ...to, body, headers: [...headers, ...length] })
  if (!answer.ok) return answer
  return ok({ status: answer.value.httpStatus, body: Buffer.from(answer.value.body).toString('utf8') })
}

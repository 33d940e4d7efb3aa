import { Buffer } from 'node:buffer'
import { hash, timingSafeEqual } from 'node:crypto'
import { type Refusal, refuse } from '../../core/contract/errors.ts'
import { signingMistakes } from '../../core/contract/signing-mistakes.ts'
import {
  type Authorization,
  encodeAuthorization,
  parseAuthorization,
  scopeProblem,
  shortFormScopes,
  shortFormScopesForDisplay,
} from '../../core/protocol/authorization.ts'
import { decodeOctets, latin1, utf8Octets } from '../../core/protocol/bytes.ts'
import { canonicalRequest, pathAndQuery, stringToSign } from '../../core/protocol/canonical-request.ts'
import { rememberByObject } from '../../core/protocol/remember.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { parseSvcDate } from '../../core/protocol/time.ts'
import { countHeaders, findHeader, isNamed } from '../../http/message.ts'
import type { UpstreamRequest } from '../../http/upstream.ts'
import type { RequestContext } from '../services.ts'
import type { AccessKeyRecord, KeyWithRp, RpRecord } from '../store/store.ts'

declare const verified: unique symbol

/** An RP with a valid signature over the received bytes. Only authenticate makes one. */
export type Caller = {
  readonly [verified]: true
  readonly rp: RpRecord
  readonly accessKeyId: string
  /** The credential scope that was signed. */
  readonly scope: string
}

/** Implements docs/interface/signing.md over the received bytes; the body is hashed but never parsed. */
export const authenticate = (context: RequestContext): Promise<Result<Caller, Refusal>> => {
  const claim = readClaim(context)
  if (!claim.ok) return Promise.resolve(claim)
  const { authorization } = claim.value
  return authorization.form === 'general'
    ? callerOfGeneralForm(claim.value, authorization)
    : callerOfShortForm(claim.value)
}

/** A request's signature data, not verified yet. */
type Claim = {
  readonly context: RequestContext
  readonly authorization: Authorization
  readonly date: string
  readonly canonical: { readonly text: string; readonly hash: string }
}

const readClaim = (context: RequestContext): Result<Claim, Refusal> => {
  const authorization = readAuthorization(context)
  if (!authorization.ok) return authorization
  if (!authorization.value.signedHeaders.includes('host')) return err(refuse('host_not_signed'))
  for (const name of authorization.value.signedHeaders) {
    // A missing date has a separate code.
    if (name === 'x-svc-date' || countHeaders(context.request.headers, name) > 0) continue
    return err(refuse('malformed_authorization', { code: 'signed_header_not_sent', params: { name } }))
  }
  const date = readDate(context, authorization.value)
  if (!date.ok) return date
  const text = canonicalTextOf(context.request, context, authorization.value)
  if (!text.ok) return err(refuse('malformed_request', { code: 'query_not_encoded', params: { got: text.error } }))
  const canonical = { text: text.value, hash: sha256Hex(Buffer.from(text.value, 'latin1')) }
  return ok({ context, authorization: authorization.value, date: date.value, canonical })
}

const readAuthorization = ({ request, profile }: RequestContext): Result<Authorization, Refusal> => {
  const text = findHeader(request.headers, 'authorization')
  if (text === undefined) return err(refuse('no_authorization'))
  if (countHeaders(request.headers, 'authorization') > 1) {
    return err(refuse('malformed_authorization', { code: 'header_repeated' }))
  }
  const parsed = parseAuthorization(text)
  if (!parsed.ok) return err(refuse('malformed_authorization', parsed.error))
  const { form } = parsed.value
  if (profile.authorization_forms.includes(form)) return parsed
  return err(refuse('malformed_authorization', { code: 'form_disabled', params: { form } }))
}

const readDate = (
  { request, profile, clock, services }: RequestContext,
  { signedHeaders }: Authorization,
): Result<string, Refusal> => {
  const count = countHeaders(request.headers, 'x-svc-date')
  const text = findHeader(request.headers, 'x-svc-date')?.trim()
  if (text === undefined || count > 1) return err(refuse('bad_date', { code: 'date_sent_times', params: { count } }))
  const time = parseSvcDate(text)
  if (!time.ok) {
    return err(refuse('bad_date', { code: time.error, params: { got: JSON.stringify(text.slice(0, 40)) } }))
  }
  if (profile.require_signed_date && !signedHeaders.includes('x-svc-date')) {
    return err(refuse('bad_date', { code: 'date_not_signed' }))
  }
  const now = (profile.skew_clock === 'wall' ? services.wall : clock).now()
  const away = Math.abs(now - time.value)
  if (away <= profile.clock_skew_s * 1000) return ok(text)
  const seconds = Math.ceil(away / 1000)
  return err(refuse('clock_skew', { code: 'clock_away', params: { seconds, allowed: profile.clock_skew_s } }))
}

const canonicalTextOf = (
  { method, target, headers, body }: UpstreamRequest,
  { profile }: Pick<RequestContext, 'profile'>,
  { signedHeaders }: Authorization,
) => {
  const parts = { method, ...pathAndQuery(target), headers, signedHeaders, payloadHash: sha256Hex(body) }
  return canonicalRequest(parts, profile.canonical_uri)
}

const callerOfGeneralForm = async (
  claim: Claim,
  named: { readonly accessKeyId: string; readonly scope: string },
): Promise<Result<Caller, Refusal>> => {
  const { context, date } = claim
  const scope = scopeProblem(named.scope, date)
  if (scope !== undefined) return err(refuse('bad_scope', scope))
  const found = await context.services.store.accessKeys.withRp(context.workspace, named.accessKeyId)
  if (found === undefined || found.key.state !== 'active') return err(refuse('unknown_access_key'))
  return verifies(claim, found.key, named.scope)
    ? ok(admit(claim, found, named.scope))
    : err(await mismatch(claim, [named.scope]))
}

/** The short form names no key: every active one of the workspace is tried, with each scope that it may have. */
const callerOfShortForm = async (claim: Claim): Promise<Result<Caller, Refusal>> => {
  const { date, context } = claim
  const { services, workspace, profile } = context
  const named = profile.short_form_identifiers
  for (const { id, state } of await services.store.accessKeys.list(workspace)) {
    // The key may have been deleted or disabled since it was listed.
    const found = state === 'active' ? await services.store.accessKeys.withRp(workspace, id) : undefined
    if (found === undefined || found.key.state !== 'active') continue
    const { key, rp } = found
    const scopes = shortFormScopes({ accessKeyId: id, rp: rp.id, rpId: rp.rp_id, named }, date)
    const scope = scopes.find((each) => verifies(claim, key, each))
    if (scope !== undefined) return ok(admit(claim, found, scope))
  }
  return err(await mismatch(claim, shortFormScopesForDisplay(named, date)))
}

const admit = ({ context }: Claim, { key, rp }: KeyWithRp, scope: string): Caller => {
  context.services.keyUse.note(context.workspace, key.id, context.clock.now())
  return { rp, accessKeyId: key.id, scope: decodeOctets(scope) } as Caller
}

const verifies = ({ authorization, date, canonical }: Claim, key: AccessKeyRecord, scope: string): boolean => {
  const expected = keyHmac(key)(stringToSign({ date, scope, canonicalRequestHash: canonical.hash }))
  return timingSafeEqual(Buffer.from(expected), Buffer.from(authorization.signature))
}

/** Cached by record: the store returns the same record until it changes. */
export const keyHmac = rememberByObject((key: AccessKeyRecord): HmacSha256 => hmacSha256(Buffer.from(key.secret)))

/** If a usual mistake gives the signature, the log names it, and so does the answer where the profile allows. */
const mismatch = async ({ context, date, canonical }: Claim, scopes: readonly string[]): Promise<Refusal> => {
  const { request, services, workspace, profile, trace } = context
  const { method, target, headers } = request
  const payloadHash = canonical.text.slice(canonical.text.lastIndexOf('\n') + 1)
  const refused = { method, target, headers, body: new TextDecoder().decode(request.body), payloadHash }
  const mistake = await services.nameMistake(workspace, refused)
  trace.mistake = mistake
  if (!profile.explain_signatures) return refuse('signature_mismatch')
  const data = {
    canonical_request: decodeOctets(canonical.text),
    strings_to_sign: scopes.map((scope) =>
      decodeOctets(stringToSign({ date, scope, canonicalRequestHash: canonical.hash })),
    ),
    ...(mistake && { mistake: { id: mistake, sentence: signingMistakes[mistake] } }),
  }
  return refuse('signature_mismatch', { code: 'compare_texts' }, { data })
}

export const signRequestAnew = async (
  { services, workspace, profile }: RequestContext,
  caller: Caller,
  asked: UpstreamRequest,
): Promise<UpstreamRequest> => {
  const authorization = parseAuthorization(findHeader(asked.headers, 'authorization') ?? '')
  const found = await services.store.accessKeys.withRp(workspace, caller.accessKeyId)
  if (!authorization.ok || found === undefined) return asked
  const text = canonicalTextOf(asked, { profile }, authorization.value)
  if (!text.ok) return asked
  const signature = keyHmac(found.key)(
    stringToSign({
      date: findHeader(asked.headers, 'x-svc-date')?.trim() ?? '',
      scope: utf8Octets(caller.scope),
      canonicalRequestHash: sha256Hex(latin1(text.value)),
    }),
  )
  const signed = encodeAuthorization({ ...authorization.value, signature })
  return {
    ...asked,
    headers: asked.headers.map((pair) => (isNamed(pair[0], 'authorization') ? [pair[0], signed] : pair)),
  }
}

/** HMAC (RFC 2104) with one key, in hex. The message has one character for each octet. */
export type HmacSha256 = (octets: string) => string

const BLOCK = 64

/** Two one-shot hashes and a key prepared once: a node:crypto Hmac for each request would cost more. */
export const hmacSha256 = (key: Uint8Array): HmacSha256 => {
  const short = key.length > BLOCK ? hash('sha256', key, 'buffer') : key
  const inner = padded(short, 0x36)
  const outer = Buffer.concat([padded(short, 0x5c), Buffer.alloc(32)])
  return (octets) => {
    const keyed = Buffer.allocUnsafe(BLOCK + octets.length)
    keyed.set(inner)
    keyed.write(octets, BLOCK, 'binary')
    outer.write(hash('sha256', keyed, 'binary'), BLOCK, 'binary')
    return hash('sha256', outer, 'hex')
  }
}

export const sha256Hex = (bytes: Uint8Array): string => (bytes.length === 0 ? OF_NOTHING : hash('sha256', bytes, 'hex'))

const OF_NOTHING = hash('sha256', '', 'hex')

const padded = (key: Uint8Array, pad: number): Buffer => {
  const block = Buffer.alloc(BLOCK)
  block.set(key)
  return block.map((byte) => byte ^ pad) as Buffer
}

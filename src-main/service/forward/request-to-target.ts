import { Buffer } from 'node:buffer'
import type { Profile } from '../../core/contract/profile.ts'
import { parseAuthorization } from '../../core/protocol/authorization.ts'
import type { HeaderPair } from '../../core/protocol/canonical-request.ts'
import { rememberByObject } from '../../core/protocol/remember.ts'
import { headerOf, isNamed } from '../../http/message.ts'
import { type Asked, endToEnd, type Upstream } from '../../http/upstream.ts'
import type { Lies } from '../faults/lies-for.ts'
import type { ParsedInput } from '../request/parse-input.ts'
import type { RequestContext } from '../services.ts'
import { authenticate, type Caller } from '../signing/authenticate.ts'
import { signAnew } from '../signing/sign-anew.ts'

/** Where the target is, and the path of its base_url. */
export type Target = { readonly upstream: Upstream; readonly path: string }

/** Who signed it, however late it comes; it is not refused here. */
export const knownCaller = async (context: RequestContext): Promise<Caller | undefined> => {
  const caller = await authenticate({ ...context, profile: lenient(context.profile) })
  if (!caller.ok) return undefined
  context.trace.rp_id = caller.value.rp.id
  context.trace.access_key_id = caller.value.accessKeyId
  context.trace.scope = caller.value.scope
  return caller.value
}

/** The target says what it thinks of the time and the form. */
const lenient = rememberByObject(
  (profile: Profile): Profile => ({
    ...profile,
    authorization_forms: ['general', 'short'],
    clock_skew_s: Number.MAX_SAFE_INTEGER,
    require_signed_date: false,
  }),
)

type Way = {
  readonly target: Target
  readonly path: string
  readonly caller: Caller | undefined
  readonly input: ParsedInput | undefined
  readonly lies: Lies
  readonly keyed: boolean
}

/**
 * The request as the target gets it. Its Host is the target's, unless it was signed by a key that is not known here: such a
 * signature would no longer hold.
 */
export const askedOf = async (
  context: RequestContext,
  { target, path, caller, input, lies, keyed }: Way,
): Promise<Asked> => {
  const { method, target: line, query, body } = context.request
  const keepsHost = caller === undefined && (await mayBeSignedElsewhere(context, keyed))
  const passed = endToEnd(context.request.headers)
  const asked: Asked = {
    method,
    target: `${target.path}${path}${query === '' && !line.endsWith('?') ? '' : `?${query}`}`,
    headers: keepsHost ? passed : withHeader(passed, 'host', target.upstream.host),
    body,
  }
  const other = input === undefined ? undefined : lies.ask(input)
  const changed = other === input || other === undefined ? asked : withBody(asked, JSON.stringify(other.body))
  const differs = changed.body !== body || asked.target !== line || target.upstream.host !== headerOf(passed, 'host')
  return caller !== undefined && differs ? signAnew(context, caller, changed) : changed
}

/** By a key that is not known here; in the short form perhaps so, since that names none. */
const mayBeSignedElsewhere = async (
  { services, workspace, request }: RequestContext,
  keyed: boolean,
): Promise<boolean> => {
  const text = headerOf(request.headers, 'authorization')
  if (text === undefined || !keyed) return text !== undefined
  const claim = parseAuthorization(text)
  if (!claim.ok || claim.value.form === 'short') return claim.ok
  return (await services.store.accessKeys.withRp(workspace, claim.value.accessKeyId)) === undefined
}

const withHeader = (headers: readonly HeaderPair[], name: string, value: string): readonly HeaderPair[] =>
  headers.map((pair) => (isNamed(pair[0], name) ? [pair[0], value] : pair))

const withBody = (asked: Asked, text: string): Asked => {
  const body = Buffer.from(text)
  return { ...asked, body, headers: withHeader(asked.headers, 'content-length', String(body.length)) }
}

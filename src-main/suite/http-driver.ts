import type { RpSuite } from '../contract/rp-suite.ts'
import { isObject, type JsonObject } from '../protocol/json.ts'
import { readBounded } from '../protocol/read-bounded.ts'
import { type AttemptState, type Begun, RpBroken, type RpDriver, type SuiteUser, type Visitor } from './rp-driver.ts'

export type SuiteCalls = NonNullable<RpSuite['calls']>
type HttpSuite = Pick<RpSuite, 'url' | 'answer_s'> & { readonly calls: SuiteCalls }
type Call = SuiteCalls['who']
type Values = Readonly<Record<string, unknown>>
type Answer = { readonly ok: true; readonly body: unknown } | { readonly ok: false; readonly refusal: string }

export const DEFAULT_ANSWER_S = 5
const MOST_BYTES = 8 * 1024 * 1024
/** Of what an RP says. */
export const MOST_TEXT = 200

/** Speaks to an RP by its own HTTP interface, as its configuration says. */
export const httpDriver = (suite: HttpSuite, signal?: AbortSignal): RpDriver => ({
  open: () => ({ visitor: () => visitorOf(suite, signal), close: async () => undefined }),
  can: { passkeys: suite.calls.passkeys !== undefined, remove: suite.calls.remove !== undefined },
})

const visitorOf = (suite: HttpSuite, signal: AbortSignal | undefined): Visitor => {
  const { calls } = suite
  const cookies = new Map<string, string>()
  let known: Values = {}

  const send = async (call: Omit<Call, 'read'>, values: Values): Promise<Answer> => {
    const all = { ...known, ...values }
    const body = call.json === undefined ? undefined : JSON.stringify(filled(call.json, all))
    const method = call.method ?? (body === undefined ? 'GET' : 'POST')
    const where = `${method} ${call.path}`
    const response = await fetch(suite.url + filledPath(call.path, all), {
      method,
      redirect: 'manual',
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(filled(call.headers ?? {}, all) as Readonly<Record<string, string>>),
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      },
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.any([
        AbortSignal.timeout((suite.answer_s ?? DEFAULT_ANSWER_S) * 1000),
        ...(signal === undefined ? [] : [signal]),
      ]),
    }).catch((error: unknown) => broken(where, error, signal))
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=;]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    const bytes = await readBounded(response.body, MOST_BYTES).catch((error: unknown) => broken(where, error, signal))
    if (bytes === undefined) throw new RpBroken({ code: 'answered_too_much', params: { where, bytes: MOST_BYTES } })
    const text = new TextDecoder().decode(bytes)
    const said = text.slice(0, MOST_TEXT)
    if (response.status === 500) throw new RpBroken({ code: 'crashed', params: { where, text: said } })
    if (response.status >= 400) return { ok: false, refusal: `HTTP ${response.status}: ${said}` }
    try {
      return { ok: true, body: JSON.parse(text) }
    } catch {
      throw new RpBroken({ code: 'answered_no_json', params: { where, text: said } })
    }
  }

  const begin = async (call: SuiteCalls['sign_in'], user: SuiteUser): Promise<Begun> => {
    const answer = await send(call, user)
    if (!answer.ok) return answer
    const kept = Object.fromEntries(
      Object.entries(call.keep ?? {}).map(([name, path]) => [name, String(memberOf(answer.body, String(path)))]),
    )
    known = { ...known, ...kept }
    const url = call.address === undefined ? undefined : memberOf(answer.body, call.address)
    return { ok: true, kept, ...(typeof url === 'string' ? { url } : {}) }
  }

  const who = async (): Promise<string | undefined> => {
    const answer = await send(calls.who, {})
    const found = answer.ok ? memberOf(answer.body, calls.who.read) : undefined
    return found === undefined || found === null || found === '' ? undefined : textOf(found)
  }

  return {
    register: (user) => begin(calls.register, user),
    signIn: (user) => begin(calls.sign_in, user),
    state: async (begun): Promise<AttemptState> => {
      const { state } = calls
      if (!begun.ok) return 'failed'
      if (state === undefined) return (await who()) === undefined ? 'pending' : 'done'
      const answer = await send(state, begun.kept)
      const told = answer.ok ? textOf(memberOf(answer.body, state.read)) : 'failed'
      if ((state.done ?? ['done']).includes(told)) return 'done'
      return !answer.ok || (state.failed ?? ['failed']).includes(told) ? 'failed' : 'pending'
    },
    who,
    passkeys: async () => {
      if (calls.passkeys === undefined) return undefined
      const answer = await send(calls.passkeys, {})
      const found = answer.ok ? memberOf(answer.body, calls.passkeys.read) : undefined
      return Array.isArray(found) ? found.map(textOf) : undefined
    },
    remove: async (ids) => {
      if (calls.remove === undefined) return undefined
      const answer = await send(calls.remove, { ids, id: ids[0] })
      if (!answer.ok) return undefined
      const found = memberOf(answer.body, calls.remove.read)
      return Array.isArray(found) ? found.length : Number(found)
    },
  }
}

const broken = (where: string, error: unknown, signal: AbortSignal | undefined): never => {
  signal?.throwIfAborted()
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const late = error instanceof Error && error.name === 'TimeoutError'
  throw new RpBroken(
    late
      ? { code: 'answered_late', params: { where } }
      : { code: 'call_failed', params: { where, error: String(cause) } },
  )
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** `passkeys[].id`: of each of the list. */
const memberOf = (body: unknown, path: string): unknown => {
  const [name = '', ...rest] = path.split('.')
  const each = name.endsWith('[]')
  const found = isObject(body) ? body[each ? name.slice(0, -2) : name] : undefined
  if (rest.length === 0) return found
  if (!each) return memberOf(found, rest.join('.'))
  return Array.isArray(found) ? found.map((one) => memberOf(one, rest.join('.'))) : undefined
}

const NAME = /\{(\w+)\}/g

const filledPath = (path: string, values: Values): string =>
  path.replace(NAME, (_, name: string) => encodeURIComponent(String(values[name] ?? '')))

/** A text that is one name alone becomes the value itself, so that a list stays a list. */
const filled = (template: unknown, values: Values): unknown => {
  if (typeof template === 'string') {
    const alone = /^\{(\w+)\}$/.exec(template)?.[1]
    return alone === undefined ? template.replace(NAME, (_, name: string) => String(values[name] ?? '')) : values[alone]
  }
  if (Array.isArray(template)) return template.map((one) => filled(one, values))
  if (!isObject(template)) return template
  return Object.fromEntries(Object.entries(template as JsonObject).map(([key, value]) => [key, filled(value, values)]))
}

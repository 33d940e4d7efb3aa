import { Buffer } from 'node:buffer'
import type { HeaderPair } from '../../../core/protocol/canonical-request.ts'
import { isObject, type JsonObject, jsonIn } from '../../../core/protocol/json.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import type {
  AuthenticationResponseJson,
  CreationOptionsJson,
  RegistrationResponseJson,
  RequestOptionsJson,
} from '../../../core/protocol/webauthn-json.ts'
import { createCookies } from '../../calls/cookies.ts'
import { CannotGoOn, type Exchange } from '../exchange.ts'
import type { Send } from '../play-cases.ts'

/** A WebAuthn server with the test API of FIDO's conformance program. */
export type WebauthnTarget = {
  /** Base URL of `/attestation/options` and the three other endpoints. */
  readonly url: string
  /** Origin of the RP's page; if absent, the origin of `url`. */
  readonly origin?: string
  readonly ca?: string
}

export type User = { readonly name: string; readonly displayName: string }

/** Requirements that the page asks for. The server may set others. */
export type Wishes = {
  readonly attestation?: 'none' | 'direct'
  readonly userVerification?: 'required' | 'preferred' | 'discouraged'
  readonly residentKey?: 'required' | 'preferred' | 'discouraged'
}

/** The server's decision about an answer. `fellOver`: the server reports an error of its own. */
export type Decision = { readonly accepted: boolean; readonly fellOver: boolean; readonly told: string }

/** The browser of one user, with separate cookies. If the server answers without options, the case ends. */
export type Browser = {
  askRegistration(user: User, wishes?: Wishes): Promise<CreationOptionsJson>
  register(response: RegistrationResponseJson): Promise<Decision>
  askSignIn(user: User, wishes?: Wishes): Promise<RequestOptionsJson>
  signIn(response: AuthenticationResponseJson): Promise<Decision>
}

export type Connection = { readonly target: WebauthnTarget; readonly send: Send }

export const openBrowser = ({ target, send }: Connection): Browser => {
  const base = new URL(target.url)
  const jar = createCookies()

  const post = async (path: string, body: JsonObject): Promise<Exchange> => {
    const url = new URL(base.pathname.replace(/\/$/, '') + path, base)
    const cookies = jar.headerFor(url)
    const headers: readonly HeaderPair[] = [
      ['Host', url.host],
      ['Content-Type', 'application/json'],
      ['Accept', 'application/json'],
      ['Origin', originOf(target)],
      ...(cookies === undefined ? [] : [['Cookie', cookies] as const]),
    ]
    const request = { method: 'POST', target: url.pathname, headers, body: Buffer.from(JSON.stringify(body)) }
    const exchange = await send(url.origin, request, { ca: target.ca })
    const set = (exchange.response?.headers ?? []).filter(([name]) => name.toLowerCase() === 'set-cookie')
    jar.keep(
      url,
      set.map(([, value]) => value),
    )
    return exchange
  }

  const ask = async <O>(
    path: string,
    body: JsonObject,
    read: (data: JsonObject, origin: string) => Result<O, string>,
  ): Promise<O> => {
    const exchange = await post(path, body)
    const decision = decisionOf(exchange)
    if (!decision.accepted) throw new CannotGoOn(`POST ${path}: ${decision.told}`)
    const options = read(answerOf(exchange) ?? {}, originOf(target))
    if (!options.ok) throw new CannotGoOn(`POST ${path}: ${options.error}`)
    return options.value
  }

  return {
    askRegistration: ({ name, displayName }, { attestation = 'direct', userVerification, residentKey } = {}) =>
      ask(
        '/attestation/options',
        {
          ...{ username: name, displayName, attestation },
          authenticatorSelection: {
            ...(residentKey === undefined ? {} : { residentKey, requireResidentKey: residentKey === 'required' }),
            ...(userVerification === undefined ? {} : { userVerification }),
          },
        },
        creationOptions,
      ),
    register: async (response) => decisionOf(await post('/attestation/result', response as unknown as JsonObject)),
    askSignIn: ({ name }, { userVerification } = {}) =>
      ask(
        '/assertion/options',
        { username: name, ...(userVerification === undefined ? {} : { userVerification }) },
        requestOptions,
      ),
    signIn: async (response) => decisionOf(await post('/assertion/result', response as unknown as JsonObject)),
  }
}

export const originOf = ({ url, origin = new URL(url).origin }: WebauthnTarget): string => origin

const answerOf = ({ response }: Exchange): JsonObject | undefined => {
  const parsed = jsonIn(response?.text ?? '')
  return isObject(parsed) ? parsed : undefined
}

const MOST_TOLD = 200

/** Accepted: 2xx, and JSON that says `"status": "ok"`. Everything else is a refusal. */
const decisionOf = (exchange: Exchange): Decision => {
  const { response, problem } = exchange
  if (response === undefined) throw new CannotGoOn(`the server did not answer: ${problem ?? 'nothing came'}`)
  const { status } = response
  const answer = answerOf(exchange)
  const accepted = status >= 200 && status < 300 && answer?.status === 'ok'
  const words = typeof answer?.errorMessage === 'string' ? answer.errorMessage : response.text
  const told = `HTTP ${status}${words === '' ? '' : `, ${JSON.stringify(words.slice(0, MOST_TOLD))}`}`
  return { accepted, fellOver: !accepted && status >= 500, told }
}

// --- Options, as the JSON forms of WebAuthn have them; null is the same as no member. ---

const BASE64URL = /^[A-Za-z0-9_-]+$/

const given = (data: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null))

const hostOf = (origin: string): string => new URL(origin).hostname

const isText = (value: unknown): value is string => typeof value === 'string'

const descriptorsIn = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value.map((each) => (isObject(each) ? given(each) : each)) : []

const creationOptions = (data: JsonObject, origin: string): Result<CreationOptionsJson, string> => {
  const { challenge, rp, user, pubKeyCredParams = [], excludeCredentials, ...rest } = given(data)
  if (!isText(challenge) || !BASE64URL.test(challenge)) return err('its options have no challenge in base64url')
  if (!isObject(user) || !isText(user.id) || !BASE64URL.test(user.id))
    return err('its options have no user.id in base64url')
  if (!Array.isArray(pubKeyCredParams)) return err('its options have no list of pubKeyCredParams')
  const { id: rpId = hostOf(origin), name = '' } = isObject(rp) ? given(rp) : {}
  return ok({
    ...rest,
    ...{ challenge, pubKeyCredParams },
    rp: { id: rpId, name },
    user: { name: '', displayName: '', ...given(user) },
    excludeCredentials: descriptorsIn(excludeCredentials),
  } as unknown as CreationOptionsJson)
}

const requestOptions = (data: JsonObject, origin: string): Result<RequestOptionsJson, string> => {
  const { challenge, rpId = hostOf(origin), allowCredentials, ...rest } = given(data)
  if (!isText(challenge) || !BASE64URL.test(challenge)) return err('its options have no challenge in base64url')
  return ok({
    ...rest,
    ...{ challenge, rpId },
    allowCredentials: descriptorsIn(allowCredentials),
  } as unknown as RequestOptionsJson)
}

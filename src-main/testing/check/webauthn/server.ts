import { Buffer } from 'node:buffer'
import type { ValueSource } from '../../../core/contract/http-call.ts'
import type { WebauthnCalls, WebauthnServer } from '../../../core/contract/webauthn-server.ts'
import { isObject, type JsonObject, parseJsonOrNothing } from '../../../core/protocol/json.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import type {
  AuthenticationResponseJson,
  CreationOptionsJson,
  RegistrationResponseJson,
  RequestOptionsJson,
} from '../../../core/protocol/webauthn-json.ts'
import { placeholderNames, type Values } from '../../calls/placeholders.ts'
import { createSession, type HttpAnswer, type HttpSession, type SessionOptions } from '../../calls/session.ts'
import { CaseEnded } from '../exchange.ts'
import type { SendRequest } from '../play-cases.ts'
import { credentialValues } from './credential-names.ts'

/** A WebAuthn server. Without `calls` it has the test API of FIDO's conformance program below `url`. */
export type WebauthnTarget = Pick<WebauthnServer, 'url' | 'origin' | 'user_id' | 'before'> & {
  /** PEM. */
  readonly ca?: string
  readonly calls?: WebauthnCalls
}

export type User = { readonly name: string; readonly displayName: string }

/** Requirements that the page requests. The server may set others. */
export type PageRequirements = {
  readonly attestation?: 'none' | 'direct'
  readonly userVerification?: 'required' | 'preferred' | 'discouraged'
  readonly residentKey?: 'required' | 'preferred' | 'discouraged'
}

/** The server's decision about an answer. `fellOver`: the server reports an error of its own. */
export type Decision = {
  readonly accepted: boolean
  /** True if the answer says that it was accepted, whether or not a user is signed in. */
  readonly says: boolean
  readonly fellOver: boolean
  readonly text: string
  /** True if the server, asked who is signed in, gives this name. */
  readonly isCalled?: (name: string) => boolean
}

export type Browser = ReturnType<typeof openBrowser>

type CeremonyCall = 'registration' | 'sign_in'

const conformance = { headers: { accept: 'application/json' } } as const
const SAYS_OK = { read: 'status', is: 'ok' } as const

/** The test API that servers have for FIDO's conformance program. */
const CONFORMANCE_CALLS: WebauthnCalls = {
  registration_options: {
    ...{ ...conformance, path: '/attestation/options' },
    json: {
      ...{ username: '{user_id}', displayName: '{display_name}', attestation: '{attestation}' },
      authenticatorSelection: '{authenticator_selection}',
    },
  },
  registration: { ...conformance, path: '/attestation/result', json: '{credential}', accepted: SAYS_OK },
  sign_in_options: {
    ...{ ...conformance, path: '/assertion/options' },
    json: { username: '{user_id}', userVerification: '{user_verification}' },
  },
  sign_in: { ...conformance, path: '/assertion/result', json: '{credential}', accepted: SAYS_OK },
}

/** The browser of one user; each sign-in begins without cookies. If the server answers without options, the case ends. */
export const openBrowser = (target: WebauthnTarget, send: SendRequest) => {
  const { calls = CONFORMANCE_CALLS, before = [] } = target
  const origin = pageOrigin(target)
  const open = (known: Values): HttpSession =>
    createSession({ url: target.url, origin, known, send: sendingBy(send, target.ca) })
  let session = open({})
  const prepared = new Set<string>()

  const prepare = async (name: string): Promise<void> => {
    if (prepared.has(name)) return
    prepared.add(name)
    for (const { http } of before) {
      const answer = await session.ask(http)
      if (answer.isRefusal) throw new CaseEnded(`before a registration: ${answer.where}: ${answerText(answer)}`)
    }
  }

  const ask = async <O>(
    call: WebauthnCalls['sign_in_options'],
    read: (data: JsonObject, origin: string) => Result<O, string>,
  ): Promise<O> => {
    // If the previous answer crashed the server, this call may still reach the dying process: call again.
    const answer = await session.ask(call).catch((reason: unknown) => {
      if (reason instanceof BrokenOff) return session.ask(call)
      throw reason
    })
    const { where } = answer
    if (answer.isRefusal) throw new CaseEnded(`${where}: ${answerText(answer)}`)
    const options = read(optionsIn(answer, [call].flat().at(-1)?.options, session), origin)
    if (!options.ok) throw new CaseEnded([`${where}: ${options.error}`, ...answer.lost].join('; '))
    return options.value
  }

  const decide = async (call: WebauthnCalls['sign_in'], credential: unknown): Promise<Decision> => {
    const answer = await session.ask(call, credentialValues(credential)).catch((reason: unknown) => {
      if (reason instanceof BrokenOff) return undefined
      throw reason
    })
    if (answer === undefined)
      return { accepted: false, says: false, fellOver: true, text: 'it broke off the connection' }
    const { status, isRefusal } = answer
    const { accepted } = [call].flat().at(-1) ?? {}
    const says =
      accepted === undefined ? status >= 200 && status < 300 : isMet(session.read(answer, accepted.read), accepted)
    const accepts = !isRefusal && says
    return { accepted: accepts, says: accepts, fellOver: status >= 500, text: answerText(answer) }
  }

  return {
    askRegistration: async ({ name, displayName }: User, wishes: PageRequirements = {}) => {
      session.learn({ user_id: name, display_name: displayName, ...namesOf({ attestation: 'direct', ...wishes }) })
      await prepare(name)
      return ask(calls.registration_options, creationOptions)
    },
    register: (response: RegistrationResponseJson): Promise<Decision> => decide(calls.registration, response),
    askSignIn: ({ name, displayName }: User, wishes: PageRequirements = {}) => {
      session = open({ ...session.known(), user_id: name, display_name: displayName, ...namesOf(wishes) })
      return ask(calls.sign_in_options, requestOptions)
    },
    signIn: async (response: AuthenticationResponseJson): Promise<Decision> => {
      const decision = await decide(calls.sign_in, response)
      if (calls.who === undefined) return decision
      // A server may report a refusal but sign the user in.
      const answer = await session.ask(calls.who)
      const who = answer.isRefusal ? undefined : session.read(answer, calls.who.read)
      const { user_id, display_name } = session.known()
      return {
        ...decision,
        accepted: isCalled(who, user_id) || isCalled(who, display_name),
        isCalled: (name: string) => isCalled(who, name),
        text: `${decision.text}; then ${answer.where} names ${JSON.stringify(who ?? null)}`,
      }
    },
    /** True if the calls before the answer send this name of the user. */
    namesUser: (call: CeremonyCall, name: 'user_id' | 'display_name'): boolean =>
      placeholderNames(call === 'sign_in' ? calls.sign_in_options : [before, calls.registration_options]).includes(
        name,
      ),
    /** True if the call sends any part in which the two answers differ. */
    sends: (call: CeremonyCall, answer: object, other: object | undefined): boolean => {
      const [own, theirs] = [credentialValues(answer), credentialValues(other)]
      return placeholderNames(calls[call]).some((name) => JSON.stringify(own[name]) !== JSON.stringify(theirs[name]))
    },
  }
}

export const pageOrigin = ({ url, origin = new URL(url).origin }: WebauthnTarget): string => origin

/** Values for the calls that request options; a member without a value is not sent. */
const namesOf = ({ attestation, userVerification, residentKey }: PageRequirements): Values => ({
  ...{ attestation, user_verification: userVerification },
  authenticator_selection: {
    ...(residentKey === undefined ? {} : { residentKey, requireResidentKey: residentKey === 'required' }),
    ...(userVerification === undefined ? {} : { userVerification }),
  },
})

/** The connection broke: the answer may have ended the server. */
class BrokenOff extends CaseEnded {}

const sendingBy =
  (send: SendRequest, ca: string | undefined): SessionOptions['send'] =>
  async (to, { method, headers, body = '' }) => {
    const request = {
      ...{ method, target: to.pathname + to.search, body: Buffer.from(body) },
      headers: [['Host', to.host] as const, ...Object.entries({ accept: '*/*', ...headers })],
    }
    const { response, problem } = await send(to.origin, request, { ca })
    if (problem === 'broken off') throw new BrokenOff('the server did not answer: it broke off the connection')
    if (response === undefined) throw new CaseEnded(`the server did not answer: ${problem ?? 'nothing came'}`)
    return response
  }

const optionsIn = (answer: HttpAnswer, where: ValueSource | undefined, session: HttpSession): JsonObject => {
  const read = where === undefined ? answer.text : session.read(answer, where)
  const found = typeof read === 'string' ? parseJsonOrNothing(read) : read
  return (typeof where === 'string' && isObject(found) ? found : memberWithChallenge(found)) ?? {}
}

const memberWithChallenge = (value: unknown): JsonObject | undefined => {
  if (!isObject(value) || 'challenge' in value) return isObject(value) ? value : undefined
  return Object.values(value).map(memberWithChallenge).find(isObject)
}

const isMet = (value: unknown, expected: { readonly is?: unknown }): boolean =>
  'is' in expected
    ? JSON.stringify(value) === JSON.stringify(expected.is)
    : value !== undefined && value !== null && value !== false && value !== ''

/** Compares whole names, since the name of one user may begin with that of another. */
const isCalled = (who: unknown, name: unknown): boolean => {
  const text = (typeof who === 'string' ? who : (JSON.stringify(who) ?? '')).toLowerCase()
  const wanted = String(name).toLowerCase()
  return text
    .split(wanted)
    .slice(1)
    .some((after) => !/^[\p{L}\p{N}]/u.test(after))
}

const MAX_BODY_SHOWN = 200

const answerText = ({ status, text, lost }: HttpAnswer): string => {
  const answer = parseJsonOrNothing(text)
  const words = isObject(answer) && typeof answer.errorMessage === 'string' ? answer.errorMessage : text
  const said = words === '' ? '' : `, ${JSON.stringify(words.slice(0, MAX_BODY_SHOWN))}`
  return [`HTTP ${status}${said}`, ...lost].join('; ')
}

// --- Options in WebAuthn's JSON form; null means the same as a missing member. ---

const given = (data: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null))

const hostOf = (origin: string): string => new URL(origin).hostname

const isBase64url = (value: unknown): value is string => typeof value === 'string' && /^[A-Za-z0-9_-]+$/.test(value)

/** Some servers write octets in standard base64, which their page converts. */
const inUrl = (value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '') : value

const descriptorsIn = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value.map((each) => (isObject(each) ? { ...given(each), id: inUrl(each.id) } : each)) : []

const creationOptions = (data: JsonObject, origin: string): Result<CreationOptionsJson, string> => {
  const { challenge: drawn, rp, user: about, pubKeyCredParams = [], excludeCredentials, ...rest } = given(data)
  const challenge = inUrl(drawn)
  const user: JsonObject = isObject(about) ? { ...given(about), id: inUrl(about.id) } : {}
  if (!isBase64url(challenge)) return err('its options have no challenge in base64url')
  if (!isBase64url(user.id)) return err('its options have no user.id in base64url')
  if (!Array.isArray(pubKeyCredParams)) return err('its options have no list of pubKeyCredParams')
  const { id: rpId = hostOf(origin), name = '' } = isObject(rp) ? given(rp) : {}
  return ok({
    ...rest,
    ...{ challenge, pubKeyCredParams },
    rp: { id: rpId, name },
    user: { name: '', displayName: '', ...user },
    excludeCredentials: descriptorsIn(excludeCredentials),
  } as unknown as CreationOptionsJson)
}

const requestOptions = (data: JsonObject, origin: string): Result<RequestOptionsJson, string> => {
  const { challenge: drawn, rpId = hostOf(origin), allowCredentials, ...rest } = given(data)
  const challenge = inUrl(drawn)
  if (!isBase64url(challenge)) return err('its options have no challenge in base64url')
  return ok({
    ...rest,
    ...{ challenge, rpId },
    allowCredentials: descriptorsIn(allowCredentials),
  } as unknown as RequestOptionsJson)
}

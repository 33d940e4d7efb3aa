import { renderUnicodeCompact } from 'uqr'
import type { FaultName } from '../../core/contract/faults.ts'
import type { HeaderPair } from '../../core/protocol/canonical-request.ts'
import type { JsonObject } from '../../core/protocol/json.ts'
import type { RandomSource } from '../../core/protocol/random.ts'
import type { AttestationAuthority } from '../../phones/authenticator/attestation/attestation-authority.ts'
import { type Fault, joinSeams } from '../../phones/authenticator/faults/fault.ts'
import { FAULTS } from '../../phones/authenticator/faults.ts'
import { getAssertion } from '../../phones/authenticator/get-assertion.ts'
import { makeCredential } from '../../phones/authenticator/make-credential.ts'
import { MODELS } from '../../phones/authenticator/models.ts'
import type { Credential } from '../../phones/authenticator/seams.ts'
import { type BoundMessage, parseBoundMessage } from '../../phones/phone/bound-message.ts'
import { CaseEnded, type Exchange, isSuccess, readEnvelope } from './exchange.ts'

/** Calls the app interface; the request and its response are kept with the verdict. */
export type AppCaller = (
  method: string,
  path: string,
  token: string,
  body?: JsonObject,
  more?: { readonly headers?: readonly HeaderPair[]; readonly until?: string },
) => Promise<Exchange>

/** A phone of ours, or a person with one. */
export type Phone = {
  /** `kind` as in the url: registration or authentication. */
  bind(msgId: string, kind: 'r' | 'a'): Promise<unknown>
  answer(msgId: string): Promise<unknown>
  reject(msgId: string): Promise<unknown>
}

export type CheckPhone = ReturnType<typeof createCheckPhone>

type Answering = { readonly anyCredential?: boolean; readonly storage?: 'cloud' }

export type Account = { readonly name: string; readonly phone: string; readonly proof?: string }

/** Self attestation and a growing counter: a service accepts this model without knowing its maker. */
const MODEL = MODELS['granite-self']

/** A phone whose calls are recorded, and whose answers can contain one mistake. */
export const createCheckPhone = (options: {
  readonly call: AppCaller
  readonly random: RandomSource
  readonly now: () => number
  readonly attestationKeys: AttestationAuthority
  readonly account: Account
}) => {
  const { call, random, now, attestationKeys, account } = options
  const authenticator = { random, now, attestationKeys }
  let token = ''
  let bound: BoundMessage | undefined
  let credentials: readonly Credential[] = []

  const sign = async (message: BoundMessage, fault: Fault | undefined, anyCredential = false): Promise<JsonObject> => {
    const about = {
      origin: message.rp.origins[0] ?? '',
      userVerified: true,
      ...(fault === undefined ? {} : { seams: joinSeams([fault]) }),
    }
    const { public_key } = message
    if (public_key.kind === 'registration') {
      const made = await makeCredential(
        { ...about, options: public_key.options, model: MODEL, storage: 'chip', existing: { forRp: () => [] } },
        authenticator,
      )
      if (!made.ok) throw new CaseEnded(`the phone cannot answer: ${made.error.code}`)
      if (fault === undefined) credentials = [...credentials, made.value.credential]
      return made.value.response as unknown as JsonObject
    }
    const source = { forRp: () => credentials }
    const { allowCredentials: _asked, ...open } = public_key.options
    const options = anyCredential ? open : public_key.options
    const signed = await getAssertion({ ...about, options, credentials: source }, authenticator)
    if (!signed.ok) throw new CaseEnded(`the phone cannot answer: ${signed.error.code}`)
    const { credential, response } = signed.value
    credentials = credentials.map((held) => (held.id === credential.id ? credential : held))
    return response as unknown as JsonObject
  }

  const at = (msgId: string, what: string): string => `/messages/${encodeURIComponent(msgId)}/${what}`
  return {
    account,
    signIn: async (): Promise<Exchange> => {
      const exchange = await call('POST', '/devices', '', { account, device_name: 'check' })
      token = String(readEnvelope(exchange)?.data.device_token ?? '')
      return exchange
    },
    bind: async (msgId: string): Promise<Exchange> => {
      const exchange = await call('POST', at(msgId, 'bind'), token, {})
      const parsed = parseBoundMessage(readEnvelope(exchange)?.data ?? {})
      if (isSuccess(exchange) && !parsed.ok) throw new CaseEnded('bind: what came is no message for a phone')
      bound = parsed.ok ? parsed.value : undefined
      return exchange
    },
    /** Signs the message of the last `bind`. */
    answer: async (msgId: string, fault?: FaultName, how?: Answering): Promise<Exchange> => {
      if (bound === undefined) throw new CaseEnded('nothing was bound')
      const response = await sign(bound, fault && FAULTS[fault], how?.anyCredential)
      const body = how?.storage === undefined ? { response } : { response, storage: how.storage }
      return call('POST', at(msgId, bound.kind === 'registration' ? 'attestation' : 'assertion'), token, body)
    },
    /** Sends the last answer again, or a different one in its place. */
    send: (msgId: string, kind: 'attestation' | 'assertion', body: JsonObject): Promise<Exchange> =>
      call('POST', at(msgId, kind), token, body),
    reject: (msgId: string, reason?: string): Promise<Exchange> =>
      call('POST', at(msgId, 'reject'), token, reason === undefined ? {} : { reason }),
    /** Any call with this phone's token. */
    call: (method: string, path: string, body?: JsonObject, more?: Parameters<AppCaller>[4]): Promise<Exchange> =>
      call(method, path, token, body, more),
    /** Resets the phone's signature counters to those of these credentials. */
    restore: (earlier: readonly Credential[]): void => {
      credentials = earlier
    },
    bound: () => bound,
    credentials: () => credentials,
  }
}

type Hand = {
  readonly baseUrl: string
  readonly say: (text: string) => void
  /** Resolves when the person has pressed Enter. */
  readonly ask: (question: string) => Promise<string>
}

/** A person with a phone, who gets instructions. Only the results show what the phone did. */
export const handPhone = ({ baseUrl, say, ask }: Hand): Phone => {
  const done = (what: string): Promise<string> => ask(`${what} Then press Enter. `)
  return {
    bind: async (msgId, kind) => {
      const url = `${baseUrl.replace(/\/$/, '')}/m#${kind}${msgId}`
      say(`${renderUnicodeCompact(url)}\n${url}`)
      await done('Scan this code with the phone, and do not approve yet.')
    },
    answer: () => done('Approve on the phone.'),
    reject: () => done('Refuse on the phone.'),
  }
}

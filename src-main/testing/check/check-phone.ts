import { renderUnicodeCompact } from 'uqr'
import type { FaultName } from '../../core/contract/faults.ts'
import type { HeaderPair } from '../../core/protocol/canonical-request.ts'
import type { JsonObject } from '../../core/protocol/json.ts'
import type { RandomSource } from '../../core/protocol/random.ts'
import type { AttestationAuthority } from '../../phones/authenticator/attestation/attestation-authority.ts'
import { joinSeams } from '../../phones/authenticator/faults/fault.ts'
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
  body?: JsonObject,
  more?: { readonly token?: string; readonly headers?: readonly HeaderPair[]; readonly until?: string },
) => Promise<Exchange>

/** The calls of a ceremony: those of a registration have attestation in their paths. */
export type CallKind = 'attestation' | 'assertion'

/** A phone of ours, or a person with one. */
export type Phone = {
  bind(msgId: string, kind: CallKind): Promise<unknown>
  answer(msgId: string): Promise<unknown>
  reject(msgId: string): Promise<unknown>
}

export type CheckPhone = ReturnType<typeof createCheckPhone>

type Answering = { readonly anyCredential?: boolean; readonly storage?: 'cloud' }

export type Account = { readonly name: string; readonly phone: string; readonly proof?: string }

/** Self attestation and a growing counter: a service accepts this model without knowing its maker. */
const MODEL = MODELS['granite-self']

type PhoneOptions = {
  /** Sends this phone's token with each call. */
  readonly call: AppCaller
  readonly account: Account
  readonly random: RandomSource
  readonly now: () => number
  readonly attestationKeys: AttestationAuthority
}

/** A phone whose calls are recorded, and whose answers can contain one mistake. */
export const createCheckPhone = ({ call, account, ...authenticator }: PhoneOptions) => {
  let bound: BoundMessage | undefined
  let credentials: readonly Credential[] = []

  const sign = ({ rp, public_key }: BoundMessage, fault: FaultName | undefined, anyCredential = false) => {
    const seams = joinSeams(fault === undefined ? [] : [FAULTS[fault]])
    const about = { origin: rp.origins[0] ?? '', userVerified: true, seams }
    if (public_key.kind === 'registration') {
      const { options } = public_key
      const made = { ...about, options, model: MODEL, storage: 'chip', existing: { forRp: () => [] } } as const
      return makeCredential(made, authenticator)
    }
    const { allowCredentials: _asked, ...open } = public_key.options
    const options = anyCredential ? open : public_key.options
    return getAssertion({ ...about, options, credentials: { forRp: () => credentials } }, authenticator)
  }

  const at = (msgId: string, what: string): string => `/messages/${encodeURIComponent(msgId)}/${what}`
  return {
    account,
    call,
    bind: async (msgId: string): Promise<Exchange> => {
      const exchange = await call('POST', at(msgId, 'bind'), {})
      const parsed = parseBoundMessage(readEnvelope(exchange).data)
      if (isSuccess(exchange) && !parsed.ok) throw new CaseEnded('bind: what came is no message for a phone')
      bound = parsed.ok ? parsed.value : undefined
      return exchange
    },
    /** Signs the message of the last `bind`. */
    answer: async (msgId: string, fault?: FaultName, how?: Answering): Promise<Exchange> => {
      if (bound === undefined) throw new CaseEnded('nothing was bound')
      const signed = await sign(bound, fault, how?.anyCredential)
      if (!signed.ok) throw new CaseEnded(`the phone cannot answer: ${signed.error.code}`)
      const { credential, response } = signed.value
      if (bound.kind === 'authentication')
        credentials = credentials.map((held) => (held.id === credential.id ? credential : held))
      else if (fault === undefined) credentials = [...credentials, credential]
      const body = how?.storage === undefined ? { response } : { response, storage: how.storage }
      return call('POST', at(msgId, bound.kind === 'registration' ? 'attestation' : 'assertion'), body)
    },
    /** Sends the last answer to a registration again, or a different one in its place. */
    send: (msgId: string, body: JsonObject): Promise<Exchange> => call('POST', at(msgId, 'attestation'), body),
    reject: (msgId: string, reason?: string): Promise<Exchange> =>
      call('POST', at(msgId, 'reject'), reason === undefined ? {} : { reason }),
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
export const manualPhone = ({ baseUrl, say, ask }: Hand): Phone => {
  const done = (what: string): Promise<string> => ask(`${what} Then press Enter. `)
  return {
    bind: async (msgId, kind) => {
      const url = `${baseUrl.replace(/\/$/, '')}/m#${kind === 'attestation' ? 'r' : 'a'}${msgId}`
      say(`${renderUnicodeCompact(url)}\n${url}`)
      await done('Scan this code with the phone, and do not approve yet.')
    },
    answer: () => done('Approve on the phone.'),
    reject: () => done('Refuse on the phone.'),
  }
}

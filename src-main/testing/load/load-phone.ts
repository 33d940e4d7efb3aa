import type { JsonObject } from '../../core/protocol/json.ts'
import type { RandomSource } from '../../core/protocol/random.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import type { AttestationAuthority } from '../../phones/authenticator/attestation/attestation-authority.ts'
import { getAssertion } from '../../phones/authenticator/get-assertion.ts'
import { makeCredential } from '../../phones/authenticator/make-credential.ts'
import { MODELS } from '../../phones/authenticator/models.ts'
import type { Credential } from '../../phones/authenticator/seams.ts'
import type { AppAnswer, AppCall, AppClient } from '../../phones/phone/app-client.ts'
import { type BoundMessage, parseBoundMessage } from '../../phones/phone/bound-message.ts'
import { isHeaderText } from '../../phones/phone/phone-state.ts'
import { realNow } from '../../sdk/real-time.ts'

type Ports = {
  readonly client: AppClient
  readonly appUrl: string
  readonly random: RandomSource
  readonly attestationKeys: AttestationAuthority
}

type Coded<T> = Promise<Result<T, string>>

export type LoadPhone = ReturnType<typeof createLoadPhone>

/** A model with a growing counter, like a secure chip, and self attestation: no service needs to know its maker. */
const MODEL = MODELS['granite-self']

/** Keeps and shows nothing, so that the processor is free for the measurement. */
export const createLoadPhone = ({ client, appUrl, random, attestationKeys }: Ports) => {
  const authenticator = { random, now: realNow, attestationKeys }
  let token = ''
  let credentials: readonly Credential[] = []
  const source = { forRp: () => credentials }

  const call = async (path: string, body: JsonObject, method: AppCall['method'] = 'POST'): Coded<JsonObject> => {
    const sent = method === 'DELETE' ? {} : { body }
    const answered = await client.exchange({ method, url: appUrl + path, token, ...sent })
    return answered.ok ? dataOf(answered.value) : err(answered.error.word)
  }

  const sign = async ({ public_key, rp }: BoundMessage): Coded<JsonObject> => {
    const about = { origin: rp.origins[0] ?? '', userVerified: true }
    if (public_key.kind === 'registration') {
      const { options } = public_key
      const made = await makeCredential(
        { ...about, options, model: MODEL, storage: 'chip', existing: source },
        authenticator,
      )
      if (!made.ok) return err(made.error.code)
      credentials = [...credentials, made.value.credential]
      return ok(made.value.response as unknown as JsonObject)
    }
    const signed = await getAssertion({ ...about, options: public_key.options, credentials: source }, authenticator)
    if (!signed.ok) return err(signed.error.code)
    const { credential, response } = signed.value
    credentials = credentials.map((held) => (held.id === credential.id ? credential : held))
    return ok(response as unknown as JsonObject)
  }

  return {
    /** Returns the device's token. */
    async signIn(account: { readonly name: string; readonly phone: string }): Coded<string> {
      const answered = await call('/devices', { account, device_name: 'load' })
      if (!answered.ok) return answered
      const { device_token: given } = answered.value
      if (!isHeaderText(given)) return err('garbled')
      token = given
      return ok(given)
    },
    async bind(msgId: string): Coded<BoundMessage> {
      if (!msgId.isWellFormed()) return err('garbled')
      const answered = await call(`/messages/${encodeURIComponent(msgId)}/bind`, {})
      if (!answered.ok) return answered
      const bound = parseBoundMessage(answered.value)
      return bound.ok ? bound : err('garbled')
    },
    async answer(msgId: string, bound: BoundMessage): Coded<null> {
      const response = await sign(bound)
      if (!response.ok) return response
      const call_ = bound.kind === 'registration' ? 'attestation' : 'assertion'
      const answered = await call(`/messages/${encodeURIComponent(msgId)}/${call_}`, { response: response.value })
      if (!answered.ok) return answered
      const { status, error } = answered.value
      return status === 'success' ? ok(null) : err(errorWord(error))
    },
    signOut: async (): Promise<void> => void (await call('/devices/self', {}, 'DELETE')),
    forgetCredentials: (): void => {
      credentials = []
    },
    token: () => token,
    rpId: () => credentials[0]?.rpId,
  }
}

const dataOf = ({ code, data }: AppAnswer): Result<JsonObject, string> => (code === 0 ? ok(data) : err(String(code)))

/** The stable word at the start of an error; the rest of its text is not reported. */
export const errorWord = (error: unknown): string => /^[a-z][a-z0-9_]{0,60}(?=:|$)/.exec(String(error))?.[0] ?? 'fail'

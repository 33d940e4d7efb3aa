import type { RegisteredCredential, RegistrationCase } from '../../core/judge/ceremony-case.ts'
import { judgeRegistration } from '../../core/judge/judge-registration.ts'
import type { CreationOptionsJson } from '../../core/protocol/webauthn-json.ts'
import type { Answering } from '../ceremony/answer.ts'
import { expectationsOf } from '../ceremony/expectations.ts'
import { type Heard, hear } from '../ceremony/judgement.ts'
import { nodeCrypto } from '../second-opinion/node-crypto.ts'

/** `value` is there exactly when the ceremony is accepted. */
export type JudgedRegistration = Heard & { readonly value?: RegisteredCredential }

export const judgeRegistrationAnswer = async ({
  context,
  current,
  response,
}: Answering): Promise<JudgedRegistration> => {
  const { services, workspace, profile, clock } = context
  const { rp, message } = current
  const roots = await services.store.roots.list(workspace)
  let known = false
  const input: RegistrationCase = {
    ...expectationsOf(rp, profile),
    response,
    options: message.public_key as CreationOptionsJson,
    attestation: profile.attestation,
    roots: roots.map(({ certificate }) => new Uint8Array(Buffer.from(certificate, 'base64'))),
    now: clock.now(),
    credentialKnown: async (id) => {
      known = (await services.store.credentials.get(workspace, rp.id, id)) !== undefined
      return known
    },
  }
  const judged = await judgeRegistration(input, nodeCrypto)
  // It is known from this very ceremony on: the second opinion is about the store as it was.
  const asItWas = known
  const heard = await hear(context, { ceremony: { ...input, credentialKnown: () => asItWas }, verdict: judged })
  return heard.verdict.accepted && judged.value !== undefined ? { ...heard, value: judged.value } : heard
}

import type { RegisteredCredential, RegistrationCase } from '../../explain/ceremony-case.ts'
import { judgeRegistration } from '../../explain/judge-registration.ts'
import type { CreationOptionsJson } from '../../protocol/webauthn-json.ts'
import { nodeCrypto } from '../judge/node-crypto.ts'
import type { Answering } from './answer.ts'
import { expectationsOf } from './expectations.ts'
import { type Heard, hear } from './hear.ts'

/** `value` is there exactly when the ceremony is accepted. */
export type HeardRegistration = Heard & { readonly value?: RegisteredCredential }

export const hearRegistration = async ({ turn, current, response }: Answering): Promise<HeardRegistration> => {
  const { services, workspace, profile, clock } = turn
  const { rp, message } = current
  const roots = await services.store.roots.list(workspace)
  const input: RegistrationCase = {
    ...expectationsOf(rp, profile),
    response,
    options: message.public_key as CreationOptionsJson,
    attestation: profile.attestation,
    roots: roots.map(({ certificate }) => new Uint8Array(Buffer.from(certificate, 'base64'))),
    now: clock.now(),
    credentialKnown: async (id) => (await services.store.credentials.get(workspace, rp.id, id)) !== undefined,
  }
  const judged = await judgeRegistration(input, nodeCrypto)
  const heard = await hear(turn, { ceremony: input, verdict: judged })
  return heard.verdict.accepted && judged.value !== undefined ? { ...heard, value: judged.value } : heard
}

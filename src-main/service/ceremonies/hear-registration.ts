import type { RegisteredCredential, RegistrationCase } from '../../explain/ceremony-case.ts'
import { judgeRegistration } from '../../explain/judge-registration.ts'
import type { CreationOptionsJson } from '../../protocol/webauthn-json.ts'
import type { MessageVerdict } from '../console/console.ts'
import { nodeCrypto } from '../judge/node-crypto.ts'
import type { Answering } from './answer.ts'
import { askSecond } from './ask-second.ts'
import { expectationsOf } from './expectations.ts'
import { verdictRecord, withSecondVote } from './verdict-record.ts'

export type HeardRegistration = {
  readonly verdict: MessageVerdict
  /** There exactly when the ceremony is accepted. */
  readonly value?: RegisteredCredential
}

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
  const opinion = await askSecond(turn, input, judged)
  const verdict = withSecondVote(verdictRecord(judged, { response, opinion }), profile)
  return verdict.accepted && judged.value !== undefined ? { verdict, value: judged.value } : { verdict }
}

import type { AuthenticatedCredential, AuthenticationCase } from '../../explain/ceremony-case.ts'
import { judgeAuthentication } from '../../explain/judge-authentication.ts'
import type { RequestOptionsJson } from '../../protocol/webauthn-json.ts'
import { nodeCrypto } from '../judge/node-crypto.ts'
import type { CredentialRecord } from '../store/records.ts'
import { userHandle } from '../user-handle.ts'
import type { Answering } from './answer.ts'
import { expectationsOf } from './expectations.ts'
import { type Heard, hear } from './hear.ts'

export type HeardAuthentication = Heard & {
  readonly value?: AuthenticatedCredential
  /** As it was when it was judged. */
  readonly credential?: CredentialRecord
}

export const hearAuthentication = async ({ turn, current, response }: Answering): Promise<HeardAuthentication> => {
  const { services, workspace, profile } = turn
  const { rp, message } = current
  let credential: CredentialRecord | undefined
  const input: AuthenticationCase = {
    ...expectationsOf(rp, profile),
    response,
    options: message.public_key as RequestOptionsJson,
    credential: async (id) => {
      credential = await services.store.credentials.get(workspace, rp.id, id)
      return credential && storedCredential(credential, userHandle(rp, credential.user_id))
    },
    expectedUserHandle: userHandle(rp, message.user_id),
    counterRegression: profile.counter_regression,
  }
  const judged = await judgeAuthentication(input, nodeCrypto)
  // Its counter moves with this very ceremony: the second opinion is about the credential as it was.
  const stored = credential && storedCredential(credential, userHandle(rp, credential.user_id))
  const ceremony: AuthenticationCase = {
    ...input,
    credential: async (id) => (id === credential?.id ? stored : undefined),
  }
  const heard = await hear(turn, { ceremony, verdict: judged })
  if (!heard.verdict.accepted || judged.value === undefined || credential === undefined) return heard
  return { ...heard, value: judged.value, credential }
}

const storedCredential = (record: CredentialRecord, handle: string) => ({
  publicKey: new Uint8Array(Buffer.from(record.public_key, 'base64url')),
  algorithm: record.algorithm,
  signCount: record.counter,
  backupEligible: record.backup_eligible,
  backupState: record.backup_state,
  userHandle: handle,
})

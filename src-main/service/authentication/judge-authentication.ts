import type { AuthenticatedCredential, AuthenticationCase } from '../../explain/ceremony-case.ts'
import { judgeAuthentication } from '../../explain/judge-authentication.ts'
import type { RequestOptionsJson } from '../../protocol/webauthn-json.ts'
import type { Answering } from '../ceremony/answer.ts'
import { expectationsOf } from '../ceremony/expectations.ts'
import { type Heard, hear } from '../ceremony/judgement.ts'
import { userHandle } from '../ceremony/user-handle.ts'
import { nodeCrypto } from '../judge/node-crypto.ts'
import type { CredentialRecord } from '../store/records.ts'

export type JudgedAuthentication = Heard & {
  readonly value?: AuthenticatedCredential
  /** As it was when it was judged. */
  readonly credential?: CredentialRecord
}

export const judgeAuthenticationAnswer = async ({
  context,
  current,
  response,
}: Answering): Promise<JudgedAuthentication> => {
  const { services, workspace, profile } = context
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
  const heard = await hear(context, { ceremony, verdict: judged })
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

import type { AuthenticatedCredential, AuthenticationCase, StoredCredential } from '../../core/judge/ceremony-case.ts'
import { judgeAuthentication } from '../../core/judge/judge-authentication.ts'
import { rememberByText } from '../../core/protocol/remember.ts'
import type { RequestOptionsJson } from '../../core/protocol/webauthn-json.ts'
import type { Answering } from '../ceremony/answer.ts'
import { expectationsOf } from '../ceremony/expectations.ts'
import { type Heard, hear } from '../ceremony/judgement.ts'
import { userHandle } from '../ceremony/user-handle.ts'
import { nodeCrypto } from '../second-opinion/node-crypto.ts'
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
  const expectedUserHandle = userHandle(rp, message.user_id)
  const handleOf = (user: string): string => (user === message.user_id ? expectedUserHandle : userHandle(rp, user))
  let credential: CredentialRecord | undefined
  let stored: StoredCredential | undefined
  const input: AuthenticationCase = {
    ...expectationsOf(rp, profile),
    response,
    options: message.public_key as RequestOptionsJson,
    credential: async (id) => {
      credential = await services.store.credentials.get(workspace, rp.id, id)
      stored = credential && storedCredential(credential, handleOf(credential.user_id))
      return stored
    },
    expectedUserHandle,
    counterRegression: profile.counter_regression,
  }
  const judged = await judgeAuthentication(input, nodeCrypto)
  // Its counter moves with this very ceremony: the second opinion is about the credential as it was.
  const asItWas = stored
  const ceremony: AuthenticationCase = {
    ...input,
    credential: async (id) => (id === credential?.id ? asItWas : undefined),
  }
  const heard = await hear(context, { ceremony, verdict: judged })
  if (!heard.verdict.accepted || judged.value === undefined || credential === undefined) return heard
  return { ...heard, value: judged.value, credential }
}

const storedCredential = (record: CredentialRecord, handle: string) => ({
  publicKey: keyBytes(record.public_key),
  algorithm: record.algorithm,
  signCount: record.counter,
  backupEligible: record.backup_eligible,
  backupState: record.backup_state,
  userHandle: handle,
})

/** The same array for the same key: what the judge has worked out for it stays known. */
const keyBytes = rememberByText((text) => new Uint8Array(Buffer.from(text, 'base64url')), 1_000)

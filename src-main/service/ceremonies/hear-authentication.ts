import type { AuthenticatedCredential, AuthenticationCase } from '../../explain/ceremony-case.ts'
import { judgeAuthentication } from '../../explain/judge-authentication.ts'
import type { RequestOptionsJson } from '../../protocol/webauthn-json.ts'
import type { MessageVerdict } from '../console/console.ts'
import { nodeCrypto } from '../judge/node-crypto.ts'
import type { CredentialRecord } from '../store/records.ts'
import { userHandle } from '../user-handle.ts'
import type { Answering } from './answer.ts'
import { askSecond } from './ask-second.ts'
import { expectationsOf } from './expectations.ts'
import { verdictRecord, withSecondVote } from './verdict-record.ts'

export type HeardAuthentication = {
  readonly verdict: MessageVerdict
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
  const opinion = await askSecond(turn, input, judged)
  const verdict = withSecondVote(verdictRecord(judged, { response, opinion }), profile)
  if (!verdict.accepted || judged.value === undefined || credential === undefined) return { verdict }
  return { verdict, value: judged.value, credential }
}

const storedCredential = (record: CredentialRecord, handle: string) => ({
  publicKey: new Uint8Array(Buffer.from(record.public_key, 'base64url')),
  algorithm: record.algorithm,
  signCount: record.counter,
  backupEligible: record.backup_eligible,
  backupState: record.backup_state,
  userHandle: handle,
})

import type { AnswerData, AppInput } from '../../core/contract/app/routes.ts'
import type { Refusal } from '../../core/contract/errors.ts'
import type { AuthenticatedCredential, AuthenticationCase, StoredCredential } from '../../core/judge/ceremony-case.ts'
import { judgeAuthentication } from '../../core/judge/judge-authentication.ts'
import { rememberByText } from '../../core/protocol/remember.ts'
import { ok, type Result } from '../../core/protocol/result.ts'
import type { RequestOptionsJson } from '../../core/protocol/webauthn-json.ts'
import { type Answering, ATTEMPTS, answerHash, failAnswer, firstVerdict, observeOutcome } from '../ceremony/answer.ts'
import { expectationsOf, type Heard, hear, overruled } from '../ceremony/judgement.ts'
import { userHandle } from '../ceremony/phone-options.ts'
import type { SignedIn } from '../devices/authenticate-device.ts'
import { boundMessage } from '../messages/current-message.ts'
import { nodeCrypto } from '../second-opinion/node-crypto.ts'
import { observeIn, type RequestContext } from '../services.ts'
import type { CredentialRecord } from '../store/records.ts'

export const finishAuthentication = async (
  context: RequestContext,
  caller: SignedIn,
  { params, body: { response } }: AppInput<'messages.assertion'>,
): Promise<Result<AnswerData, Refusal>> => {
  const current = await boundMessage(context, caller, { id: params.msg_id, kind: 'authentication' })
  if (!current.ok) return current
  const answering: Answering = {
    context,
    caller,
    current: current.value,
    response,
    answer_hash: answerHash({ response }),
  }
  if (current.value.message.state !== 'bind') return firstVerdict(answering)
  const done = await judgeAndStore(answering)
  return done === undefined ? firstVerdict(answering) : ok(done)
}

const judgeAndStore = async (answering: Answering): Promise<AnswerData | undefined> => {
  const { context, caller, current, answer_hash } = answering
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const heard = await judgeAuthenticationAnswer(answering)
    const { verdict, value, credential } = heard
    if (value === undefined || credential === undefined) return failAnswer(answering, heard)
    const outcome = await context.services.store.messages.authenticate(context.workspace, current.message.id, {
      device: caller.device.id,
      answer_hash,
      verdict,
      now: context.clock.now(),
      credential_id: credential.id,
      rp: credential.rp,
      counter_was: credential.counter,
      counter: value.signCount,
      backup_state: value.backupState,
      user_verified: value.userVerified,
    })
    if (outcome === 'lost') return undefined
    if (outcome === 'changed') continue
    observeOutcome(answering, heard, { to: 'success', credential_id: credential.id })
    const { rp, user_id, id } = credential
    const fact = { kind: 'credential', change: 'used', rp_id: rp, user_id, credential_id: id } as const
    observeIn(context, { kind: 'phone', id: caller.device.id }, fact)
    return { status: 'success', error: '' }
  }
  const heard = await judgeAuthenticationAnswer(answering)
  return failAnswer(answering, { ...heard, verdict: overruled(heard.verdict, 'credential_busy') })
}

type JudgedAuthentication = Heard & {
  readonly value?: AuthenticatedCredential
  /** As it was when it was judged. */
  readonly credential?: CredentialRecord
}

const judgeAuthenticationAnswer = async ({ context, current, response }: Answering): Promise<JudgedAuthentication> => {
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

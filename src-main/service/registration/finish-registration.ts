import type { AnswerData, AppInput, CredentialStorage } from '../../core/contract/app/routes.ts'
import type { Refusal } from '../../core/contract/errors.ts'
import type { RegisteredCredential, RegistrationCase } from '../../core/judge/ceremony-case.ts'
import { judgeRegistration } from '../../core/judge/judge-registration.ts'
import { toBase64url } from '../../core/protocol/bytes.ts'
import { ok, type Result } from '../../core/protocol/result.ts'
import type { CreationOptionsJson } from '../../core/protocol/webauthn-json.ts'
import { type Answering, ATTEMPTS, answerHash, failAnswer, firstVerdict, observeOutcome } from '../ceremony/answer.ts'
import { expectationsOf, type Heard, hear, overruled } from '../ceremony/judgement.ts'
import type { SignedIn } from '../devices/authenticate-device.ts'
import { boundMessage } from '../messages/current-message.ts'
import { nodeCrypto } from '../second-opinion/node-crypto.ts'
import { observeIn, type RequestContext } from '../services.ts'
import type { CredentialRecord } from '../store/records.ts'
import { withinQuota } from '../workspaces/quotas.ts'

export const finishRegistration = async (
  context: RequestContext,
  caller: SignedIn,
  { params, body }: AppInput<'messages.attestation'>,
): Promise<Result<AnswerData, Refusal>> => {
  const { response, storage = 'chip' } = body
  const current = await boundMessage(context, caller, { id: params.msg_id, kind: 'registration' })
  if (!current.ok) return current
  const answer_hash = answerHash({ response, storage })
  const answering: Answering = { context, caller, current: current.value, response, answer_hash }
  if (current.value.message.state !== 'bind') return firstVerdict(answering)
  const done = await judgeAndStore(answering, storage)
  return done === undefined ? firstVerdict(answering) : ok(done)
}

const judgeAndStore = async (answering: Answering, storage: CredentialStorage): Promise<AnswerData | undefined> => {
  const { context, caller, current, answer_hash } = answering
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const heard = await judgeRegistrationAnswer(answering)
    const { verdict, value } = heard
    if (value === undefined) return failAnswer(answering, heard)
    const credential = credentialOf(answering, value, storage)
    const { services, workspace } = context
    const registered = await withinQuota(services, { workspace, counts: ['credentials'] }, async () =>
      ok(
        await services.store.messages.register(workspace, current.message.id, {
          device: caller.device.id,
          answer_hash,
          verdict,
          now: context.clock.now(),
          credential,
          limit: context.profile.credentials_per_user,
        }),
      ),
    )
    const outcome = registered.ok ? registered.value : 'limit'
    if (outcome === 'lost') return undefined
    if (outcome === 'limit') {
      return failAnswer(answering, { ...heard, verdict: overruled(verdict, 'credential_limit') })
    }
    if (outcome === 'known') continue
    observeOutcome(answering, heard, { to: 'success', credential_id: credential.id })
    const { rp, user_id } = credential
    const fact = { kind: 'credential', change: 'registered', rp_id: rp, user_id, credential_id: credential.id } as const
    observeIn(context, { kind: 'phone', id: caller.device.id }, fact)
    return { status: 'success', error: '' }
  }
  throw new Error('a credential that is known was judged to be new')
}

const credentialOf = (
  { context, caller, current }: Answering,
  value: RegisteredCredential,
  storage: CredentialStorage,
): CredentialRecord => {
  const now = context.clock.now()
  return {
    id: value.id,
    rp: current.rp.id,
    user_id: current.message.user_id,
    name: current.message.credential_name,
    storage,
    account: caller.account.id,
    device: caller.device.id,
    public_key: toBase64url(value.publicKey),
    algorithm: value.algorithm,
    counter: value.signCount,
    aaguid: value.aaguid,
    attestation_format: value.format,
    transports: value.transports,
    backup_eligible: value.backupEligible,
    backup_state: value.backupState,
    user_verified: value.userVerified,
    created_at: now,
    updated_at: now,
  }
}

/** `value` is there exactly when the ceremony is accepted. */
type JudgedRegistration = Heard & { readonly value?: RegisteredCredential }

const judgeRegistrationAnswer = async ({ context, current, response }: Answering): Promise<JudgedRegistration> => {
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

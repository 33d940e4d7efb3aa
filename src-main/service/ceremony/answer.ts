import { hash } from 'node:crypto'
import type { AnswerData, AppData, AppInput, CredentialStorage } from '../../core/contract/app/routes.ts'
import type { MessageVerdict } from '../../core/contract/control/states.ts'
import { type Refusal, refuse } from '../../core/contract/errors.ts'
import type { ServiceFailure } from '../../core/contract/judge/failure-words.ts'
import type { SecondOpinion } from '../../core/contract/judge/verdict.ts'
import type { Profile } from '../../core/contract/profile.ts'
import type { Answer } from '../../core/contract/schema.ts'
import { algorithmName } from '../../core/judge/algorithms.ts'
import type {
  AuthenticatedCredential,
  AuthenticationCase,
  Expectations,
  RegisteredCredential,
  RegistrationCase,
  StoredCredential,
} from '../../core/judge/ceremony-case.ts'
import { formatUuid } from '../../core/judge/describe.ts'
import { judgeAuthentication } from '../../core/judge/judge-authentication.ts'
import { judgeRegistration } from '../../core/judge/judge-registration.ts'
import type { Verdict } from '../../core/judge/verdict.ts'
import { en } from '../../core/messages/en/en.ts'
import { failureText } from '../../core/messages/failure-text.ts'
import { toBase64url } from '../../core/protocol/bytes.ts'
import { withoutUndefined } from '../../core/protocol/json.ts'
import type { MessageKind } from '../../core/protocol/message-address.ts'
import type { MessageState } from '../../core/protocol/message-state.ts'
import { rememberByText } from '../../core/protocol/remember.ts'
import { type Exact, err, exactly, ok, type Result } from '../../core/protocol/result.ts'
import type { CreationOptionsJson, RequestOptionsJson } from '../../core/protocol/webauthn-json.ts'
import { signalDetails } from '../inbox/send-signals.ts'
import { messageFact } from '../messages/message-timers.ts'
import { nodeCrypto } from '../second-opinion/node-crypto.ts'
import { formOpinion } from '../second-opinion/second-opinion.ts'
import { observeIn, type RequestContext, type SignedIn, workspaceWasClosed } from '../services.ts'
import { withinQuota } from '../settings/limits.ts'
import type { CredentialRecord, RpRecord } from '../store/store.ts'
import { findBoundMessage, type MessageWithRp } from './bind.ts'
import { userHandle } from './user-handle.ts'

export const finishRegistration = (
  context: RequestContext,
  caller: SignedIn,
  { params, body: { response, storage = 'chip' } }: AppInput<'messages.attestation'>,
): Answer<AnswerData> =>
  finish({ context, caller, id: params.msg_id, kind: 'registration', answer: { response, storage } }, (answering) =>
    judgeAndRegister(answering, storage),
  )

type Given = Pick<AnswerContext, 'context' | 'caller'> & {
  readonly id: string
  readonly kind: MessageKind
  readonly answer: { readonly response: unknown; readonly storage?: CredentialStorage }
}

/** Judges an answer unless the message has a verdict already. */
const finish = async (
  { context, caller, id, kind, answer }: Given,
  judge: (answering: AnswerContext) => Promise<Answered | undefined>,
): Answer<AnswerData> => {
  const current = await findBoundMessage(context, caller, { id, kind })
  if (!current.ok) return current
  const { response } = answer
  const answering = { context, caller, current: current.value, response, answer_hash: answerHash(answer) }
  const done = current.value.message.state === 'bind' ? await judge(answering) : undefined
  return done ?? firstVerdict(answering)
}

type Answered = Result<Exact<AnswerData>, Refusal>

const judgeAndRegister = async (
  answering: AnswerContext,
  storage: CredentialStorage,
): Promise<Answered | undefined> => {
  const { context, caller, current, answer_hash } = answering
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const judged = await judgeRegistrationAnswer(answering)
    const { verdict, value } = judged
    if (value === undefined) return failAnswer(answering, judged)
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
      return failAnswer(answering, { ...judged, verdict: overruled(verdict, 'credential_limit') })
    }
    if (outcome === 'known') continue
    observeOutcome(answering, judged, { to: 'success', credential_id: credential.id })
    const { rp, user_id } = credential
    const fact = { kind: 'credential', change: 'registered', rp_id: rp, user_id, credential_id: credential.id } as const
    observeIn(context, { kind: 'phone', id: caller.device.id }, fact)
    await signalDetails(context, current.rp, current.message)
    return ok(exactly({ status: 'success', error: '' }))
  }
  throw new Error('a credential that is known was judged to be new')
}

const credentialOf = (
  { context, caller, current }: AnswerContext,
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

/** Has a `value` exactly if the ceremony is accepted. */
type JudgedRegistration = JudgedAnswer & { readonly value?: RegisteredCredential }

const judgeRegistrationAnswer = async ({ context, current, response }: AnswerContext): Promise<JudgedRegistration> => {
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
    ...withoutUndefined({ metadata: services.metadata }),
    now: clock.now(),
    credentialKnown: async (id) => {
      known = (await services.store.credentials.get(workspace, rp.id, id)) !== undefined
      return known
    },
  }
  const judged = await judgeRegistration(input, nodeCrypto)
  // This ceremony stores the credential, but the second opinion must see the store as it was before.
  const asItWas = known
  // The second opinion's library takes one list of roots, so it gets the workspace's and this model's together.
  const { attested } = judged.decoded.authenticatorData ?? {}
  const own = attested && services.metadata?.get(formatUuid(attested.aaguid))?.roots
  const ceremony = { ...input, roots: [...input.roots, ...(own ?? [])], credentialKnown: () => asItWas }
  const outcome = await addOpinion(context, ceremony, judged)
  return outcome.verdict.accepted && judged.value !== undefined ? { ...outcome, value: judged.value } : outcome
}

export const finishAuthentication = (
  context: RequestContext,
  caller: SignedIn,
  { params, body: { response } }: AppInput<'messages.assertion'>,
): Answer<AnswerData> =>
  finish({ context, caller, id: params.msg_id, kind: 'authentication', answer: { response } }, judgeAndStore)

const judgeAndStore = async (answering: AnswerContext): Promise<Answered | undefined> => {
  const { context, caller, current, answer_hash } = answering
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const judged = await judgeAuthenticationAnswer(answering)
    const { verdict, value, credential } = judged
    if (value === undefined || credential === undefined) return failAnswer(answering, judged)
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
    observeOutcome(answering, judged, { to: 'success', credential_id: credential.id })
    const { rp, user_id, id } = credential
    const fact = { kind: 'credential', change: 'used', rp_id: rp, user_id, credential_id: id } as const
    observeIn(context, { kind: 'phone', id: caller.device.id }, fact)
    return ok(exactly({ status: 'success', error: '' }))
  }
  const judged = await judgeAuthenticationAnswer(answering)
  return failAnswer(answering, { ...judged, verdict: overruled(judged.verdict, 'credential_busy') })
}

type JudgedAuthentication = JudgedAnswer & {
  readonly value?: AuthenticatedCredential
  /** The credential's state when it was judged. */
  readonly credential?: CredentialRecord
}

const judgeAuthenticationAnswer = async ({
  context,
  current,
  response,
}: AnswerContext): Promise<JudgedAuthentication> => {
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
  // This ceremony changes the counter, but the second opinion must see the credential as it was before.
  const asItWas = stored
  const ceremony: AuthenticationCase = {
    ...input,
    credential: async (id) => (id === credential?.id ? asItWas : undefined),
  }
  const outcome = await addOpinion(context, ceremony, judged)
  if (!outcome.verdict.accepted || judged.value === undefined || credential === undefined) return outcome
  return { ...outcome, value: judged.value, credential }
}

const storedCredential = (record: CredentialRecord, handle: string) => ({
  publicKey: keyBytes(record.public_key),
  algorithm: record.algorithm,
  signCount: record.counter,
  backupEligible: record.backup_eligible,
  backupState: record.backup_state,
  userHandle: handle,
})

/** Returns the same array for the same key, so that the judge's caches keep working. */
const keyBytes = rememberByText((text) => new Uint8Array(Buffer.from(text, 'base64url')), 1_000)

export const rejectMessage = async (
  context: RequestContext,
  caller: SignedIn,
  { params: { msg_id: id }, body: { reason = 'user_rejected' } }: AppInput<'messages.reject'>,
): Answer<AppData<'messages.reject'>> => {
  const { services, workspace, clock } = context
  const current = await findBoundMessage(context, caller, { id })
  if (!current.ok) return current
  const { message } = current.value
  const device = caller.device.id
  const answer_hash = answerHash({ reject: reason })
  const error = errorOf(reason)
  if (message.state === 'bind') {
    const moved = await services.store.messages.fail(workspace, id, { device, error, answer_hash, now: clock.now() })
    if (moved) {
      const baseUrl = services.addresses.baseUrl(workspace)
      const fact = messageFact(message, { baseUrl, from: 'bind', to: 'fail', error })
      observeIn(context, { kind: 'phone', id: device }, fact)
      return ok(exactly({ status: 'fail' }))
    }
  }
  const now = await findBoundMessage(context, caller, { id })
  if (!now.ok) return now
  if (now.value.message.answer_hash !== answer_hash) return err(refuse('answered_differently'))
  return ok(exactly({ status: now.value.message.state }))
}

const WORD = /^[a-z][a-z0-9_]*$/

/** A phone's free text is appended to `user_rejected` unchanged. */
const errorOf = (reason: string): string => (WORD.test(reason) ? reason : `user_rejected: ${reason}`)

export type AnswerContext = {
  readonly context: RequestContext
  readonly caller: SignedIn
  readonly current: MessageWithRp
  readonly response: unknown
  readonly answer_hash: string
}

/** Maximum number of attempts to judge: judging repeats if the credential changes before the result is stored. */
export const MAX_ATTEMPTS = 5

/** Does not depend on the order of members or on white space. */
const answerHash = (answer: unknown): string => hash('sha256', JSON.stringify(sorted(answer)), 'base64url')

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => [key, sorted(member)])
}

/** A repeated identical answer gets the first verdict; a different answer is refused. */
const firstVerdict = async ({ context, caller, current, answer_hash }: AnswerContext): Answer<AnswerData> => {
  const now = await findBoundMessage(context, caller, { id: current.message.id })
  if (!now.ok) return now
  const { state, error } = now.value.message
  if (now.value.message.answer_hash !== answer_hash) return err(refuse('answered_differently'))
  return ok(exactly({ status: state, error: failureText(en, error) }))
}

/** `bind → fail` with this verdict; undefined if the message was no longer open. */
const failAnswer = async (answering: AnswerContext, outcome: JudgedAnswer): Promise<Answered | undefined> => {
  const { context, caller, current, answer_hash } = answering
  const { verdict } = outcome
  const error = verdict.failure?.word ?? ''
  const to = { device: caller.device.id, error, answer_hash, verdict, now: context.clock.now() }
  if (!(await context.services.store.messages.fail(context.workspace, current.message.id, to))) return undefined
  observeOutcome(answering, outcome, { to: 'fail', error })
  return ok(exactly({ status: 'fail', error: failureText(en, error) }))
}

/** Called after the commit: observes the judgement first, then the message's state change. */
const observeOutcome = (
  { context, caller, current }: AnswerContext,
  { verdict, form }: JudgedAnswer,
  move: { readonly to: MessageState; readonly error?: string; readonly credential_id?: string },
): void => {
  const { message } = current
  const { response: _response, ...observed } = verdict
  observeIn(context, { kind: 'service' }, { kind: 'verdict', msg_id: message.id, ceremony: message.kind, ...observed })
  const baseUrl = context.services.addresses.baseUrl(context.workspace)
  observeIn(context, { kind: 'phone', id: caller.device.id }, messageFact(message, { baseUrl, from: 'bind', ...move }))
  if (context.profile.second_opinion !== 'record' || workspaceWasClosed(context)) return
  context.services.secondOpinions.later(context.workspace, message.id, form)
}

const expectationsOf = (rp: RpRecord, profile: Profile): Expectations => ({
  origins: rp.origins,
  rpId: rp.rp_id,
  topOrigins: profile.top_origins,
  relaxed: profile.judge_relaxes,
})

/** The stored verdict on a ceremony, and how to form the second opinion that no request waits for. */
type JudgedAnswer = { readonly verdict: MessageVerdict; readonly form: () => Promise<SecondOpinion> }

/** The answer waits for the second opinion only under `must-agree`, where the opinion can overrule the judge. */
const addOpinion = async (
  { profile, services }: RequestContext,
  ceremony: RegistrationCase | AuthenticationCase,
  verdict: Verdict<unknown>,
): Promise<JudgedAnswer> => {
  const { accepted, failure, steps, decoded } = verdict
  const record: MessageVerdict = {
    accepted,
    ...(failure && { failure }),
    ...(decoded.algorithm === undefined ? {} : { algorithm: algorithmName(decoded.algorithm) }),
    steps,
    response: ceremony.response,
  }
  // Keeps only two members of the verdict, because hundreds of answers may wait for a second opinion at once.
  const form = () => formOpinion(ceremony, { accepted, ...(failure && { failure }) }, services.wall)
  if (profile.second_opinion !== 'must-agree') return { verdict: record, form }
  const second_opinion = await form()
  return { verdict: applySecondOpinion({ ...record, second_opinion }), form }
}

const overruled = (verdict: MessageVerdict, word: ServiceFailure): MessageVerdict => ({
  ...verdict,
  accepted: false,
  failure: { word, step: 'service' },
})

/** Refuses if only the judge accepts. */
export const applySecondOpinion = (verdict: MessageVerdict): MessageVerdict =>
  verdict.accepted && verdict.second_opinion?.disagrees === true
    ? overruled(verdict, 'second_opinion_disagrees')
    : verdict

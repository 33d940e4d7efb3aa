import type { PhoneFact } from '../../core/contract/events.ts'
import { makeId } from '../../core/protocol/ids.ts'
import { failureWord } from '../../core/protocol/message-state.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import type { Millis } from '../../core/protocol/time.ts'
import { type AppAnswer, isTransient } from './app-client.ts'
import { type BoundMessage, parseBoundMessage } from './bound-message.ts'
import {
  type BindMessage,
  bindDelay,
  findDelayEnd,
  type OpenPromptInput,
  prepareAnswer,
  type SendUpload,
  withBindFaults,
  withSendFaults,
} from './faulty-steps.ts'
import { createAlarms, type PhoneCore, triggerFaults } from './phone-core.ts'
import {
  CREDENTIALS_SHOWN,
  type CredentialStorage,
  type PhoneRefusal,
  type PhoneResult,
  type PhoneState,
  type Prompt,
  refusePhone,
  type ShownCredential,
} from './phone-state.ts'
import { passkeyRemovers, restorePasskey } from './signals.ts'
import type { OpenPrompt, PlannedAnswer, PreparedAnswer, TriggeredFault } from './stored-form.ts'

export type ApproveChoice = { readonly storage?: CredentialStorage; readonly delay_ms?: number }

const openingOf = ({ msgId, cameBy }: OpenPromptInput) =>
  ({ msg_id: msgId, did: cameBy === 'push' ? 'open' : 'scan' }) as const

export const createPrompts = (core: PhoneCore, onOpened: (msgId: string) => void) => {
  const book = createPromptBook(core, (open) => void core.ports.track(answerByItself(open)))
  const parts = { core, book }
  const opening = new Map<string, PhoneResult>()
  const done = (): Result<PhoneState, never> => ok(core.view())

  /** Runs a command on an open prompt that is not being answered yet. */
  const withPrompt = async (id: string, command: (open: OpenPrompt) => PhoneResult): PhoneResult => {
    const open = book.find(id)
    if (open === undefined) return err(refusePhone('no_such_prompt'))
    if (book.isBusy(id)) return err(refusePhone('busy'))
    const ready = core.ready()
    return ready.ok ? command(open) : err(core.fail(ready.error, { prompt: open.prompt }))
  }

  const failFingerprint = (id: string): PhoneResult =>
    withPrompt(id, async (open) => {
      const prompt = { ...open.prompt, fingerprint_failures: open.prompt.fingerprint_failures + 1 }
      book.replace(id, { ...open, prompt })
      const word = 'fingerprint_failed'
      core.show({ kind: 'request', prompt, note: word })
      core.report('changed', undefined, { word })
      return done()
    })

  const failuresLeft = ({ prompt }: OpenPrompt): number =>
    (core.record().behaviour.fingerprint_failures ?? 0) - prompt.fingerprint_failures

  const approve = (id: string, storage?: CredentialStorage): PhoneResult =>
    withPrompt(id, async (open) => {
      if (failuresLeft(open) > 0) return failFingerprint(id)
      const held = findDelayEnd(open, core.ports.clock.now())
      if (held !== undefined) {
        const act = { msg_id: open.prompt.msg_id, did: 'approve', waits: true } as const
        return answerAt(held.open, held.time, { planned: { answer: 'approve', past_expiry: true }, act })
      }
      return book.whileBusy(id, () =>
        approvePrompt(parts, open, storage ?? open.prompt.storage ?? core.record().storage),
      )
    })

  const reject = (id: string, reason?: string): PhoneResult =>
    withPrompt(id, (open) => book.whileBusy(id, () => rejectPrompt(parts, open, reason)))

  /** Answers automatically, and repeats the fingerprint until it is recognised. */
  const answerByItself = async ({ prompt, planned, ...open }: OpenPrompt): PhoneResult => {
    if (planned?.answer === 'reject') return reject(prompt.id, planned.reason)
    for (let left = failuresLeft({ prompt, ...open }); left > 0; left--) await failFingerprint(prompt.id)
    return approve(prompt.id)
  }

  const answerAt = (
    open: OpenPrompt,
    time: Millis,
    { planned, act }: { readonly planned: PlannedAnswer; readonly act?: PhoneFact['act'] },
  ): Result<PhoneState, never> => {
    const prompt = { ...open.prompt, answers_at: time }
    const next: OpenPrompt = { ...open, prompt, planned }
    book.replace(prompt.id, next)
    core.show({ kind: 'request', prompt })
    core.report('changed', undefined, act === undefined ? {} : { act })
    book.arm(next)
    return done()
  }

  const react = async (open: OpenPrompt): PhoneResult => {
    const { answer, delay_ms: ms = 0, reason } = core.record().behaviour
    if (answer === 'ask' || answer === 'ignore') return done()
    const planned: PlannedAnswer = { answer, ...(reason === undefined ? {} : { reason }) }
    return ms > 0 ? answerAt(open, core.ports.clock.now() + ms, { planned }) : answerByItself({ ...open, planned })
  }

  const openOnce = async (input: OpenPromptInput, triggered: readonly TriggeredFault[]): PhoneResult => {
    const act = openingOf(input)
    const opened = await openMessage(core, input, triggered)
    // A push that could not be opened without a network stays.
    if (opened.ok || !isTransient(opened.error)) onOpened(input.msgId)
    if (!opened.ok) return err(core.fail(opened.error, { act }))
    const { open, decline } = opened.value
    if (decline !== undefined) return declineWith(core, open.prompt, decline)
    book.add(open)
    core.report('asked', open.prompt.rp.name, { act })
    return react(open)
  }

  /** One prompt, however many scans and pushes of the message run at the same time. */
  const openShared = (input: OpenPromptInput, triggered: readonly TriggeredFault[]): PhoneResult => {
    const already = opening.get(input.msgId)
    if (already !== undefined) return already
    const work = openOnce(input, triggered).finally(() => opening.delete(input.msgId))
    opening.set(input.msgId, work)
    return work
  }

  return {
    async open(input: OpenPromptInput): PhoneResult {
      const ready = core.ready()
      if (!ready.ok) return err(core.fail(ready.error))
      const known = book.forMessage(input.msgId)
      if (known !== undefined) {
        if (!book.isBusy(known.prompt.id)) core.show({ kind: 'request', prompt: known.prompt })
        return done()
      }
      const triggered = triggerFaults(core, { ...input, stage: 'message' })
      const now = core.ports.clock.now()
      const ms = bindDelay(triggered, { expiresAt: input.expiresAt, now })
      if (ms === undefined) return openShared(input, triggered)
      core.report('changed', undefined, { act: { ...openingOf(input), waits: true } })
      book.later(`bind ${input.msgId}`, now + ms, () => void core.ports.track(openShared(input, triggered)))
      return done()
    },
    async approve(id: string, choice: ApproveChoice = {}): PhoneResult {
      const { storage, delay_ms: ms = 0 } = choice
      if (ms <= 0) return approve(id, storage)
      return withPrompt(id, async (open) => {
        const prompt = { ...open.prompt, ...(storage === undefined ? {} : { storage }) }
        return answerAt({ ...open, prompt }, core.ports.clock.now() + ms, { planned: { answer: 'approve' } })
      })
    },
    reject: (id: string, { reason }: { readonly reason?: string } = {}) => reject(id, reason),
    failFingerprint,
    /** Sets the alarms of the stored prompts, after a start or restore. */
    resume: () => core.record().prompts.forEach(book.arm),
    stop: book.stop,
  }
}

/** A message bound to this phone. `decline`: the phone cannot answer it, so the user is not asked. */
type Opened = { readonly open: OpenPrompt; readonly decline?: PhoneRefusal }

/** The account's credentials that fit the request; reads the cloud if the chip alone cannot decide. */
const fittingCredentials = async (
  core: PhoneCore,
  { rp, public_key: asked }: BoundMessage,
): PhoneResult<readonly ShownCredential[]> => {
  const listed = asked.kind === 'registration' ? asked.options.excludeCredentials : asked.options.allowCredentials
  const ids = new Set(listed?.map(({ id }) => id))
  const fits = (): readonly ShownCredential[] => {
    const removed = passkeyRemovers(core)
    return core.keyring
      .list()
      .filter(({ id, rp_id }) => rp_id === rp.id && (ids.size === 0 || ids.has(id)) && !removed.has(id))
  }
  const mustLook =
    asked.kind === 'registration'
      ? [...ids].some((id) => core.keyring.storageOf(id) === undefined)
      : !fits().some(({ storage }) => storage === 'chip')
  if (mustLook) {
    const looked = await core.exclusive(() => core.keyring.refresh())
    if (!looked.ok) return looked
  }
  return ok(fits())
}

const promptOf = (core: PhoneCore, input: OpenPromptInput, bound: BoundMessage): Prompt => ({
  id: makeId('prompt', core.random('prompt')),
  msg_id: input.msgId,
  url: input.url,
  kind: bound.kind,
  came_by: input.cameBy,
  rp: bound.rp,
  user: bound.user,
  credential_name: bound.credential_name,
  expires_at: bound.expires_at,
  origin: input.seenOn ?? bound.rp.origins[0] ?? '',
  ...(bound.kind === 'registration' ? { storage: core.record().behaviour.storage ?? core.record().storage } : {}),
  fingerprint_failures: 0,
})

const openMessage = async (
  core: PhoneCore,
  input: OpenPromptInput,
  triggered: readonly TriggeredFault[],
): PhoneResult<Opened> => {
  const bound = await bindMessage(core, input, triggered)
  if (!bound.ok) return bound
  const prompt = promptOf(core, input, bound.value)
  const open = { prompt, public_key: bound.value.public_key, struck: triggered }
  if (prompt.origin === '') return ok({ open, decline: refusePhone('no_origin') })
  const credentials = await fittingCredentials(core, bound.value)
  if (!credentials.ok) return credentials
  if (prompt.kind === 'registration') return ok({ open })
  if (credentials.value.length === 0) return ok({ open, decline: refusePhone('no_matching_credential') })
  return ok({ open: { ...open, prompt: { ...prompt, credentials: credentials.value.slice(-CREDENTIALS_SHOWN) } } })
}

/** Faults of this attempt may change the call. */
const bindMessage = (
  core: PhoneCore,
  input: OpenPromptInput,
  triggered: readonly TriggeredFault[],
): PhoneResult<BoundMessage> => {
  const honest: BindMessage = async () => {
    const answer = await core.call({ method: 'POST', path: `/messages/${input.msgId}/bind`, body: {} })
    if (!answer.ok) return answer
    const bound = parseBoundMessage(answer.value.data)
    return bound.ok
      ? ok(bound.value)
      : err(refusePhone('garbled', { reason: { code: 'message_lacks', params: { member: bound.error } } }))
  }
  return withBindFaults({ core, input }, triggered, honest)()
}

type Parts = { readonly core: PhoneCore; readonly book: PromptBook }

/** Reports to the service that the phone cannot answer, so that the site need not wait. */
const declineWith = async (core: PhoneCore, prompt: Prompt, refusal: PhoneRefusal): PhoneResult => {
  const path = `/messages/${prompt.msg_id}/reject`
  const sent = await core.call({ method: 'POST', path, body: { reason: refusal.word } })
  const { word, reason } = refusal
  core.show({ kind: 'refused', prompt, word, ...(reason === undefined ? {} : { reason }) })
  const act = { msg_id: prompt.msg_id, did: 'decline' } as const
  core.report('answered', undefined, { act, word: sent.ok ? word : sent.error.word })
  return ok(core.view())
}

type Act = NonNullable<PhoneFact['act']>

const approving = ({ msg_id, kind }: Prompt, storage: CredentialStorage): Act => ({
  msg_id,
  did: 'approve',
  ...(kind === 'registration' ? { storage } : {}),
})

/** Deletes a credential that the service did not accept. */
const undo = async (core: PhoneCore, answer: PreparedAnswer): Promise<void> => {
  if (answer.kind === 'registration') await core.exclusive(() => core.keyring.discard(answer.credential_id))
}

const ANSWERS_KEPT = 64

const rememberAnswer = ({ lastAnswers }: PhoneCore, answer: PreparedAnswer): void => {
  if (answer.kind !== 'authentication') return
  lastAnswers.delete(answer.credential_id)
  lastAnswers.set(answer.credential_id, answer)
  const [oldest] = lastAnswers.keys()
  if (lastAnswers.size > ANSWERS_KEPT && oldest !== undefined) lastAnswers.delete(oldest)
}

const takeVerdict = async (
  { core, book }: Parts,
  prompt: Prompt,
  answer: PreparedAnswer,
  data: Readonly<Record<string, unknown>>,
): PhoneResult => {
  const act = approving(prompt, answer.storage)
  if (data.status === 'success') {
    book.finish(prompt.id)
    // A list of accepted passkeys from before this success lacks the passkey, and the phone may have hidden it.
    restorePasskey(core, answer.credential_id)
    rememberAnswer(core, answer)
    core.show({ kind: 'success', prompt, credential_id: answer.credential_id })
    core.report('answered', undefined, { act })
    return ok(core.view())
  }
  await undo(core, answer)
  book.finish(prompt.id)
  const word = (typeof data.error === 'string' ? failureWord(data.error) : '') || 'not_accepted'
  core.show({ kind: 'refused', prompt, word })
  core.report('answered', undefined, { act, word })
  return ok(core.view())
}

/** The finger was recognised: sign, send, read the verdict. An answer signed before is sent again unchanged. */
const approvePrompt = async (parts: Parts, open: OpenPrompt, storage: CredentialStorage): PhoneResult => {
  const { core, book } = parts
  const { prompt } = open
  let { answer } = open
  const act = approving(prompt, storage)
  if (answer === undefined) {
    core.show({ kind: 'working', prompt, doing: 'signing' })
    core.report('changed')
    const prepared = await core.exclusive(() => prepareAnswer(core, open, storage))
    if (!prepared.ok) {
      // Trouble with the cloud is temporary; a refusal of the authenticator is final.
      if (prepared.error.by !== 'authenticator') return err(core.fail(prepared.error, { prompt, act }))
      book.finish(prompt.id)
      return declineWith(core, prompt, prepared.error)
    }
    answer = prepared.value
    book.replace(prompt.id, { ...open, answer })
  }
  core.show({ kind: 'working', prompt, doing: 'sending' })
  core.report('changed')
  const sent = await upload(core, open, answer)
  if (sent.ok) return takeVerdict(parts, prompt, answer, sent.value.data)
  if (isTransient(sent.error)) {
    // Any fault has been applied by now: the next attempt is normal.
    book.replace(prompt.id, { ...open, answer, struck: [] })
  } else {
    book.finish(prompt.id)
    await undo(core, answer)
  }
  return err(core.fail(sent.error, { prompt, act }))
}

const rejectPrompt = async ({ core, book }: Parts, { prompt }: OpenPrompt, reason?: string): PhoneResult => {
  const act = { msg_id: prompt.msg_id, did: 'reject' } as const
  const path = `/messages/${prompt.msg_id}/reject`
  const sent = await core.call({ method: 'POST', path, body: reason === undefined ? {} : { reason } })
  if (sent.ok || !isTransient(sent.error)) book.finish(prompt.id)
  if (!sent.ok) return err(core.fail(sent.error, { prompt, act }))
  core.show({ kind: 'refused', prompt, word: reason ?? 'user_rejected' })
  core.report('answered', undefined, { act, word: 'user_rejected' })
  return ok(core.view())
}

const VERBS = { registration: 'attestation', authentication: 'assertion' } as const

/** Faults of this attempt may change the call. */
const upload = (
  core: PhoneCore,
  open: OpenPrompt,
  { kind, body, credential_id: credentialId }: PreparedAnswer,
): PhoneResult<AppAnswer> => {
  const honest: SendUpload = ({ msgId, kind, credentialId: _, ...call }) =>
    core.call({ method: 'POST', path: `/messages/${msgId}/${VERBS[kind]}`, ...call })
  return withSendFaults(core, open, honest)({ msgId: open.prompt.msg_id, kind, body, credentialId })
}

type PromptBook = ReturnType<typeof createPromptBook>

const createPromptBook = (core: PhoneCore, onDue: (open: OpenPrompt) => void) => {
  const alarms = createAlarms(core.ports.clock)
  const busy = new Set<string>()

  const expire = (id: string): void => {
    const open = book.find(id)
    if (open === undefined || busy.has(id) || open.planned?.past_expiry === true) return
    const { screen } = core.record()
    const shown = 'prompt' in screen && screen.prompt?.id === id
    book.finish(id)
    const refusal = refusePhone('expired')
    if (shown) core.fail(refusal, { prompt: open.prompt })
    else core.report('changed', undefined, { word: refusal.word })
  }

  const due = (id: string): void => {
    const open = book.find(id)
    if (open === undefined || busy.has(id)) return
    const { answers_at: _, ...prompt } = open.prompt
    const { planned: __, ...rest } = open
    book.replace(id, { ...rest, prompt })
    onDue({ ...open, prompt })
  }

  const book = {
    find: (id: string): OpenPrompt | undefined => core.record().prompts.find(({ prompt }) => prompt.id === id),
    forMessage: (msgId: string) => core.record().prompts.find(({ prompt }) => prompt.msg_id === msgId),
    add(open: OpenPrompt): void {
      core.set({ prompts: [...core.record().prompts, open], screen: { kind: 'request', prompt: open.prompt } })
      book.arm(open)
    },
    replace(id: string, next: OpenPrompt): void {
      core.set({ prompts: core.record().prompts.map((open) => (open.prompt.id === id ? next : open)) })
    },
    finish(id: string): void {
      alarms.clear(`expire ${id}`)
      alarms.clear(`answer ${id}`)
      core.set({ prompts: core.record().prompts.filter(({ prompt }) => prompt.id !== id) })
    },
    /** Sets the prompt's alarms, at `answers_at` and at the expiry. */
    arm({ prompt }: OpenPrompt): void {
      const { id, answers_at: answersAt } = prompt
      if (answersAt !== undefined) alarms.set(`answer ${id}`, answersAt, () => due(id))
      alarms.set(`expire ${id}`, prompt.expires_at * 1000, () => expire(id))
    },
    later: alarms.set,
    /** True while a prompt is being answered: it then neither expires nor is answered again. */
    isBusy: (id: string) => busy.has(id),
    async whileBusy<T>(id: string, work: () => Promise<T>): Promise<T> {
      busy.add(id)
      try {
        return await work()
      } finally {
        busy.delete(id)
      }
    },
    stop: alarms.clearAll,
  }
  return book
}

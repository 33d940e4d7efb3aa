import type { PhoneFact } from '../../core/contract/events.ts'
import { makeId } from '../../core/protocol/ids.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import type { Millis } from '../../core/protocol/time.ts'
import { approvePrompt, createPromptBook, declineWith, rejectPrompt } from './answer-prompt.ts'
import { strike } from './armed-faults.ts'
import type { Bind, OpenInput } from './attempt-steps.ts'
import { type BoundMessage, parseBoundMessage } from './bound-message.ts'
import { heldUntil } from './faulty-answer.ts'
import { bindBendsOf, bindDelay } from './faulty-bind.ts'
import type { PhoneCore } from './phone-core.ts'
import type { OpenPrompt, PlannedAnswer, StruckFault } from './phone-record.ts'
import { type PhoneRefusal, problemOf, refusePhone } from './phone-refusal.ts'
import {
  CREDENTIALS_SHOWN,
  type CredentialStorage,
  type HeldCredential,
  type PhoneState,
  type Prompt,
} from './phone-state.ts'
import { isTransient } from './service-refusal.ts'

type Outcome = Promise<Result<PhoneState, PhoneRefusal>>

/** A phone's prompts, from scan or push to the answer. */
export type Prompts = {
  open(input: OpenInput): Outcome
  approve(id: string, choice?: { readonly storage?: CredentialStorage; readonly delay_ms?: number }): Outcome
  reject(id: string, choice?: { readonly reason?: string }): Outcome
  failFingerprint(id: string): Outcome
  /** Sets the alarms of the record: after start and restore. */
  resume(): void
  /** Cancels the alarms, without a report. */
  stop(): void
}

const openingOf = ({ msgId, cameBy }: OpenInput) =>
  ({ msg_id: msgId, did: cameBy === 'push' ? 'open' : 'scan' }) as const

export const createPrompts = (core: PhoneCore, onOpened: (msgId: string) => void): Prompts => {
  const book = createPromptBook(core, (open) => void core.ports.track(answerByItself(open)))
  const parts = { core, book }
  const opening = new Map<string, Outcome>()
  const done = (): Result<PhoneState, never> => ok(core.view())

  /** A command to one open prompt that is not being answered yet. */
  const withPrompt = async (id: string, command: (open: OpenPrompt) => Outcome): Outcome => {
    const open = book.find(id)
    if (open === undefined) return err(refusePhone('no_such_prompt'))
    if (book.isBusy(id)) return err(refusePhone('busy'))
    const ready = core.ready()
    if (ready.ok) return command(open)
    return err(core.fail(ready.error, { screen: problemOf(ready.error, open.prompt) }))
  }

  const failFingerprint = (id: string): Outcome =>
    withPrompt(id, async (open) => {
      const prompt = { ...open.prompt, fingerprint_failures: open.prompt.fingerprint_failures + 1 }
      book.replace(id, { ...open, prompt })
      const word = 'fingerprint_failed'
      core.show({ kind: 'request', prompt, note: word })
      core.tell('changed', undefined, { word })
      return done()
    })

  const failuresLeft = ({ prompt }: OpenPrompt): number =>
    (core.record().behaviour.fingerprint_failures ?? 0) - prompt.fingerprint_failures

  const approve = (id: string, storage?: CredentialStorage): Outcome =>
    withPrompt(id, async (open) => {
      if (failuresLeft(open) > 0) return failFingerprint(id)
      const held = heldUntil(open, core.ports.clock.now())
      if (held !== undefined) {
        const act = { msg_id: open.prompt.msg_id, did: 'approve', waits: true } as const
        return answerAt(held.open, held.time, { planned: { answer: 'approve', past_expiry: true }, act })
      }
      return book.whileBusy(id, () =>
        approvePrompt(parts, open, storage ?? open.prompt.storage ?? core.record().storage),
      )
    })

  const reject = (id: string, reason?: string): Outcome =>
    withPrompt(id, (open) => book.whileBusy(id, () => rejectPrompt(parts, open, reason)))

  /** Without a person: the finger again and again until it is recognised. */
  const answerByItself = async ({ prompt, planned, ...open }: OpenPrompt): Outcome => {
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
    core.tell('changed', undefined, act === undefined ? {} : { act })
    book.arm(next)
    return done()
  }

  /** The automatic reaction to a new prompt, as the phone's behaviour sets it. */
  const react = async (open: OpenPrompt): Outcome => {
    const { answer, delay_ms: ms = 0, reason } = core.record().behaviour
    if (answer === 'ask' || answer === 'ignore') return done()
    const planned: PlannedAnswer = { answer, ...(reason === undefined ? {} : { reason }) }
    return ms > 0 ? answerAt(open, core.ports.clock.now() + ms, { planned }) : answerByItself({ ...open, planned })
  }

  const openOnce = async (input: OpenInput, struck: readonly StruckFault[]): Outcome => {
    const act = openingOf(input)
    const opened = await openMessage(core, input, struck)
    // A push that could not be opened without a network stays.
    if (opened.ok || !isTransient(opened.error)) onOpened(input.msgId)
    if (!opened.ok) return err(core.fail(opened.error, { act }))
    if (opened.value.kind === 'decline') return declineWith(core, opened.value.prompt, opened.value.refusal)
    const { open } = opened.value
    book.add(open)
    core.tell('asked', open.prompt.rp.name, { act })
    return react(open)
  }

  /** One prompt, however many scans and pushes of the message run at the same time. */
  const openShared = (input: OpenInput, struck: readonly StruckFault[]): Outcome => {
    const already = opening.get(input.msgId)
    if (already !== undefined) return already
    const work = openOnce(input, struck).finally(() => opening.delete(input.msgId))
    opening.set(input.msgId, work)
    return work
  }

  return {
    async open(input) {
      const ready = core.ready()
      if (!ready.ok) return err(core.fail(ready.error))
      const known = book.forMessage(input.msgId)
      if (known !== undefined) {
        if (!book.isBusy(known.prompt.id)) core.show({ kind: 'request', prompt: known.prompt })
        return done()
      }
      const struck = strike(core, 'message', input)
      const now = core.ports.clock.now()
      const ms = bindDelay(struck, { expiresAt: input.expiresAt, now })
      if (ms === undefined) return openShared(input, struck)
      core.tell('changed', undefined, { act: { ...openingOf(input), waits: true } })
      book.later(`bind ${input.msgId}`, now + ms, () => void core.ports.track(openShared(input, struck)))
      return done()
    },
    approve: async (id, { storage, delay_ms: ms = 0 } = {}) => {
      if (ms <= 0) return approve(id, storage)
      return withPrompt(id, async (open) => {
        const prompt = { ...open.prompt, ...(storage === undefined ? {} : { storage }) }
        return answerAt({ ...open, prompt }, core.ports.clock.now() + ms, { planned: { answer: 'approve' } })
      })
    },
    reject: (id, { reason } = {}) => reject(id, reason),
    failFingerprint,
    resume: () => core.record().prompts.forEach(book.arm),
    stop: book.stop,
  }
}

/** A message that is bound to this phone: to be asked, or to be declined because the phone cannot answer it. */
type Opened =
  | { readonly kind: 'prompt'; readonly open: OpenPrompt }
  | { readonly kind: 'decline'; readonly prompt: Prompt; readonly refusal: PhoneRefusal }

/** The account's credentials that fit the request; reads the cloud if the chip alone cannot decide. */
const fittingCredentials = async (
  core: PhoneCore,
  { rp, public_key: asked }: BoundMessage,
): Promise<Result<readonly HeldCredential[], PhoneRefusal>> => {
  const listed = asked.kind === 'registration' ? asked.options.excludeCredentials : asked.options.allowCredentials
  const ids = new Set(listed?.map(({ id }) => id))
  const fits = (): readonly HeldCredential[] =>
    core.keyring.list().filter(({ id, rp_id }) => rp_id === rp.id && (ids.size === 0 || ids.has(id)))
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

const promptOf = (core: PhoneCore, input: OpenInput, bound: BoundMessage): Prompt => ({
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

/** Binds the message and reads its request. */
const openMessage = async (
  core: PhoneCore,
  input: OpenInput,
  struck: readonly StruckFault[],
): Promise<Result<Opened, PhoneRefusal>> => {
  const bound = await bindMessage(core, input, struck)
  if (!bound.ok) return bound
  const prompt = promptOf(core, input, bound.value)
  if (prompt.origin === '') return ok({ kind: 'decline', prompt, refusal: refusePhone('no_origin') })
  const credentials = await fittingCredentials(core, bound.value)
  if (!credentials.ok) return credentials
  if (prompt.kind === 'registration') {
    return ok({ kind: 'prompt', open: { prompt, public_key: bound.value.public_key, struck } })
  }
  if (credentials.value.length === 0) {
    return ok({ kind: 'decline', prompt, refusal: refusePhone('no_matching_credential') })
  }
  const asked = { ...prompt, credentials: credentials.value.slice(-CREDENTIALS_SHOWN) }
  return ok({ kind: 'prompt', open: { prompt: asked, public_key: bound.value.public_key, struck } })
}

/** Binds the message to this phone; faults of this attempt may change the call. */
const bindMessage = (
  core: PhoneCore,
  input: OpenInput,
  struck: readonly StruckFault[],
): Promise<Result<BoundMessage, PhoneRefusal>> => {
  const honest: Bind = async () => {
    const answer = await core.call({ method: 'POST', path: `/messages/${input.msgId}/bind`, body: {} })
    if (!answer.ok) return answer
    const bound = parseBoundMessage(answer.value.data)
    return bound.ok
      ? ok(bound.value)
      : err(refusePhone('garbled', { reason: { code: 'message_lacks', params: { member: bound.error } } }))
  }
  const bends = bindBendsOf(core, input, struck)
  return bends.reduce<Bind>((next, bend) => bend(next), honest)()
}

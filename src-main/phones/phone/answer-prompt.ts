import type { PhoneFact } from '../../core/contract/events.ts'
import { wordOf } from '../../core/contract/judge/failure-words.ts'
import type { MessageKind } from '../../core/protocol/message-address.ts'
import { ok, type Result } from '../../core/protocol/result.ts'
import type { CancelAlarm, Millis } from '../../core/protocol/time.ts'
import { prepareAnswer } from './answer.ts'
import type { AppAnswer } from './app-client.ts'
import type { Send } from './attempt-steps.ts'
import { bendsOf } from './faulty-answer.ts'
import type { PhoneCore } from './phone-core.ts'
import type { OpenPrompt, PreparedAnswer } from './phone-record.ts'
import { type PhoneRefusal, problemOf, refusePhone } from './phone-refusal.ts'
import type { CredentialStorage, PhoneState, Prompt } from './phone-state.ts'
import { isTransient } from './service-refusal.ts'

type Outcome = Promise<Result<PhoneState, PhoneRefusal>>
type Parts = { readonly core: PhoneCore; readonly book: PromptBook }

/** The phone cannot answer and reports that to the service, so that the site need not wait. */
export const declineWith = async (core: PhoneCore, prompt: Prompt, refusal: PhoneRefusal): Outcome => {
  const path = `/messages/${prompt.msg_id}/reject`
  const sent = await core.call({ method: 'POST', path, body: { reason: refusal.word } })
  const { word, reason } = refusal
  core.show({ kind: 'refused', prompt, word, ...(reason === undefined ? {} : { reason }) })
  const act = { msg_id: prompt.msg_id, did: 'decline' } as const
  core.tell('answered', undefined, { act, word: sent.ok ? word : sent.error.word })
  return ok(core.view())
}

type Act = NonNullable<PhoneFact['act']>

const approving = ({ msg_id, kind }: Prompt, storage: CredentialStorage): Act => ({
  msg_id,
  did: 'approve',
  ...(kind === 'registration' ? { storage } : {}),
})

const rejecting = ({ msg_id }: Prompt): Act => ({ msg_id, did: 'reject' })

type Failed = { readonly prompt: Prompt; readonly act: Act; readonly refusal: PhoneRefusal }

const fail = (core: PhoneCore, { prompt, act, refusal }: Failed): Result<never, PhoneRefusal> => ({
  ok: false,
  error: core.fail(refusal, { screen: problemOf(refusal, prompt), act }),
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

const hearVerdict = async (
  { core, book }: Parts,
  prompt: Prompt,
  answer: PreparedAnswer,
  data: Readonly<Record<string, unknown>>,
): Outcome => {
  const act = approving(prompt, answer.storage)
  if (data.status === 'success') {
    book.finish(prompt.id)
    rememberAnswer(core, answer)
    core.show({ kind: 'success', prompt, credential_id: answer.credential_id })
    core.tell('answered', undefined, { act })
    return ok(core.view())
  }
  await undo(core, answer)
  book.finish(prompt.id)
  const word = (typeof data.error === 'string' ? wordOf(data.error) : '') || 'not_accepted'
  core.show({ kind: 'refused', prompt, word })
  core.tell('answered', undefined, { act, word })
  return ok(core.view())
}

/** The finger was recognised: sign, send, read the verdict. An answer signed before is sent again unchanged. */
export const approvePrompt = async (parts: Parts, open: OpenPrompt, storage: CredentialStorage): Outcome => {
  const { core, book } = parts
  const { prompt } = open
  let { answer } = open
  const act = approving(prompt, storage)
  if (answer === undefined) {
    core.show({ kind: 'working', prompt, doing: 'signing' })
    core.tell('changed')
    const prepared = await core.exclusive(() => prepareAnswer(core, open, storage))
    if (!prepared.ok) {
      // Trouble with the cloud is temporary; a refusal of the authenticator is final.
      if (prepared.error.by !== 'authenticator') return fail(core, { prompt, act, refusal: prepared.error })
      book.finish(prompt.id)
      return declineWith(core, prompt, prepared.error)
    }
    answer = prepared.value
    book.replace(prompt.id, { ...open, answer })
  }
  core.show({ kind: 'working', prompt, doing: 'sending' })
  core.tell('changed')
  const sent = await upload(core, open, answer)
  if (sent.ok) return hearVerdict(parts, prompt, answer, sent.value.data)
  if (isTransient(sent.error)) {
    // Any fault has been applied by now: the next try is an honest one.
    book.replace(prompt.id, { ...open, answer, struck: [] })
    return fail(core, { prompt, act, refusal: sent.error })
  }
  book.finish(prompt.id)
  await undo(core, answer)
  return fail(core, { prompt, act, refusal: sent.error })
}

export const rejectPrompt = async ({ core, book }: Parts, { prompt }: OpenPrompt, reason?: string): Outcome => {
  const path = `/messages/${prompt.msg_id}/reject`
  const sent = await core.call({ method: 'POST', path, body: reason === undefined ? {} : { reason } })
  if (!sent.ok) {
    if (!isTransient(sent.error)) book.finish(prompt.id)
    return fail(core, { prompt, act: rejecting(prompt), refusal: sent.error })
  }
  book.finish(prompt.id)
  core.show({ kind: 'refused', prompt, word: reason ?? 'user_rejected' })
  core.tell('answered', undefined, { act: rejecting(prompt), word: 'user_rejected' })
  return ok(core.view())
}

const VERBS = { registration: 'attestation', authentication: 'assertion' } as const satisfies Record<
  MessageKind,
  string
>

/** Sends the answer to the message's path; faults of this attempt may change the call. */
const upload = (
  core: PhoneCore,
  open: OpenPrompt,
  { kind, body, credential_id: credentialId }: PreparedAnswer,
): Promise<Result<AppAnswer, PhoneRefusal>> => {
  const honest: Send = ({ msgId, kind, credentialId: _, ...call }) =>
    core.call({ method: 'POST', path: `/messages/${msgId}/${VERBS[kind]}`, ...call })
  const send = bendsOf(core, open).reduce<Send>((next, bend) => bend(next), honest)
  return send({ msgId: open.prompt.msg_id, kind, body, credentialId })
}

/** A phone's open prompts, and the alarms that end or answer them. */
type PromptBook = {
  find(id: string): OpenPrompt | undefined
  forMessage(msgId: string): OpenPrompt | undefined
  /** Takes it in and shows it. */
  add(open: OpenPrompt): void
  replace(id: string, open: OpenPrompt): void
  /** The prompt has ended, with any outcome. */
  finish(id: string): void
  /** Rings at `answers_at`, and at the expiry. */
  arm(open: OpenPrompt): void
  /** While it is being answered it neither expires nor is answered a second time. */
  isBusy(id: string): boolean
  whileBusy<T>(id: string, work: () => Promise<T>): Promise<T>
  /** Some other alarm of the prompts. */
  later(key: string, time: Millis, ring: () => void): void
  stop(): void
}

export const createPromptBook = (core: PhoneCore, onDue: (open: OpenPrompt) => void): PromptBook => {
  const alarms = new Map<string, CancelAlarm>()
  const busy = new Set<string>()

  const setAlarm = (key: string, time: Millis, ring: () => void): void => {
    alarms.get(key)?.()
    const cancel = core.ports.clock.at(time, () => {
      alarms.delete(key)
      ring()
    })
    alarms.set(key, cancel)
  }

  const clearAlarm = (key: string): void => {
    alarms.get(key)?.()
    alarms.delete(key)
  }

  const expire = (id: string): void => {
    const open = book.find(id)
    if (open === undefined || busy.has(id) || open.planned?.past_expiry === true) return
    const { screen } = core.record()
    const shown = 'prompt' in screen && screen.prompt?.id === id
    book.finish(id)
    const refusal = refusePhone('expired')
    if (shown) core.fail(refusal, { screen: problemOf(refusal, open.prompt) })
    else core.tell('changed', undefined, { word: refusal.word })
  }

  const due = (id: string): void => {
    const open = book.find(id)
    if (open === undefined || busy.has(id)) return
    const { answers_at: _, ...prompt } = open.prompt
    const { planned, ...rest } = open
    book.replace(id, { ...rest, prompt })
    onDue({ ...open, prompt, ...(planned === undefined ? {} : { planned }) })
  }

  const book: PromptBook = {
    find: (id) => core.record().prompts.find(({ prompt }) => prompt.id === id),
    forMessage: (msgId) => core.record().prompts.find(({ prompt }) => prompt.msg_id === msgId),
    add(open) {
      core.set({ prompts: [...core.record().prompts, open], screen: { kind: 'request', prompt: open.prompt } })
      book.arm(open)
    },
    replace(id, next) {
      core.set({ prompts: core.record().prompts.map((open) => (open.prompt.id === id ? next : open)) })
    },
    finish(id) {
      clearAlarm(`expire ${id}`)
      clearAlarm(`answer ${id}`)
      core.set({ prompts: core.record().prompts.filter(({ prompt }) => prompt.id !== id) })
    },
    arm({ prompt }) {
      const { id, answers_at: answersAt } = prompt
      if (answersAt !== undefined) setAlarm(`answer ${id}`, answersAt, () => due(id))
      setAlarm(`expire ${id}`, prompt.expires_at * 1000, () => expire(id))
    },
    later: setAlarm,
    isBusy: (id) => busy.has(id),
    async whileBusy(id, work) {
      busy.add(id)
      try {
        return await work()
      } finally {
        busy.delete(id)
      }
    },
    stop() {
      for (const cancel of alarms.values()) cancel()
      alarms.clear()
    },
  }
  return book
}

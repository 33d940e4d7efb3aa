import type { CancelAlarm } from '../protocol/clock.ts'
import { makeId } from '../protocol/ids.ts'
import type { MessageAddress } from '../protocol/message-address.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import { prepareAnswer } from './answer.ts'
import { type BoundMessage, parseBoundMessage } from './bound-message.ts'
import type { PhoneCore } from './phone-core.ts'
import type { OpenPrompt, PlannedAnswer, PreparedAnswer } from './phone-record.ts'
import { type PhoneRefusal, refusePhone } from './phone-refusal.ts'
import type { CredentialStorage, HeldCredential, PhoneState, Prompt } from './phone-state.ts'
import { isTransient } from './service-refusal.ts'

type Outcome = Promise<Result<PhoneState, PhoneRefusal>>

export type OpenInput = {
  readonly address: Pick<MessageAddress, 'msgId'>
  readonly url: string
  readonly cameBy: Prompt['came_by']
}

/** What a phone is asked, from scan or push to the answer. */
export type Prompts = {
  open(input: OpenInput): Outcome
  approve(id: string, choice?: { readonly storage?: CredentialStorage; readonly delay_ms?: number }): Outcome
  reject(id: string, choice?: { readonly reason?: string }): Outcome
  failFingerprint(id: string): Outcome
  /** Alarms as they stand in the record: after start and restore. */
  resume(): void
  /** Alarms off, nothing told. */
  stop(): void
}

export const createPrompts = (core: PhoneCore): Prompts => {
  const { ports } = core
  const alarms = new Map<string, CancelAlarm>()
  const busy = new Set<string>()

  const find = (id: string): OpenPrompt | undefined => core.record().prompts.find(({ prompt }) => prompt.id === id)
  const done = (): Result<PhoneState, never> => ok(core.view())
  const refuse = (refusal: PhoneRefusal) => err(refusal)

  const replace = (id: string, next: OpenPrompt | undefined): void => {
    const prompts = core.record().prompts.flatMap((open) => (open.prompt.id === id ? (next ?? []) : open))
    core.set({ prompts })
  }

  const setAlarm = (key: string, time: number, ring: () => void): void => {
    alarms.get(key)?.()
    alarms.set(
      key,
      ports.clock.at(time, () => {
        alarms.delete(key)
        ring()
      }),
    )
  }

  const clearAlarms = (id: string): void => {
    for (const key of [`expire ${id}`, `answer ${id}`]) {
      alarms.get(key)?.()
      alarms.delete(key)
    }
  }

  const isOnScreen = (id: string): boolean => {
    const { screen } = core.record()
    return 'prompt' in screen && screen.prompt?.id === id
  }

  /** The prompt is over, however it went. */
  const finish = (id: string): void => {
    clearAlarms(id)
    replace(id, undefined)
  }

  const expire = (id: string): void => {
    const open = find(id)
    if (open === undefined || busy.has(id)) return
    const shown = isOnScreen(id)
    finish(id)
    const refusal = refusePhone('expired')
    if (shown) core.fail(refusal, { kind: 'problem', ...refusal, prompt: open.prompt })
    else core.tell('changed', refusal.text)
  }

  const armAlarms = ({ prompt }: OpenPrompt): void => {
    setAlarm(`expire ${prompt.id}`, prompt.expires_at * 1000, () => expire(prompt.id))
    if (prompt.answers_at !== undefined)
      setAlarm(`answer ${prompt.id}`, prompt.answers_at, () => answerByItself(prompt.id))
  }

  const answerByItself = (id: string): void => {
    const open = find(id)
    if (open === undefined) return
    const { answers_at: _, ...prompt } = open.prompt
    const { planned, ...rest } = open
    replace(id, { ...rest, prompt })
    void ports.track(planned?.answer === 'reject' ? rejectNow(id, planned) : approvePatiently(id))
  }

  /** The finger again and again until it is recognised. */
  const approvePatiently = async (id: string): Outcome => {
    for (;;) {
      const outcome = await approveNow(id, {})
      const open = find(id)
      const again = outcome.ok && open !== undefined && core.record().screen.kind === 'request'
      if (!again) return outcome
    }
  }

  const delay = (open: OpenPrompt, ms: number, planned: PlannedAnswer): Result<PhoneState, never> => {
    const prompt: Prompt = { ...open.prompt, answers_at: ports.clock.now() + ms }
    const next: OpenPrompt = { ...open, prompt, planned }
    replace(prompt.id, next)
    core.show({ kind: 'request', prompt })
    armAlarms(next)
    core.tell('changed')
    return done()
  }

  /** What the phone's own behaviour makes of a prompt that just came up. */
  const react = async (open: OpenPrompt): Outcome => {
    const { answer, delay_ms: ms = 0, reason } = core.record().behaviour
    const { id } = open.prompt
    if (answer === 'ask' || answer === 'ignore') return done()
    const planned: PlannedAnswer = { answer, ...(reason === undefined ? {} : { reason }) }
    if (ms > 0) return delay(open, ms, planned)
    return answer === 'reject' ? rejectNow(id, planned) : approvePatiently(id)
  }

  const matching = async (bound: BoundMessage): Promise<Result<readonly HeldCredential[], PhoneRefusal>> => {
    const { public_key: asked } = bound
    const listed =
      asked.kind === 'registration' ? asked.options.excludeCredentials : (asked.options.allowCredentials ?? [])
    const ids = new Set(listed?.map(({ id }) => id))
    const fits = (): readonly HeldCredential[] =>
      core.keyring.list().filter(({ id, rp_id }) => rp_id === bound.rp.id && (ids.size === 0 || ids.has(id)))
    const mustLook =
      asked.kind === 'registration'
        ? [...ids].some((id) => core.keyring.storageOf(id) === undefined)
        : !fits().some(({ storage }) => storage === 'chip')
    if (mustLook) {
      const looked = await core.exclusive(() => core.keyring.refresh())
      if (!looked.ok) return looked
    }
    return ok(asked.kind === 'registration' ? [] : fits())
  }

  const promptOf = (input: OpenInput, bound: BoundMessage, origin: string): Prompt => ({
    id: makeId('prompt', core.random('prompt')),
    msg_id: input.address.msgId,
    url: input.url,
    kind: bound.kind,
    came_by: input.cameBy,
    rp: bound.rp,
    user: bound.user,
    credential_name: bound.credential_name,
    expires_at: bound.expires_at,
    origin,
    ...(bound.kind === 'registration' ? { storage: core.record().behaviour.storage ?? core.record().storage } : {}),
    fingerprint_failures: 0,
  })

  const open = async (input: OpenInput): Outcome => {
    const ready = core.ready()
    if (!ready.ok) return refuse(core.fail(ready.error))
    const { msgId } = input.address
    const already = core.record().prompts.find(({ prompt }) => prompt.msg_id === msgId)
    if (already !== undefined) {
      if (!busy.has(already.prompt.id)) core.show({ kind: 'request', prompt: already.prompt })
      return done()
    }
    core.set({ notifications: core.record().notifications.filter(({ msg_id }) => msg_id !== msgId) })
    const answer = await core.call({ method: 'POST', path: `/messages/${msgId}/bind`, body: {} })
    if (!answer.ok) return refuse(core.fail(answer.error))
    const bound = parseBoundMessage(answer.value.data)
    if (!bound.ok) return refuse(core.fail(refusePhone('garbled', { detail: bound.error })))

    const [origin] = bound.value.rp.origins
    const prompt = promptOf(input, bound.value, origin ?? '')
    if (origin === undefined) return declineWith(prompt, refusePhone('no_origin'))
    const credentials = await matching(bound.value)
    if (!credentials.ok) return refuse(core.fail(credentials.error))
    if (prompt.kind === 'authentication' && credentials.value.length === 0) {
      return declineWith(prompt, refusePhone('no_matching_credential'))
    }
    const next: OpenPrompt = {
      prompt: prompt.kind === 'authentication' ? { ...prompt, credentials: credentials.value } : prompt,
      public_key: bound.value.public_key,
      struck: [],
    }
    core.set({ prompts: [...core.record().prompts, next], screen: { kind: 'request', prompt: next.prompt } })
    armAlarms(next)
    core.tell('asked', next.prompt.rp.name)
    return react(next)
  }

  /** The phone cannot answer, and says so to the service: the site need not wait. */
  const declineWith = async (prompt: Prompt, refusal: PhoneRefusal): Outcome => {
    const sent = await core.call({
      method: 'POST',
      path: `/messages/${prompt.msg_id}/reject`,
      body: { reason: refusal.word },
    })
    core.show({ kind: 'refused', prompt, word: refusal.word, text: refusal.text })
    core.tell('answered', sent.ok ? refusal.text : `${refusal.text} ${sent.error.text}`)
    return done()
  }

  const failFingerprint = async (id: string): Outcome => {
    const open = find(id)
    if (open === undefined) return refuse(refusePhone('no_such_prompt'))
    if (busy.has(id)) return refuse(refusePhone('busy'))
    const prompt = { ...open.prompt, fingerprint_failures: open.prompt.fingerprint_failures + 1 }
    replace(id, { ...open, prompt })
    const { text } = refusePhone('fingerprint_failed')
    core.show({ kind: 'request', prompt, note: text })
    core.tell('changed', text)
    return done()
  }

  const approveNow = async (id: string, choice: { readonly storage?: CredentialStorage }): Outcome => {
    const open = find(id)
    if (open === undefined) return refuse(refusePhone('no_such_prompt'))
    if (busy.has(id)) return refuse(refusePhone('busy'))
    const ready = core.ready()
    if (!ready.ok) return refuse(core.fail(ready.error, { kind: 'problem', ...ready.error, prompt: open.prompt }))
    if (open.prompt.fingerprint_failures < (core.record().behaviour.fingerprint_failures ?? 0))
      return failFingerprint(id)
    busy.add(id)
    try {
      return await answerWith(open, choice.storage ?? open.prompt.storage ?? core.record().storage)
    } finally {
      busy.delete(id)
    }
  }

  const answerWith = async (open: OpenPrompt, storage: CredentialStorage): Outcome => {
    const { prompt } = open
    let answer = open.answer
    if (answer === undefined) {
      core.show({ kind: 'working', prompt, doing: 'signing' })
      core.tell('changed')
      const prepared = await core.exclusive(() => prepareAnswer(core, open, storage))
      if (!prepared.ok) return cannotAnswer(prompt, prepared.error)
      answer = prepared.value
      replace(prompt.id, { ...open, answer })
    }
    core.show({ kind: 'working', prompt, doing: 'sending' })
    core.tell('changed')
    const sent = await core.call({
      method: 'POST',
      path: `/messages/${prompt.msg_id}/${answer.kind === 'registration' ? 'attestation' : 'assertion'}`,
      body: answer.body,
    })
    if (sent.ok) return hearVerdict(prompt, answer, sent.value.data)
    const screen = { kind: 'problem', ...sent.error, prompt } as const
    if (isTransient(sent.error)) return refuse(core.fail(sent.error, screen))
    finish(prompt.id)
    await undo(answer)
    return refuse(core.fail(sent.error, screen))
  }

  const cannotAnswer = async (prompt: Prompt, refusal: PhoneRefusal): Outcome => {
    // The cloud's troubles pass; what the authenticator refuses it refuses for good.
    if (isTransient(refusal) || refusal.code !== undefined || refusal.word.startsWith('vault_')) {
      return refuse(core.fail(refusal, { kind: 'problem', ...refusal, prompt }))
    }
    finish(prompt.id)
    return declineWith(prompt, refusal)
  }

  /** A credential that the service did not take is no use to anybody. */
  const undo = async (answer: PreparedAnswer): Promise<void> => {
    if (answer.kind === 'registration') await core.exclusive(() => core.keyring.discard(answer.credential_id))
  }

  const hearVerdict = async (
    prompt: Prompt,
    answer: PreparedAnswer,
    data: Readonly<Record<string, unknown>>,
  ): Outcome => {
    finish(prompt.id)
    if (data.status === 'success') {
      const text =
        prompt.kind === 'registration' ? `${prompt.rp.name} knows you now.` : `You are signed in to ${prompt.rp.name}.`
      core.show({ kind: 'success', prompt, text, credential_id: answer.credential_id })
      core.tell('answered', text)
      return done()
    }
    await undo(answer)
    const [word = 'not_accepted', ...rest] = String(data.error ?? '').split(': ')
    const text = rest.length === 0 ? refusePhone('not_accepted').text : rest.join(': ')
    core.show({ kind: 'refused', prompt, word, text })
    core.tell('answered', text)
    return done()
  }

  const rejectNow = async (id: string, { reason }: { readonly reason?: string }): Outcome => {
    const open = find(id)
    if (open === undefined) return refuse(refusePhone('no_such_prompt'))
    if (busy.has(id)) return refuse(refusePhone('busy'))
    const { prompt } = open
    const ready = core.ready()
    if (!ready.ok) return refuse(core.fail(ready.error, { kind: 'problem', ...ready.error, prompt }))
    busy.add(id)
    const sent = await core.call({
      method: 'POST',
      path: `/messages/${prompt.msg_id}/reject`,
      body: reason === undefined ? {} : { reason },
    })
    busy.delete(id)
    if (!sent.ok) {
      if (!isTransient(sent.error)) finish(id)
      return refuse(core.fail(sent.error, { kind: 'problem', ...sent.error, prompt }))
    }
    finish(id)
    const refusal = refusePhone('user_rejected')
    core.show({ kind: 'refused', prompt, word: reason ?? refusal.word, text: refusal.text })
    core.tell('answered', refusal.text)
    return done()
  }

  return {
    open,
    approve: async (id, choice = {}) => {
      const found = find(id)
      if (choice.delay_ms === undefined || choice.delay_ms <= 0 || found === undefined) return approveNow(id, choice)
      const { storage = found.prompt.storage } = choice
      const prompt = { ...found.prompt, ...(storage === undefined ? {} : { storage }) }
      return delay({ ...found, prompt }, choice.delay_ms, { answer: 'approve' })
    },
    reject: (id, choice = {}) => rejectNow(id, choice),
    failFingerprint,
    resume: () => core.record().prompts.forEach(armAlarms),
    stop() {
      for (const cancel of alarms.values()) cancel()
      alarms.clear()
    },
  }
}

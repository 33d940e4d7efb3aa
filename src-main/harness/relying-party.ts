import { isPassingRefusal } from '../contract/passing-refusal.ts'
import type { CancelAlarm, Clock } from '../protocol/clock.ts'
import type { MessageKind } from '../protocol/message-address.ts'
import { isFinal, type MessageState } from '../protocol/message-state.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import type { Millis } from '../protocol/time.ts'
import type {
  AuthenticationRequest,
  AuthenticationResult,
  Message,
  RegistrationRequest,
  RegistrationResult,
  RpClient,
  RpRefusal,
} from '../sdk/rp.ts'

export type Polling = {
  /** Ask for the result until it is final; true by default. */
  readonly poll?: boolean
  /** Real time between two polls; a second by default. */
  readonly interval_ms?: number
}

/** What the RP knows of one of its requests: only what it read over signed HTTP. */
export type Attempt = {
  readonly msg_id: string
  readonly rp: string
  readonly ceremony: MessageKind
  readonly method: 'qrcode' | 'push' | null
  readonly user_id: string
  readonly username: string
  readonly url: string
  /** Unix seconds. */
  readonly expires_at: number
  readonly started_at: Millis
  readonly status: MessageState
  readonly svc_user: string
  readonly error: string
  readonly verified_user_id: string
  readonly polls: number
  readonly polling: boolean
  readonly refusal: { readonly code: number; readonly error: string } | null
}

/** A relying party of the bench: it signs and speaks HTTP like any other. */
export type RelyingParty = {
  register(client: RpClient, request: RegistrationRequest, polling: Polling): Promise<Result<Attempt, RpRefusal>>
  signIn(client: RpClient, request: AuthenticationRequest, polling: Polling): Promise<Result<Attempt, RpRefusal>>
  /** Asks for the result once, now; undefined when there is no such attempt. */
  poll(msgId: string): Promise<Attempt | undefined>
  /** Newest first. */
  attempts(): readonly Attempt[]
  attempt(msgId: string): Attempt | undefined
  stop(): void
}

export type RelyingPartyOptions = {
  readonly rp: string
  readonly clock: Clock
  /** Polls go by real time: an RP knows nothing of the bench's clock. */
  readonly real: Clock
}

const MOST_ATTEMPTS = 200
const DEFAULT_INTERVAL_MS = 1000

/** After these the result may still come. */
const isPassing = ({ code }: RpRefusal): boolean => code === 0 || isPassingRefusal(code)

type Entry = { attempt: Attempt; readonly client: RpClient; cancel: CancelAlarm | undefined }

export const createRelyingParty = ({ rp, clock, real }: RelyingPartyOptions): RelyingParty => {
  const entries = new Map<string, Entry>()

  const keep = (entry: Entry): void => {
    entries.set(entry.attempt.msg_id, entry)
    for (const [msgId, oldest] of entries) {
      if (entries.size <= MOST_ATTEMPTS) return
      oldest.cancel?.()
      entries.delete(msgId)
    }
  }

  const pollOnce = async (entry: Entry): Promise<Attempt> => {
    const { attempt, client } = entry
    const answer =
      attempt.ceremony === 'registration'
        ? await client.registrationResult(attempt.msg_id)
        : await client.authenticationResult(attempt.msg_id)
    entry.attempt = afterPoll(entry.attempt, answer)
    return entry.attempt
  }

  const pollOn = (entry: Entry, interval: number): void => {
    entry.cancel = real.at(real.now() + interval, async () => {
      const attempt = await pollOnce(entry)
      // Stopped or forgotten while the answer was on its way.
      if (entries.get(attempt.msg_id) !== entry) return
      if (attempt.polling) pollOn(entry, interval)
    })
  }

  const begin = (
    client: RpClient,
    message: Message,
    about: Pick<Attempt, 'ceremony' | 'method' | 'user_id' | 'username'>,
    { poll = true, interval_ms = DEFAULT_INTERVAL_MS }: Polling,
  ): Attempt => {
    const attempt: Attempt = {
      ...message,
      ...about,
      rp,
      started_at: clock.now(),
      status: 'init',
      svc_user: '',
      error: '',
      verified_user_id: '',
      polls: 0,
      polling: poll,
      refusal: null,
    }
    const entry: Entry = { attempt, client, cancel: undefined }
    keep(entry)
    if (poll) pollOn(entry, interval_ms)
    return attempt
  }

  return {
    register: async (client, request, polling) => {
      const message = await client.register(request)
      if (!message.ok) return err(message.error)
      const { user_id, username } = request
      return ok(begin(client, message.value, { ceremony: 'registration', method: null, user_id, username }, polling))
    },
    signIn: async (client, request, polling) => {
      const message = await client.authenticate(request)
      if (!message.ok) return err(message.error)
      return ok(begin(client, message.value, { ceremony: 'authentication', ...request }, polling))
    },
    poll: async (msgId) => {
      const entry = entries.get(msgId)
      return entry === undefined ? undefined : pollOnce(entry)
    },
    attempts: () => [...entries.values()].map(({ attempt }) => attempt).reverse(),
    attempt: (msgId) => entries.get(msgId)?.attempt,
    stop: () => {
      for (const entry of entries.values()) entry.cancel?.()
      entries.clear()
    },
  }
}

const afterPoll = (attempt: Attempt, answer: Result<RegistrationResult | AuthenticationResult, RpRefusal>): Attempt => {
  const polls = attempt.polls + 1
  if (!answer.ok) {
    const { code, error } = answer.error
    return { ...attempt, polls, polling: attempt.polling && isPassing(answer.error), refusal: { code, error } }
  }
  const { status, svc_user, error } = answer.value
  const verified = 'user_id' in answer.value ? answer.value.user_id : ''
  const polling = attempt.polling && !isFinal(status)
  return { ...attempt, polls, polling, status, svc_user, error, verified_user_id: verified, refusal: null }
}

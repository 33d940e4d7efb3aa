import type { Body } from '../../core/contract/control/routes.ts'
import type { attemptState } from '../../core/contract/control/simulator-routes.ts'
import { isTransientRefusal } from '../../core/contract/errors.ts'
import type { DecisionFact } from '../../core/contract/events.ts'
import { entriesOfUser, findListProblem, isMessageAddress } from '../../core/contract/rp/believable-answer.ts'
import type { RpCare } from '../../core/contract/rp-care.ts'
import type { ValueOf } from '../../core/contract/schema.ts'
import { isObject, type JsonObject } from '../../core/protocol/json.ts'
import type { MessageKind } from '../../core/protocol/message-address.ts'
import { isFinal } from '../../core/protocol/message-state.ts'
import { err, ok, orNothing, type Result } from '../../core/protocol/result.ts'
import type { RpClientProblem } from '../../core/protocol/rp-client-problems.ts'
import type { CancelAlarm, Clock, Millis } from '../../core/protocol/time.ts'
import type {
  AuthenticationRequest,
  AuthenticationResult,
  Message,
  RegistrationRequest,
  RegistrationResult,
  RpAnswer,
  RpClient,
  RpRefusal,
} from '../../sdk/rp-client.ts'

type Polling = { readonly [K in 'poll' | 'interval_ms']?: Body<'simulator.register'>[K] | undefined }

/** The RP's decision on a faulty answer. Without a `msg_id` the RP refused to begin. */
export type FaultyAnswerDecision = Omit<DecisionFact, 'kind' | 'rp_id'> & { readonly rp: string }

export type RelyingParty = ReturnType<typeof createRelyingParty>

export type RelyingPartyOptions = {
  readonly rp: string
  readonly clock: Clock
  /** Polls follow real time: an RP does not know the bench's clock. */
  readonly real: Clock
  /** Prefix that message addresses must have; undefined if another service makes them. */
  readonly addressBase: () => string | undefined
  readonly onOdd: (decision: FaultyAnswerDecision) => void
}

const MAX_ATTEMPTS = 200
const DEFAULT_INTERVAL_MS = 1000

/** A careless RP gives up this long after the expiry; a working service reports the timeout earlier. */
const LEEWAY_MS = 60_000

/** Longest time that a careful RP waits for a result: the next poll may return it. */
const PATIENCE_MS = 5000

type Entry = {
  attempt: Attempt
  readonly client: RpClient
  /** The user's credentials when a careful RP began a registration that it polls for. */
  readonly before: ReadonlySet<string> | undefined
  memory: CarelessMemory
  /** The decision on a registration that the service calls a success but whose credential is not listed yet. */
  unconfirmed?: RpDecision
  cancel: CancelAlarm | undefined
}

/** A relying party of the bench: it signs and speaks HTTP like any other. */
export const createRelyingParty = ({ rp, clock, real, addressBase, onOdd }: RelyingPartyOptions) => {
  const entries = new Map<string, Entry>()
  let care: RpCare = 'careful'
  let skew = 0

  const keep = (entry: Entry): void => {
    entries.set(entry.attempt.msg_id, entry)
    for (const [msgId, oldest] of entries) {
      if (entries.size <= MAX_ATTEMPTS) return
      oldest.cancel?.()
      entries.delete(msgId)
    }
  }

  const decide = (entry: Entry, answer: RpAnswer | undefined) => {
    const right = entry.unconfirmed ?? decideCarefully(entry.attempt, answer)
    if (entry.attempt.care === 'careful') return { decision: right, right }
    const { decision, memory } = decideCarelessly(entry.attempt, answer, entry.memory, real.now())
    entry.memory = memory
    skew = memory.skew ?? skew
    return { decision, right }
  }

  /** A careful RP believes a registration once its credential is listed. Undefined while the list cannot be read. */
  const confirmed = async ({ attempt, client, before }: Entry, result: RpDecision): Promise<RpDecision | undefined> => {
    if (result.made !== 'success' || before === undefined) return result
    const listed = ownCredentials(await client.credentials(attempt.user_id), attempt.user_id)
    if (!listed.ok) return undefined
    const isNew = listed.value.list.some(({ credential_id }) => !before.has(credential_id))
    return isNew ? result : { made: 'refused', doubt: 'not_stored' }
  }

  const pollOnce = async (entry: Entry): Promise<Attempt> => {
    const { attempt } = entry
    const isCareless = attempt.care === 'careless'
    if (isCareless && (entry.memory.quietUntil ?? 0) > real.now()) return attempt
    if (isCareless && attempt.made === 'waits' && clock.now() > attempt.expires_at * 1000 + LEEWAY_MS) {
      entry.attempt = { ...attempt, polls: attempt.polls + 1, polling: false, made: 'timeout' }
      onOdd({ made: 'timeout', msg_id: attempt.msg_id, care: attempt.care, rp })
      return entry.attempt
    }
    const { answer, raw } = entry.unconfirmed === undefined ? await read(entry) : { answer: undefined, raw: undefined }
    const { decision, right } = decide(entry, raw)
    const believed = await confirmed(entry, decision)
    if (believed === undefined) entry.unconfirmed = decision
    const made = believed ?? WAITS
    const isDone = attempt.made !== 'waits'
    entry.attempt = afterPoll(entry.attempt, { answer, decision: made, isUnconfirmed: entry.unconfirmed !== undefined })
    const isEarly = made.made === 'timeout' && clock.now() < attempt.expires_at * 1000
    const isOdd = made.made === 'refused' || made.made !== right.made || made.account !== right.account
    if (!isDone && made.made !== 'waits' && (isOdd || isEarly)) {
      onOdd({ ...made, msg_id: attempt.msg_id, care: attempt.care, rp })
    }
    return entry.attempt
  }

  const read = async ({ attempt, client }: Entry) => {
    let raw = undefined as RpAnswer | undefined
    const onAnswer = (answer: RpAnswer): void => {
      raw = answer
    }
    const asked: Promise<Read> =
      attempt.ceremony === 'registration'
        ? client.registrationResult(attempt.msg_id, onAnswer)
        : client.authenticationResult(attempt.msg_id, onAnswer)
    const answer = await (attempt.care === 'careful' ? inTime(real, asked) : asked)
    return { answer, raw }
  }

  const pollOn = (entry: Entry, interval: number): void => {
    entry.cancel = real.at(real.now() + interval, async () => {
      const attempt = await pollOnce(entry)
      // The attempt was stopped or forgotten while the answer was on its way.
      if (entries.get(attempt.msg_id) !== entry) return
      if (attempt.polling) pollOn(entry, interval)
    })
  }

  const begin = (
    client: RpClient,
    asked: Result<Message, RpRefusal>,
    about: Pick<Attempt, 'ceremony' | 'method' | 'user_id' | 'username'>,
    { poll = true, interval_ms = DEFAULT_INTERVAL_MS }: Polling,
    before?: ReadonlySet<string>,
  ): Result<Attempt, RpRefusal> => {
    if (!asked.ok) return asked
    // A careful RP shows no code that leads elsewhere.
    const problem = care === 'careless' ? undefined : unusableAddress(asked.value, addressBase())
    if (problem !== undefined) {
      onOdd({ made: 'refused', doubt: 'address', care, rp })
      return err(problem)
    }
    const attempt: Attempt = {
      ...asked.value,
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
      care,
      made: 'waits',
      account: '',
      doubt: null,
    }
    const entry: Entry = { attempt, client, before, memory: NEW_MEMORY, cancel: undefined }
    keep(entry)
    if (poll) pollOn(entry, interval_ms)
    return ok(attempt)
  }

  return {
    register: async (client: RpClient, { poll, interval_ms, ...request }: RegistrationRequest & Polling) => {
      const before = poll === false || care === 'careless' ? undefined : await heldBy(client, request.user_id)
      const { user_id, username } = request
      const about = { ceremony: 'registration', method: null, user_id, username } as const
      return begin(client, await client.register(request), about, { poll, interval_ms }, before)
    },
    signIn: async (client: RpClient, { poll, interval_ms, ...request }: AuthenticationRequest & Polling) => {
      const about = { ceremony: 'authentication', ...request } as const
      return begin(client, await client.authenticate(request), about, { poll, interval_ms })
    },
    /** Asks for the result once, now; undefined when there is no such attempt. */
    poll: async (msgId: string): Promise<Attempt | undefined> => {
      const entry = entries.get(msgId)
      return entry === undefined ? undefined : pollOnce(entry)
    },
    credentials: async (client: RpClient, userId: string): Promise<Listed> => {
      const listed = await client.credentials(userId)
      return care === 'careful' ? ownCredentials(listed, userId) : listed
    },
    remove: (client: RpClient, what: Parameters<RpClient['deleteCredentials']>[0]) =>
      care === 'careful' ? removedCredentials(client, what) : client.deleteCredentials(what),
    care: (): RpCare => care,
    become: (wanted: RpCare): void => {
      care = wanted
      skew = 0
    },
    /** The offset of the clock by which the RP signs: a careless RP adopts the service's clock. */
    skew: (): Millis => skew,
    attempt: (msgId: string): Attempt | undefined => entries.get(msgId)?.attempt,
    stop: (): void => {
      for (const entry of entries.values()) entry.cancel?.()
      entries.clear()
    },
  }
}

const heldBy = async (client: RpClient, userId: string): Promise<ReadonlySet<string>> => {
  const listed = await client.credentials(userId)
  return new Set(listed.ok ? listed.value.list.map(({ credential_id }) => credential_id) : [])
}

/** An answer that comes later than PATIENCE_MS counts as missing. */
const inTime = (real: Clock, asked: Promise<Read>): Promise<Read> => {
  const late = Promise.withResolvers<Read>()
  const cancel = real.at(real.now() + PATIENCE_MS, () => late.resolve(err(LATE)))
  return Promise.race([asked, late.promise]).finally(cancel)
}

const LATE: RpRefusal = { code: 0, httpStatus: 0, error: '', data: {} }

/** Follows docs/interface/relying-party.md: an unbelievable answer is not a result, and a wrong success is refused. */
const decideCarefully = (asked: Asked, answer: RpAnswer | undefined): RpDecision => {
  const envelope = answer === undefined ? undefined : parseStrictly(answer.body)
  if (!isObject(envelope) || !Number.isInteger(envelope.code)) return WAITS
  if (envelope.code !== 0) return isTransientRefusal(Number(envelope.code)) ? WAITS : { made: 'fail' }
  if (answer?.httpStatus !== 200 || !isObject(envelope.data)) return WAITS
  const { status } = envelope.data
  if (status === 'fail' || status === 'timeout') return { made: status }
  return status === 'success' ? judged(asked, envelope.data) : WAITS
}

const judged = ({ ceremony, user_id }: Asked, { user_id: named, svc_user, error = '' }: JsonObject): RpDecision => {
  if (ceremony === 'authentication' && named !== user_id) {
    return typeof named === 'string' && named !== ''
      ? { made: 'refused', doubt: 'other_user', named }
      : { made: 'refused', doubt: 'no_user' }
  }
  if (typeof svc_user !== 'string' || svc_user === '') return { made: 'refused', doubt: 'unscanned' }
  if (error !== '') return { made: 'refused', doubt: 'error_with_success' }
  return { made: 'success', account: user_id }
}

type Listed = Awaited<ReturnType<RpClient['credentials']>>

type Unfit = Extract<RpClientProblem, { readonly code: 'answer_unfit' }>

const unfit = (params: Unfit['params'], data: unknown): RpRefusal => ({
  code: 0,
  httpStatus: 200,
  error: '',
  data,
  problem: { code: 'answer_unfit', params },
})

/** The refusal of an address that is not this service's or names no message. */
const unusableAddress = (message: Message, base: string | undefined): RpRefusal | undefined => {
  if (isMessageAddress(message.url, base)) return undefined
  const expected = base === undefined ? 'http(s)://…/m#…' : `${base}/m#…`
  return unfit({ field: 'url', expected, got: message.url }, message)
}

/** The user's own credentials, each once; a list that contradicts itself is refused. */
const ownCredentials = (listed: Listed, userId: string): Listed => {
  if (!listed.ok) return listed
  const { list } = listed.value
  const problem = findListProblem(listed.value)
  if (problem !== undefined) return err(unfit(problem, listed.value))
  const own = entriesOfUser(list, userId)
  return ok({ ...listed.value, total: own.length, list: own })
}

/** Compares the lists before and after: the service's answer proves nothing. */
const removedCredentials = async (client: RpClient, what: Parameters<RpClient['deleteCredentials']>[0]) => {
  const before = await client.credentials(what.user_id)
  if (!before.ok) return before
  const deleted = await client.deleteCredentials(what)
  if (!deleted.ok) return deleted
  const after = await client.credentials(what.user_id)
  if (!after.ok) return after
  const holds = (listed: typeof after.value, id: string) =>
    listed.list.some(({ credential_id }) => credential_id === id)
  const gone = what.credential_ids.filter((id) => holds(before.value, id) && !holds(after.value, id))
  return ok({ total: gone.length })
}

/** JSON in UTF-8 in which no object has a member twice; undefined for anything else. */
const parseStrictly = (bytes: Uint8Array): unknown =>
  orNothing(() => {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    let members = 0
    const value: unknown = JSON.parse(text, (_, each) => {
      if (isObject(each)) members += Object.keys(each).length
      return each
    })
    // The parsed value has a repeated member once, but the text has it twice.
    const written = text.match(/"(?:[^"\\]|\\.)*"(?:\s*:)?/g) ?? []
    return written.filter((each) => each.endsWith(':')).length === members ? value : undefined
  })

/** A careless RP's memory of the service's answers, besides the result. */
type CarelessMemory = {
  /** The last state that the service reported to the RP. */
  readonly seen: 'init' | 'bind'
  /** Earliest time of the next poll, in milliseconds of real time, because of max-age or Retry-After. */
  readonly quietUntil?: number
  readonly skew?: number
}

const NEW_MEMORY: CarelessMemory = { seen: 'init' }

/** An RP that works with a correct service, and believes every answer. */
const decideCarelessly = (asked: Asked, answer: RpAnswer | undefined, before: CarelessMemory, now: number) => {
  if (answer === undefined) return { decision: BROKE, memory: before }
  const memory = { ...before, ...timesIn(answer, now) }
  try {
    return { memory: { ...memory, seen: seenIn(answer, memory) }, decision: believed(asked, answer, memory) }
  } catch {
    // For a missing member or invalid JSON, the RP's page shows HTTP 500.
    return { decision: BROKE, memory }
  }
}

const BROKE: RpDecision = { made: 'broke' }
const ALREADY_READ = 41001
const TOO_MANY = 42901

const header = ({ headers }: RpAnswer, wanted: string): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1]

const timesIn = (answer: RpAnswer, now: number): Omit<CarelessMemory, 'seen'> => {
  const date = Date.parse(header(answer, 'date') ?? '')
  const age = /max-age=(\d+)/.exec(header(answer, 'cache-control') ?? '')?.[1]
  const later = answer.httpStatus === 429 ? (header(answer, 'retry-after') ?? '1') : age
  // A smaller difference is only the delay of the answer.
  const skew = Number.isNaN(date) || Math.abs(date - now) < 5000 ? 0 : date - now
  return { skew, ...(later === undefined ? {} : { quietUntil: now + Number(later) * 1000 }) }
}

const dataIn = ({ body }: RpAnswer): JsonObject => JSON.parse(Buffer.from(body).toString('utf8')).data

const seenIn = (answer: RpAnswer, { seen }: CarelessMemory): CarelessMemory['seen'] => {
  const status: unknown = dataIn(answer)?.status
  return status === 'init' || status === 'bind' ? status : seen
}

const believed = ({ ceremony, user_id }: Asked, answer: RpAnswer, { seen, quietUntil }: CarelessMemory): RpDecision => {
  if (header(answer, 'content-type') !== 'application/json; charset=utf-8') return BROKE
  const envelope = JSON.parse(Buffer.from(answer.body).toString('utf8'))
  const success = (named: unknown): RpDecision => ({
    made: 'success',
    account: ceremony === 'authentication' && named ? String(named) : user_id,
  })
  if (answer.httpStatus >= 400 && envelope.code) {
    // The result was read already, so a careless RP assumes a success.
    if (envelope.code === ALREADY_READ) return success(undefined)
    if (envelope.code !== TOO_MANY) return { made: 'fail' }
    return Number.isNaN(quietUntil) ? BROKE : WAITS
  }
  const { status, user_id: named } = envelope.data
  if (status === 'init' && seen === 'bind') return BROKE
  if (named) return success(named)
  if (status === 'init' || status === 'bind') return WAITS
  return status === 'fail' || status === 'timeout' ? { made: status } : success(undefined)
}

/** The RP's view of one of its requests, read only over signed HTTP. */
export type Attempt = ValueOf<typeof attemptState>

/** After these refusals the result may still come. */
const isPassing = ({ code }: RpRefusal): boolean => code === 0 || isTransientRefusal(code)

type Read = Result<RegistrationResult | AuthenticationResult, RpRefusal>

type Polled = { readonly answer: Read | undefined; readonly decision: RpDecision; readonly isUnconfirmed: boolean }

const afterPoll = (attempt: Attempt, { answer, decision, isUnconfirmed }: Polled): Attempt => {
  const { made, account = '', doubt = null } = attempt.made === 'waits' ? decision : attempt
  const after = { ...attempt, polls: attempt.polls + 1, made, account, doubt }
  const goesOn = attempt.polling && made === 'waits'
  if (answer === undefined) return { ...after, polling: goesOn }
  if (!answer.ok) {
    const { code, error } = answer.error
    return { ...after, polling: goesOn && isPassing(answer.error), refusal: { code, error } }
  }
  const { status, svc_user, error } = answer.value
  const verified = 'user_id' in answer.value ? answer.value.user_id : ''
  const polling = goesOn && (isUnconfirmed || !isFinal(status))
  return { ...after, polling, status, svc_user, error, verified_user_id: verified, refusal: null }
}

type Asked = { readonly ceremony: MessageKind; readonly user_id: string }

type RpDecision = Pick<DecisionFact, 'made' | 'account' | 'doubt' | 'named'>

const WAITS: RpDecision = { made: 'waits' }

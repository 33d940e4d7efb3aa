import { isTransientRefusal } from '../core/contract/errors.ts'
import type { RpData } from '../core/contract/rp/routes.ts'
import { isFinal } from '../core/protocol/message-state.ts'
import type { Result } from '../core/protocol/result.ts'
import { type RpClientProblem, rpProblemText } from '../core/protocol/rp-client-problems.ts'
import { HandsetError } from './errors.ts'
import { pause, realNow } from './real-time.ts'
import {
  type AuthenticationRequest,
  type AuthenticationResult,
  createRpClient,
  type Message,
  type RegistrationRequest,
  type RegistrationResult,
  type RpClientOptions,
  type RpRefusal,
} from './rp-client.ts'
import type { SigningKey } from './sign-request.ts'

export type RpOptions = SigningKey & Pick<RpClientOptions, 'baseUrl' | 'ca' | 'timeoutMs'>

export type Polling = {
  /** Time between two polls; a second by default. The first poll is sent without delay. */
  readonly intervalMs?: number
  /** Ends the polling; the result can still be read later. */
  readonly signal?: AbortSignal
}

/** One registration or sign-in that an RP requested. */
export type RpMessage<R> = Message & {
  /** The result, once it is final: `success`, `fail` or `timeout`. The service reports the first two once. */
  result(polling?: Polling): Promise<R>
  /** Like `result`, but throws ResultError unless it is `success`. */
  verified(polling?: Polling): Promise<R>
}

/** A complete RP client: signs, sends, and polls until there is a result. */
export type Rp = ReturnType<typeof createRp>

const DEFAULT_INTERVAL_MS = 1000
/** Polling gives up after this long without a usable answer. */
const PATIENCE_MS = 30_000

export const createRp = (options: RpOptions) => {
  const client = createRpClient({ ...options, now: realNow })

  const messageOf = <R extends RegistrationResult | AuthenticationResult>(
    message: Message,
    ask: (msgId: string) => Promise<Result<R, RpRefusal>>,
  ): RpMessage<R> => {
    const { msg_id } = message
    const result = (polling: Polling = {}): Promise<R> => poll(() => ask(msg_id), polling)
    const verified = async (polling?: Polling): Promise<R> => {
      const came = await result(polling)
      if (came.status !== 'success') throw new ResultError(msg_id, came)
      return came
    }
    return { ...message, result, verified }
  }

  return {
    register: async (request: RegistrationRequest): Promise<RpMessage<RegistrationResult>> =>
      messageOf(orThrow(await client.register(request)), client.registrationResult),
    signIn: async (request: AuthenticationRequest): Promise<RpMessage<AuthenticationResult>> =>
      messageOf(orThrow(await client.authenticate(request)), client.authenticationResult),
    credentials: async (userId: string): Promise<RpData<'credentials.list'>['list']> =>
      orThrow(await client.credentials(userId)).list,
    /** Returns the number of deleted credentials. */
    deleteCredentials: async (user_id: string, credential_ids: readonly string[]) =>
      orThrow(await client.deleteCredentials({ user_id, credential_ids })).total,
    /** Signs and sends any call: `send('GET', '/rp/credentials?user_id=1')`. */
    send: async (method: string, pathAndQuery: string, body?: unknown): Promise<unknown> =>
      orThrow(await client.send(method, pathAndQuery, body)),
    /** Closes its connections. */
    close: client.close,
  }
}

const poll = async <R extends { readonly status: RegistrationResult['status'] }>(
  ask: () => Promise<Result<R, RpRefusal>>,
  { intervalMs = DEFAULT_INTERVAL_MS, signal }: Polling,
): Promise<R> => {
  let answered = realNow()
  for (;;) {
    signal?.throwIfAborted()
    const answer = await ask()
    if (answer.ok && isFinal(answer.value.status)) return answer.value
    if (answer.ok) answered = realNow()
    else if (!isPassing(answer.error) || realNow() - answered > PATIENCE_MS) throw new RpError(answer.error)
    await pause(intervalMs, signal)
  }
}

const isPassing = ({ code }: RpRefusal): boolean => code === 0 || isTransientRefusal(code)

const orThrow = <T>(answer: Result<T, RpRefusal>): T => {
  if (!answer.ok) throw new RpError(answer.error)
  return answer.value
}

/** The service refused a request of the RP. The code is the envelope's, or 0 without an answer. */
export class RpError extends HandsetError<number> {
  override readonly name = 'RpError'
  readonly httpStatus: number
  /** The client's own diagnosis, a code with values: the difference in the signature, or why no answer came. */
  readonly problem: RpClientProblem | undefined

  constructor({ problem, ...refusal }: RpRefusal) {
    const more = problem === undefined || refusal.code === 0 ? '' : ` ${rpProblemText(problem)}`
    super({ ...refusal, error: `${refusal.error}${more}` })
    this.httpStatus = refusal.httpStatus
    this.problem = problem
  }
}

/** A result is not the success that was expected. The code is `timeout`, or the machine word of the failure. */
export class ResultError extends HandsetError<string> {
  override readonly name = 'ResultError'
  readonly came: RegistrationResult | AuthenticationResult

  constructor(msgId: string, came: RegistrationResult | AuthenticationResult) {
    const word = came.status === 'fail' ? (came.error.split(':')[0] ?? '') : came.status
    const why = came.status === 'fail' ? `failed: ${came.error}` : 'expired before it was answered.'
    super({ code: word, error: `The message ${msgId} ${why}`, data: came })
    this.came = came
  }
}

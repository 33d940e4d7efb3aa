import { Agent } from 'node:http'
import { type AgentOptions, Agent as TlsAgent } from 'node:https'
import type { Refusal, RpClientProblem } from '../../core/contract/errors.ts'
import type { EventDraft, ExchangeFact } from '../../core/contract/events.ts'
import type { Result } from '../../core/protocol/result.ts'
import type { Clock, Millis } from '../../core/protocol/time.ts'
import { createRpClient, type RpClient } from '../../sdk/rp-client.ts'
import type { SignedRequest, SigningKey } from '../../sdk/sign-request.ts'
import { createRelyingParty, type OddDecision, type RelyingParty } from './rp-simulator.ts'
import { type RawAnswer, type RawCall, sendRaw } from './sign-again.ts'

export type RelyingPartiesOptions = {
  readonly baseUrl: (workspace: string) => string
  readonly tls?: AgentOptions | undefined
  readonly clock: (workspace: string) => Clock
  readonly real: Clock
  /** The time that X-Svc-Date shows. */
  readonly signingTime: (workspace: string) => Millis | Promise<Millis>
  readonly calls: SimulatedCalls
  /** The beginning of the addresses that the service makes; undefined if another service makes them. */
  readonly addressBase: (workspace: string) => string | undefined
  readonly onOdd: (workspace: string, decision: OddDecision) => void
  readonly traceparent?: () => string | undefined
  /** An active access key of the RP. */
  readonly keyOf: (workspace: string, rp: string) => Promise<Result<SigningKey, Refusal>>
}

export type ClientChoice = {
  readonly form: 'general' | 'short'
  /** Recorded in the events of the client's calls. */
  readonly askedBy: string
}

/** Each is made when it first acts. */
export type RelyingParties = {
  of(workspace: string, rp: string): RelyingParty
  /** A client that signs with the RP's key; connections are kept. */
  clientFor(workspace: string, rp: string, as: ClientChoice): Promise<Result<RpClient, Refusal>>
  keyOf(workspace: string, rp: string): Promise<Result<SigningKey, Refusal>>
  signingTime(workspace: string): Promise<Millis>
  /** Sends a request that was built elsewhere, but only to the bench's own service. */
  sendAgain(workspace: string, call: RawCall, resent: Resending): Promise<Result<RawAnswer, RpClientProblem>>
  /** Marks a phone's next answer to this message as a repeat. Returns a function that cancels this. */
  expectAnswer(workspace: string, msgId: string, resent: Resending): () => void
  signedAs(workspace: string, signature: string): SignedRequest | undefined
  forget(workspace: string): void
  close(): void
}

export type Resending = { readonly marks: Marks; readonly onCame: (requestId: string) => void }

const MOST_REFUSED = 50
const PATIENCE_MS = 30_000
const MOST_BYTES = 8 * 1024 * 1024

export const createRelyingParties = (options: RelyingPartiesOptions): RelyingParties => {
  const { tls } = options
  const parties = new Map<string, Map<string, RelyingParty>>()
  // One for all workspaces: they call the same service, and a new connection for each costs more than its calls.
  const agent = tls === undefined ? new Agent({ keepAlive: true }) : new TlsAgent({ keepAlive: true, ...tls })
  const refused = new Map<string, readonly SignedRequest[]>()

  const keepRefused = (workspace: string, signed: SignedRequest): void => {
    refused.set(workspace, [...(refused.get(workspace) ?? []), signed].slice(-MOST_REFUSED))
  }

  const forget = (workspace: string): void => {
    for (const party of parties.get(workspace)?.values() ?? []) party.stop()
    parties.delete(workspace)
    refused.delete(workspace)
  }

  const of = (workspace: string, rp: string): RelyingParty =>
    inner(parties, workspace, rp, () =>
      createRelyingParty({
        rp,
        clock: options.clock(workspace),
        real: options.real,
        addressBase: () => options.addressBase(workspace),
        onOdd: (decision) => options.onOdd(workspace, decision),
      }),
    )

  return {
    of,
    clientFor: async (workspace, rp, { form, askedBy }) => {
      const key = await options.keyOf(workspace, rp)
      if (!key.ok) return key
      const { accessKeyId, secretKey } = key.value
      const client = createRpClient({
        accessKeyId,
        secretKey,
        form,
        agent,
        ...(options.traceparent === undefined ? {} : { traceparent: options.traceparent }),
        baseUrl: options.baseUrl(workspace),
        now: async () => (await options.signingTime(workspace)) + of(workspace, rp).skew(),
        onSigned: ({ headers }) =>
          options.calls.announce(workspace, { authorization: authorizationIn(headers), marks: { asked_by: askedBy } }),
        onMismatch: (signed) => keepRefused(workspace, signed),
      })
      return { ok: true, value: client }
    },
    keyOf: options.keyOf,
    signingTime: async (workspace) => options.signingTime(workspace),
    sendAgain: (workspace, call, resent) => {
      const { method, target, headers } = call
      options.calls.announce(workspace, { authorization: authorizationIn(headers), method, target, ...resent })
      const url = new URL(options.baseUrl(workspace))
      return sendRaw(call, { url, agent, patienceMs: PATIENCE_MS, mostBytes: MOST_BYTES })
    },
    expectAnswer: (workspace, msgId, resent) => options.calls.announceAnswer(workspace, { msgId, ...resent }),
    signedAs: (workspace, signature) => refused.get(workspace)?.find((signed) => signed.signature === signature),
    forget,
    close: () => {
      for (const workspace of [...parties.keys()]) forget(workspace)
      agent.destroy()
    },
  }
}

const authorizationIn = (headers: SignedRequest['headers']): string =>
  headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1] ?? ''

const inner = <V>(maps: Map<string, Map<string, V>>, outer: string, key: string, make: () => V): V => {
  const map = maps.get(outer) ?? new Map<string, V>()
  maps.set(outer, map)
  const value = map.get(key) ?? make()
  map.set(key, value)
  return value
}

/** Facts about a simulated call that the service cannot know, for its event. */
type Marks = Pick<ExchangeFact, 'asked_by' | 'resent'>

/** Recognises an RP's call when it arrives; without a signature, by its request line. */
type RpCall = { readonly authorization: string; readonly method?: string; readonly target?: string }

type Announced = {
  readonly marks: Marks
  /** Gets the id of the request, before its event is recorded. */
  readonly onCame?: (requestId: string) => void
}

/** Marks the calls that the bench itself made to the service, with the caller it made them for. */
type SimulatedCalls = {
  announce(workspace: string, call: RpCall & Announced): void
  /** A phone is about to answer this message. Returns a function that cancels. */
  announceAnswer(workspace: string, answer: { readonly msgId: string } & Announced): () => void
  mark(workspace: string, draft: EventDraft): EventDraft
}

/** Most announced calls to wait for: a call that never reaches the service would wait forever. */
const MOST_WAITING = 1_000

export const createSimulatedCalls = (): SimulatedCalls => {
  // Two requests of one second can carry the same signature, and each is announced.
  const waiting = new Map<string, readonly Announced[]>()

  const add = (key: string, announced: Announced): void => {
    waiting.set(key, [...(waiting.get(key) ?? []), announced])
    for (const oldest of waiting.keys()) {
      if (waiting.size <= MOST_WAITING) break
      waiting.delete(oldest)
    }
  }

  return {
    announce: (workspace, { marks, onCame, ...call }) => add(keyOfCall(workspace, call), { marks, ...heard(onCame) }),
    announceAnswer: (workspace, { msgId, marks, onCame }) => {
      const key = keyOfAnswer(workspace, msgId)
      add(key, { marks, ...heard(onCame) })
      return () => void waiting.delete(key)
    },
    mark: (workspace, draft) => {
      if (waiting.size === 0 || draft.kind !== 'exchange') return draft
      const key = keyOfDraft(workspace, draft)
      const [announced, ...rest] = (key && waiting.get(key)) || []
      if (key === undefined || announced === undefined) return draft
      if (rest.length === 0) waiting.delete(key)
      else waiting.set(key, rest)
      announced.onCame?.(draft.request.id)
      return { ...draft, ...announced.marks }
    },
  }
}

const heard = (onCame: Announced['onCame']) => (onCame === undefined ? {} : { onCame })

const keyOfAnswer = (workspace: string, msgId: string): string => `${workspace} answer ${msgId}`

/** An event shows an Authorization header only if it is a signature. */
const keyOfCall = (workspace: string, { authorization, method, target }: RpCall): string =>
  `${workspace} ${authorization.startsWith('SVC-') ? authorization : `${method} ${target}`}`

const keyOfDraft = (workspace: string, draft: Extract<EventDraft, { kind: 'exchange' }>): string | undefined => {
  const { request, msg_id: msgId } = draft
  if (draft.interface === 'app') {
    const isAnswer = msgId !== undefined && /\/(attestation|assertion)$/.test(request.route ?? '')
    return isAnswer ? keyOfAnswer(workspace, msgId) : undefined
  }
  const { method, target } = request
  const header = request.headers.find(([name]) => name.toLowerCase() === 'authorization')
  return keyOfCall(workspace, { authorization: header?.[1] ?? '', method, target })
}

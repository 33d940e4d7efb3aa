import { Agent } from 'node:http'
import { type AgentOptions, Agent as TlsAgent } from 'node:https'
import type { Refusal, RpClientProblem } from '../../core/contract/errors.ts'
import type { Result } from '../../core/protocol/result.ts'
import type { Clock, Millis } from '../../core/protocol/time.ts'
import { createRpClient, type RpClient } from '../../sdk/rp.ts'
import type { SignedRequest, SigningKey } from '../../sdk/sign-request.ts'
import { createRelyingParty, type OddDecision, type RelyingParty } from './relying-party.ts'
import { type RawAnswer, type RawCall, sendRaw } from './send-raw.ts'
import type { Marks, SimulatedCalls } from './simulated-calls.ts'

export type RelyingPartiesOptions = {
  readonly baseUrl: (workspace: string) => string
  /** How the service is known, when it speaks https. */
  readonly tls?: AgentOptions | undefined
  readonly clock: (workspace: string) => Clock
  readonly real: Clock
  /** The time that X-Svc-Date shows. */
  readonly signingTime: (workspace: string) => Millis | Promise<Millis>
  /** Notified of every call before it is made. */
  readonly calls: SimulatedCalls
  /** Where the addresses begin that the service makes; undefined where another service makes them. */
  readonly addressBase: (workspace: string) => string | undefined
  /** Gets an RP's decision on an answer that is not in order. */
  readonly onOdd: (workspace: string, decision: OddDecision) => void
  /** Trace of the current command. */
  readonly traceparent?: () => string | undefined
  /** An active access key of the RP. */
  readonly keyOf: (workspace: string, rp: string) => Promise<Result<SigningKey, Refusal>>
}

export type ClientChoice = {
  readonly form: 'general' | 'short'
  /** Recorded in the events of the client's calls. */
  readonly askedBy: string
}

/** All simulated RPs of the bench, each made when it first acts. */
export type RelyingParties = {
  of(workspace: string, rp: string): RelyingParty
  /** A client that signs with the RP's key; connections are kept. */
  clientFor(workspace: string, rp: string, as: ClientChoice): Promise<Result<RpClient, Refusal>>
  /** An active access key of the RP. */
  keyOf(workspace: string, rp: string): Promise<Result<SigningKey, Refusal>>
  /** The time by which the RP signs. */
  signingTime(workspace: string): Promise<Millis>
  /** A request that was put together elsewhere, to the bench's own service and nowhere else. */
  sendAgain(workspace: string, call: RawCall, resent: Resending): Promise<Result<RawAnswer, RpClientProblem>>
  /** The next answer of a phone to this message repeats an earlier one. Returns a function that cancels. */
  expectAnswer(workspace: string, msgId: string, resent: Resending): () => void
  /** The request of one of the bench's RPs whose signature the service refused. */
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
  // One for all workspaces: their connections lead to the same place, and a new one for each costs more than its calls.
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

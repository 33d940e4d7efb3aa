import { Agent } from 'node:http'
import { type AgentOptions, Agent as TlsAgent } from 'node:https'
import type { Refusal } from '../../core/contract/errors.ts'
import { ok, type Result } from '../../core/protocol/result.ts'
import type { RpClientProblem } from '../../core/protocol/rp-client-problems.ts'
import type { Clock, Millis } from '../../core/protocol/time.ts'
import { createRpClient, type RpClient } from '../../sdk/rp-client.ts'
import type { SignedRequest, SigningKey } from '../../sdk/sign-request.ts'
import type { CallMarks, RecordedCall, Recorder } from './recorder.ts'
import { createRelyingParty, type FaultyAnswerDecision, type RelyingParty } from './rp-simulator.ts'
import { type RawAnswer, type RawCall, sendRaw } from './sign-again.ts'

type RelyingPartiesOptions = {
  readonly baseUrl: (workspace: string) => string
  readonly tls?: AgentOptions | undefined
  readonly clock: (workspace: string) => Clock
  readonly real: Clock
  /** The time that X-Svc-Date shows. */
  readonly signingTime: (workspace: string) => Promise<Millis>
  readonly recorder: Pick<Recorder, 'announce' | 'announceAnswer'>
  /** The beginning of the addresses that the service makes; undefined if another service makes them. */
  readonly addressBase: (workspace: string) => string | undefined
  readonly onOdd: (workspace: string, decision: FaultyAnswerDecision) => void
  readonly traceparent?: () => string | undefined
  /** An active access key of the RP. */
  readonly keyOf: (workspace: string, rp: string) => Promise<Result<SigningKey, Refusal>>
}

export type ClientChoice = {
  readonly form: 'general' | 'short'
  /** Recorded in the events of the client's calls. */
  readonly askedBy: string
}

export type RelyingParties = ReturnType<typeof createRelyingParties>

export type Resending = { readonly marks: CallMarks; readonly onRecorded: (call: RecordedCall) => void }

const MAX_REFUSED = 50
const PATIENCE_MS = 30_000

export const createRelyingParties = (options: RelyingPartiesOptions) => {
  const { tls, recorder } = options
  const parties = new Map<string, Map<string, RelyingParty>>()
  // All workspaces share one agent: they call the same service, and a new connection costs more than its calls.
  const agent = tls === undefined ? new Agent({ keepAlive: true }) : new TlsAgent({ keepAlive: true, ...tls })
  const refused = new Map<string, readonly SignedRequest[]>()

  const keepRefused = (workspace: string, signed: SignedRequest): void => {
    refused.set(workspace, [...(refused.get(workspace) ?? []), signed].slice(-MAX_REFUSED))
  }

  const forget = (workspace: string): void => {
    for (const party of parties.get(workspace)?.values() ?? []) party.stop()
    parties.delete(workspace)
    refused.delete(workspace)
  }

  /** An RP is made when it first acts. */
  const of = (workspace: string, rp: string): RelyingParty => {
    const own = parties.get(workspace) ?? new Map<string, RelyingParty>()
    parties.set(workspace, own)
    const known = own.get(rp)
    if (known !== undefined) return known
    const made = createRelyingParty({
      rp,
      clock: options.clock(workspace),
      real: options.real,
      addressBase: () => options.addressBase(workspace),
      onOdd: (decision) => options.onOdd(workspace, decision),
    })
    own.set(rp, made)
    return made
  }

  return {
    of,
    /** A client that signs with the RP's key; connections are kept. */
    clientFor: async (
      workspace: string,
      rp: string,
      { form, askedBy }: ClientChoice,
    ): Promise<Result<RpClient, Refusal>> => {
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
        onSigned: ({ headers }) => recorder.announce(workspace, { headers, marks: { asked_by: askedBy } }),
        onMismatch: (signed) => keepRefused(workspace, signed),
      })
      return ok(client)
    },
    keyOf: options.keyOf,
    signingTime: options.signingTime,
    /** Sends a request that was built elsewhere, but only to the bench's own service. */
    sendAgain: (workspace: string, call: RawCall, resent: Resending): Promise<Result<RawAnswer, RpClientProblem>> => {
      recorder.announce(workspace, { ...call, ...resent })
      const url = new URL(options.baseUrl(workspace))
      return sendRaw(call, { base: url, agent, timeoutMs: PATIENCE_MS })
    },
    /** Marks a phone's next answer to this message as a repeat. Returns a function that cancels this. */
    expectAnswer: (workspace: string, msgId: string, resent: Resending): (() => void) =>
      recorder.announceAnswer(workspace, { msgId, ...resent }),
    signedAs: (workspace: string, signature: string): SignedRequest | undefined =>
      refused.get(workspace)?.find((signed) => signed.signature === signature),
    forget,
    close: (): void => {
      for (const workspace of [...parties.keys()]) forget(workspace)
      agent.destroy()
    },
  }
}

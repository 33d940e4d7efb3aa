import type { eventRoutes } from '../../../core/contract/control/event-routes.ts'
import { errors, type Refusal, refuse } from '../../../core/contract/errors.ts'
import { type BenchEvent, type EventOf, isSignatureMismatch } from '../../../core/contract/events.ts'
import type { ValueOf } from '../../../core/contract/schema.ts'
import type { TracedSignature } from '../../../core/contract/trace.ts'
import { en } from '../../../core/messages/en/en.ts'
import { parseAuthorization } from '../../../core/protocol/authorization.ts'
import type { HeaderPair } from '../../../core/protocol/canonical-request.ts'
import { isObject, withoutUndefined } from '../../../core/protocol/json.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import { findHeader } from '../../../http/message.ts'
import { jsonMember } from '../../../views/timeline/json-member.ts'
import type { RecordedCall } from '../../harness/recorder.ts'
import type { Answer, ControlParts } from '../handler.ts'

type Explanation = ValueOf<(typeof eventRoutes)['events.signature']['data']>

export const explainExchange = async (parts: ControlParts, workspace: string, seq: number): Answer<Explanation> => {
  const { recorder, relyingParties, admin } = parts
  const found = findExchange({ recorder }, workspace, seq)
  if (!found.ok) return found
  const event = found.value
  if (event.response.code !== errors.signature_mismatch.code) {
    return err(refuse('wrong_state', { code: 'signature_not_refused', params: { code: event.response.code } }))
  }
  const { method, target, headers, body, body_bytes } = event.request
  const signed = relyingParties.signedAs(workspace, signatureIn(headers))
  const payloadHash = Buffer.byteLength(body) === body_bytes ? undefined : hashInAnswer(event.response.body)
  const explained = await admin.signatures.explain(workspace, {
    ...{ method, target, headers, body },
    ...withoutUndefined({ signed, payloadHash }),
  })
  if (!explained.ok) return explained
  const mistakes = explained.value.mistakes.map((named) => ({ ...named, sentence: en.signingMistakes[named.id] }))
  const { outcome, difference } = explained.value
  const isOpen = outcome === 'unexplained' && difference === undefined
  const well = isOpen ? await signedWell(parts, workspace, event) : undefined
  return ok({ ...explained.value, mistakes, ...(well === undefined ? {} : { signed_well: well }) })
}

const signatureIn = (headers: readonly HeaderPair[]): string => findHeader(headers, 'authorization')?.slice(-64) ?? ''

/** Only the readable part of a binary body is recorded; the service's answer has its hash. */
const hashInAnswer = (answer: string): string | undefined => {
  const data = jsonMember(answer, 'data')
  const canonical = isObject(data) ? data.canonical_request : undefined
  return typeof canonical === 'string' ? canonical.slice(canonical.lastIndexOf('\n') + 1) : undefined
}

/** Older signatures prove nothing: the client may have a new secret. */
const RECENT_MS = 10 * 60_000

/** If the client's earlier signature by the present secret is valid, a changed body is likelier than a wrong secret. */
const signedWell = async (
  { recorder, admin }: Pick<ControlParts, 'recorder' | 'admin'>,
  workspace: string,
  event: Exchange,
): Promise<number | undefined> => {
  const { request, resent } = event
  const authorization = parseAuthorization(findHeader(request.headers, 'authorization') ?? '')
  if (!authorization.ok || authorization.value.form !== 'general' || request.body_bytes === 0) return undefined
  if (resent !== undefined && !KEEPS_SECRET.has(resent.signing)) return undefined
  const { accessKeyId } = authorization.value
  const [good] = recorder.read(workspace, {
    ...{ limit: 1, latest: true, kinds: ['exchange'], mentions: [accessKeyId] },
    matches: (other) =>
      other.kind === 'exchange' &&
      other.seq < event.seq &&
      other.wall > event.wall - RECENT_MS &&
      // Only an exchange with an accepted signature has a scope.
      other.scope !== undefined &&
      other.access_key_id === accessKeyId &&
      (resent === undefined ? isSameClient(other, event) : other.seq === resent.from),
  }).events
  if (good?.kind !== 'exchange') return undefined
  const { method, target, headers, body } = good.request
  const again = await admin.signatures.explain(workspace, { method, target, headers, body })
  return again.ok && again.value.outcome === 'holds' ? good.seq : undefined
}

/** Kinds of resent requests that are not signed with a wrong secret on purpose. */
const KEEPS_SECRET: ReadonlySet<string> = new Set(['kept', 'before_edits'])

/** The RP simulator signs with the key of the RP's own server, so it proves nothing about that server. */
const isSameClient = (one: Exchange, other: Exchange): boolean =>
  one.resent === undefined &&
  (one.asked_by === undefined) === (other.asked_by === undefined) &&
  findHeader(one.request.headers, 'user-agent') === findHeader(other.request.headers, 'user-agent')

export const explainExchanges = async (
  parts: ControlParts,
  workspace: string,
  { events, most }: { readonly events: readonly BenchEvent[]; readonly most: number },
): Promise<readonly TracedSignature[]> => {
  const found: TracedSignature[] = []
  for (const { seq } of events.filter(isSignatureMismatch).slice(-most)) {
    const explained = await explainExchange(parts, workspace, seq)
    // A key or an event may be gone by now.
    if (explained.ok) found.push({ seq, explanation: explained.value })
  }
  return found
}

/** Longest wait after the answer for an event that another process recorded. */
const LATE_MS = 500

/** `recorded` gives undefined if the call was refused before it became an exchange. */
export const awaitExchange = ({ real }: Pick<ControlParts, 'real'>) => {
  const { promise, resolve } = Promise.withResolvers<RecordedCall | undefined>()
  return {
    onRecorded: resolve,
    recorded: (): Promise<RecordedCall | undefined> => {
      const cancel = real.at(real.now() + LATE_MS, () => resolve(undefined))
      return promise.finally(cancel)
    },
  }
}

export type Exchange = EventOf<'exchange'>

export const findExchange = (
  { recorder }: Pick<ControlParts, 'recorder'>,
  workspace: string,
  seq: number,
): Result<Exchange, Refusal> => {
  const [event] = recorder.read(workspace, { after: seq - 1, limit: 1 }).events
  return event?.seq === seq && event.kind === 'exchange'
    ? ok(event)
    : err(refuse('not_found', { code: 'no_exchange', params: { seq: String(seq) } }))
}

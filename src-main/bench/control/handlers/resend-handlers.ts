import type { Data } from '../../../core/contract/control/routes.ts'
import { type resendRoutes, UNNAMED_CALLER } from '../../../core/contract/control/simulator-routes.ts'
import { notFound, type Refusal, refuse } from '../../../core/contract/errors.ts'
import type { BenchEvent, MessageFact } from '../../../core/contract/events.ts'
import { type AnswerEdits, type ResendRequest, UNSENDABLE_HEADERS } from '../../../core/contract/resending.ts'
import { decodeOctets } from '../../../core/protocol/bytes.ts'
import type { HeaderPair } from '../../../core/protocol/canonical-request.ts'
import { isObject, withoutUndefined } from '../../../core/protocol/json.ts'
import { MASK } from '../../../core/protocol/log.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import { isNamed } from '../../../http/message.ts'
import { parseForeignJson } from '../../../http/parse-json.ts'
import type { PhoneState } from '../../../phones/phone/phone-state.ts'
import { type PlainRequest, type SigningKey, signAgain, toRawCall } from '../../harness/sign-again.ts'
import type { Answer, Call, ControlParts, Handlers } from '../handler.ts'
import { toRefusal } from '../leases/lease.ts'
import { awaitExchange, type Exchange, findExchange } from './explain-exchange.ts'
import { beginAttempt } from './simulator-handlers.ts'

export const resendHandlers = (parts: ControlParts): Handlers<keyof typeof resendRoutes> => ({
  'events.answer': (call) => answerAgain(parts, call),
  'events.resend': async ({ workspace, params, body: wanted }) => {
    const { addresses, admin, relyingParties } = parts
    const original = findExchange(parts, workspace, Number(params.seq))
    if (!original.ok) return original
    if (original.value.interface !== 'rp') return err(refuse('wrong_state', { code: 'no_rp_request' }))
    const before = plainOf(original.value)
    const base = new URL(addresses.ownBaseUrl(workspace))
    const after = editedOf({ original: original.value, before, wanted }, base.pathname.replace(/\/$/, ''))
    if (!after.ok) return after
    const { signing: how = 'anew' } = wanted
    const signed = async () => {
      if (how === 'kept') return ok(toRawCall(after.value))
      const key = await keyFor(parts, workspace, { exchange: original.value, id: wanted.access_key_id })
      if (!key.ok) return key
      const profile = await admin.profile.get(workspace)
      if (!profile.ok) return profile
      const now = await relyingParties.signingTime(workspace)
      const skewMs = profile.value.clock_skew_s * 1000
      return signAgain({ before, after: after.value }, { how, key: key.value, host: base.host, now, skewMs })
    }
    const call = await signed()
    if (!call.ok) return call
    const resent = { from: original.value.seq, edited: editsIn(before, after.value), signing: how }
    const { onRecorded, recorded } = awaitExchange(parts)
    const answer = await relyingParties.sendAgain(workspace, call.value, { marks: { resent }, onRecorded })
    const seq = withoutUndefined({ seq: (await recorded())?.seq })
    if (!answer.ok) return ok({ ...seq, status: 0, code: 0, unanswered: answer.error })
    const envelope = parseForeignJson(answer.value.body)
    const code = isObject(envelope) && Number.isSafeInteger(envelope.code) ? Number(envelope.code) : 0
    return ok({ ...seq, status: answer.value.status, code: Math.max(0, code) })
  },
})

/** The recorded request, without the headers of its connection and masked headers. */
const plainOf = ({ request: { method, target, headers, body } }: Exchange): PlainRequest => ({
  method,
  target,
  headers: headers.flatMap(([name, value]): readonly HeaderPair[] =>
    isUnsendable(name) || value === MASK ? [] : [[name, asText(value)]],
  ),
  body,
})

/** Recorded values have one character for each octet. */
const asText = (value: string): string => (/[^\0-\xff]/.test(value) ? value : decodeOctets(value))

const isUnsendable = (name: string): boolean => UNSENDABLE_HEADERS.some((each) => isNamed(name, each))

type Edited = { readonly original: Exchange; readonly before: PlainRequest; readonly wanted: ResendRequest }

const editedOf = ({ original, before, wanted }: Edited, base: string): Result<PlainRequest, Refusal> => {
  const { method = before.method, target = before.target, body } = wanted
  const wrong = wanted.headers?.find(({ name }) => isUnsendable(name))
  if (wrong !== undefined) {
    return err(refuse('invalid_parameter', { code: 'header_not_sendable', params: { name: wrong.name } }))
  }
  // Behind some proxies a dot segment could lead out of the RP interface.
  const path = target.split('?')[0] ?? ''
  if (!path.startsWith(`${base}/rp/`) || /(^|\/)(\.|%2e){1,2}(\/|$)/i.test(path)) {
    return err(refuse('invalid_parameter', { code: 'resend_elsewhere', params: { base } }))
  }
  if (body === undefined && Buffer.byteLength(before.body) !== original.request.body_bytes) {
    return err(refuse('missing_parameter', { code: 'body_not_kept' }, { data: { parameter: 'body' } }))
  }
  const headers = wanted.headers?.map(({ name, value }): HeaderPair => [name, asText(value)]) ?? before.headers
  return ok({ method, target, headers, body: body ?? before.body })
}

const editsIn = (before: PlainRequest, after: PlainRequest): readonly string[] => {
  const partOf = (request: PlainRequest, part: keyof PlainRequest): string =>
    part === 'headers' ? JSON.stringify(request.headers.filter(isOfRequest)) : request[part]
  const parts = ['method', 'target', 'headers', 'body'] as const
  return parts.filter((part) => partOf(before, part) !== partOf(after, part))
}

const isOfRequest = ([name]: HeaderPair): boolean => !isNamed(name, 'authorization') && !isNamed(name, 'x-svc-date')

type Wanted = { readonly exchange: Exchange; readonly id: string | undefined }

/** The named key, or else the request's own if it still exists, or else an active key of its RP. */
const keyFor = async (
  { admin, relyingParties }: ControlParts,
  workspace: string,
  { exchange, id }: Wanted,
): Promise<Result<SigningKey, Refusal>> => {
  for (const wanted of [id, exchange.access_key_id]) {
    if (wanted === undefined) continue
    const key = await admin.accessKeys.reveal(workspace, wanted)
    if (key.ok) return ok({ accessKeyId: key.value.id, secretKey: key.value.secret })
    if (wanted === id) return err(notFound('access_key', wanted))
  }
  const rps = await admin.rps.list(workspace)
  if (!rps.ok) return rps
  const rp = rps.value.find((each) => each.id === exchange.rp_id) ?? rps.value[0]
  return rp === undefined
    ? err(refuse('wrong_state', { code: 'no_active_key' }))
    : relyingParties.keyOf(workspace, rp.id)
}

/**
 * A message can be answered only once, so the RP makes a new request, and the phone edits its answer to it. The phone
 * uses its own keys and the app interface, so the same judge decides.
 */
const answerAgain = async (
  parts: ControlParts,
  { workspace, params, body }: Call<'events.answer'>,
): Answer<Data<'events.answer'>> => {
  const { phones, relyingParties } = parts
  const { edits, signing = 'anew', asked_by: askedBy = UNNAMED_CALLER } = body
  const asked = answeredIn(parts, workspace, Number(params.seq))
  if (!asked.ok) return asked
  const { from, message, phone } = asked.value
  const attempt = await beginAttempt(parts, workspace, { ...message, askedBy })
  if (!attempt.ok) return attempt
  const { msg_id, url } = attempt.value
  const ref = { workspace, phone: phone.id, msg_id }
  const { onRecorded, recorded } = awaitExchange(parts)
  const resent = { from, edited: editsOf(edits), signing }
  const expectNoLonger = relyingParties.expectAnswer(workspace, msg_id, { marks: { resent }, onRecorded })
  const editNoLonger = phones.editAnswer(ref, { edits, signing })
  try {
    const scanned = await phones.scan(ref, { url })
    if (!scanned.ok) return err(toRefusal(scanned.error))
    const prompt = scanned.value.prompts.find((each) => each.msg_id === msg_id)
    if (prompt !== undefined) {
      const approved = await phones.approve({ ...ref, prompt: prompt.id })
      if (!approved.ok && approved.error.code === undefined) return err(toRefusal(approved.error))
    }
    const answered = await recorded()
    if (answered === undefined) return err(refuse('phone_refused', whyNot(phones.get(ref), msg_id)))
    const verdict = verdictOf(parts, workspace, msg_id)
    return ok({
      ...{ msg_id, ...answered },
      ...withoutUndefined({ accepted: verdict?.accepted, failure: verdict?.failure }),
    })
  } finally {
    editNoLonger?.()
    expectNoLonger()
  }
}

type Asked = { readonly from: number; readonly message: MessageFact; readonly phone: PhoneState }

const answeredIn = (parts: ControlParts, workspace: string, seq: number): Result<Asked, Refusal> => {
  const original = findExchange(parts, workspace, seq)
  if (!original.ok) return original
  const { interface: side, request, msg_id, device_id } = original.value
  if (side !== 'app' || msg_id === undefined || !/\/(attestation|assertion)$/.test(request.route ?? '')) {
    return err(refuse('wrong_state', { code: 'no_phone_answer' }))
  }
  const matches = (event: BenchEvent): boolean => event.kind === 'message' && event.msg_id === msg_id
  const [message] = parts.recorder.read(workspace, { limit: 1, kinds: ['message'], mentions: [msg_id], matches }).events
  if (message?.kind !== 'message') return err(refuse('wrong_state', { code: 'message_not_kept' }))
  const phone = parts.phones.list(workspace).find((each) => each.device_id === device_id)
  if (phone === undefined) return err(refuse('wrong_state', { code: 'answering_phone_gone' }))
  return ok({ from: seq, message, phone })
}

const verdictOf = ({ recorder }: ControlParts, workspace: string, msgId: string) => {
  const matches = (event: BenchEvent): boolean => event.kind === 'verdict' && event.msg_id === msgId
  const all = { limit: 1, latest: true, kinds: ['verdict'], mentions: [msgId], matches } as const
  const [verdict] = recorder.read(workspace, all).events
  return verdict?.kind === 'verdict' ? verdict : undefined
}

const whyNot = (phone: PhoneState | undefined, msgId: string) => {
  const screen = phone?.screen
  if (screen?.kind === 'refused' && screen.prompt.msg_id === msgId && screen.reason !== undefined) {
    return screen.reason as Refusal['reason']
  }
  return { code: 'not_answered_by_phone' } as const
}

const editsOf = ({ client_data: members = [], ...edits }: AnswerEdits): readonly string[] => [
  ...members.map(({ name }) => `client_data.${name}`),
  ...Object.keys(edits),
]

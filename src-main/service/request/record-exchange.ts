import type { EventDraft, ExchangeFact } from '../../core/contract/events.ts'
import type { HeaderPair } from '../../core/protocol/canonical-request.ts'
import { MASK } from '../../core/protocol/log.ts'
import {
  isNamed,
  nowMicros,
  type RawRequest,
  type RawResponse,
  readTraceContext,
  type TraceContext,
} from '../../http/message.ts'
import { parseForeignJson } from '../../http/parse-json.ts'
import { type RequestContext, type Services, workspaceWasClosed } from '../services.ts'

type Side = ExchangeFact['interface']

type Answered = { readonly response: RawResponse; readonly code: number }

type Timed = Answered & { readonly took_us: number; readonly traced: TraceContext | undefined }

const LOG_EVENTS = { rp: 'rp request', app: 'app request' } as const satisfies Record<Side, string>

/** Records one event and writes one log line. */
export const recordExchange = (side: Side, context: RequestContext, { response, code }: Answered): void => {
  const { services, workspace, request } = context
  const took_us = nowMicros() - request.arrived
  const traced = readTraceContext(request.headers)
  if (!workspaceWasClosed(context))
    services.observe(workspace, exchangeDraft(side, context, { response, code, took_us, traced }))
  writeLine(side, context, { response, code, took_us, traced })
}

/** Writes only the log line, for requests outside a ceremony, such as a page or preflight. */
export const logRequest = (side: Side, context: RequestContext, answered: Answered): void => {
  const { arrived, headers } = context.request
  writeLine(side, context, { ...answered, took_us: nowMicros() - arrived, traced: readTraceContext(headers) })
}

const writeLine = (
  side: Side,
  { services, workspace, request, trace }: RequestContext,
  { response, code, took_us, traced }: Timed,
): void =>
  services.log({
    level: 'info',
    event: LOG_EVENTS[side],
    request: request.id,
    trace_id: traced?.traceId,
    workspace,
    method: request.method,
    route: trace.route,
    status: response.status,
    code,
    mistake: trace.mistake,
    took_us,
  })

/** Tokens and proofs are masked, since any reader may see the event. */
const exchangeDraft = (side: Side, context: RequestContext, { response, code, took_us, traced }: Timed): EventDraft => {
  const { request, trace } = context
  const kind = side === 'rp' ? 'rp' : 'phone'
  const id = side === 'rp' ? trace.rp_id : trace.device_id
  const asked: Mutable<ExchangeFact['request']> = {
    id: request.id,
    method: request.method,
    target: request.target,
    headers: maskHeaders(request.headers),
    body: maskBody(textOf(request.body)),
    body_bytes: request.body.length,
  }
  if (trace.route !== undefined) asked.route = trace.route
  const draft: Mutable<ExchangeFact & Pick<EventDraft, 'actor' | 'cause'>> = {
    kind: 'exchange',
    interface: side,
    request: asked,
    response: {
      status: response.status,
      code,
      headers: maskHeaders(response.headers),
      body: maskBody(textOf(response.body)),
    },
    took_us,
    actor: id === undefined ? { kind } : { kind, id },
    cause: request.id,
  }
  // Members are assigned one by one: a spread or a loop over their names would cost more than the rest of the function.
  if (trace.rp_id !== undefined) draft.rp_id = trace.rp_id
  if (trace.access_key_id !== undefined) draft.access_key_id = trace.access_key_id
  if (trace.scope !== undefined) draft.scope = trace.scope
  if (trace.device_id !== undefined) draft.device_id = trace.device_id
  if (trace.msg_id !== undefined) draft.msg_id = trace.msg_id
  if (trace.answered_by !== undefined) draft.answered_by = trace.answered_by
  if (trace.conditions !== undefined) draft.conditions = trace.conditions
  if (traced !== undefined) draft.traceparent = traced.traceparent
  if (trace.faults !== undefined) Object.assign(draft, trace.faults)
  return draft
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

const decoder = new TextDecoder()

const textOf = (body: RawRequest['body'] | RawResponse['body']): string =>
  typeof body === 'string' ? body : body.length === 0 ? '' : decoder.decode(body)

const maskHeaders = (headers: readonly HeaderPair[]): readonly HeaderPair[] =>
  headers.some(isSecret) ? headers.map((pair) => (isSecret(pair) ? [pair[0], MASK] : pair)) : headers

const isSecret = ([name, value]: HeaderPair): boolean => {
  for (const each of ALWAYS_SECRET) if (isNamed(name, each)) return true
  return isNamed(name, 'authorization') && !value.startsWith('SVC-')
}

/** Handset's own clients send none of these, but a proxy may add them. */
const ALWAYS_SECRET = ['cookie', 'set-cookie', 'proxy-authorization', 'x-api-key']

const SECRET_MEMBERS = new Set(['proof', 'device_token'])

/** Parses only bodies that may have a secret; others stay unchanged. A body that is not JSON is masked. */
const maskBody = (text: string): string => {
  if (!/proof|device_token|\\u/.test(text)) return text
  let masked = false
  const hide = (key: string, value: unknown): unknown => {
    if (!SECRET_MEMBERS.has(key)) return value
    masked = true
    return MASK
  }
  if (parseForeignJson(text) === undefined) return MASK
  const written = JSON.stringify(JSON.parse(text, hide))
  return masked ? written : text
}

const NONE: readonly HeaderPair[] = []

export const startRequest = (services: Services, request: RawRequest, route?: string): RequestContext => ({
  services,
  request,
  workspace: request.workspace,
  mark: services.open.get(request.workspace),
  clock: services.clock(request.workspace),
  profile: services.settings.profile(request.workspace),
  // Has all members from the start, because V8 copies an object that grows.
  trace: {
    route,
    rp_id: undefined,
    access_key_id: undefined,
    scope: undefined,
    device_id: undefined,
    msg_id: undefined,
    conditions: undefined,
    faults: undefined,
    answered_by: undefined,
    mistake: undefined,
    headers: NONE,
  },
})

import { Buffer } from 'node:buffer'
import { appBodyLimit, appTable } from '../../core/contract/app/routes.ts'
import { errorNameOf, type Reason, type Refusal, refuse } from '../../core/contract/errors.ts'
import type { Actor, EventDraft, MessageFact } from '../../core/contract/events.ts'
import type { Profile } from '../../core/contract/profile.ts'
import type { RpOperation } from '../../core/contract/rp/routes.ts'
import { BODY_LIMIT } from '../../core/contract/schema.ts'
import { parseAuthorization } from '../../core/protocol/authorization.ts'
import type { HeaderPair } from '../../core/protocol/canonical-request.ts'
import { isObject, type JsonObject } from '../../core/protocol/json.ts'
import { messageIdOf } from '../../core/protocol/message-address.ts'
import { isReportedOnce, MESSAGE_STATES, type MessageState } from '../../core/protocol/message-state.ts'
import { rememberByObject } from '../../core/protocol/remember.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { envelopeCode, resultResponse } from '../../http/envelope-response.ts'
import { findHeader, isNamed, type Mount, type RawResponse } from '../../http/message.ts'
import { guardPage, type PageRules } from '../../http/page-guard.ts'
import { parseForeignJson } from '../../http/parse-json.ts'
import { createRouteNamer, createRouteTable } from '../../http/route-table.ts'
import {
  createUpstream,
  decodeBody,
  endToEndHeaders,
  staysBelowBase,
  type Upstream,
  type UpstreamRequest,
} from '../../http/upstream.ts'
import { findUnsendable } from '../../http/write-response.ts'
import { applyConditions, applyLoss, applyScoped } from '../conditions/apply-conditions.ts'
import { namedByRp, type Subject } from '../conditions/subject.ts'
import { appPageRules } from '../devices/sign-in.ts'
import { type CallFaultTransforms, faultsFor } from '../faults/trigger-faults.ts'
import type { ParsedInput } from '../request/parse-input.ts'
import { recordExchange, startRequest } from '../request/record-exchange.ts'
import { parseRp, rpTable } from '../rp/handle-rp.ts'
import { observeIn, type RequestContext, type Services } from '../services.ts'
import { authenticate, type Caller, signRequestAnew } from '../signing/authenticate.ts'
import { type RecordedAnswers, type RecordedExchange, recordedAnswers } from './recorded-answers.ts'

export type RpForwarding = {
  readonly services: Services
  readonly target: Target | undefined
  readonly recorded: RecordedAnswers | undefined
  readonly keyed: boolean
  readonly messages: KnownMessages
}

/** The RP interface of another service. `within`: the part of its paths that is in the mount's prefix. */
const forwardRpMount = (forwarding: RpForwarding, prefix: string, within: string): Mount => {
  const { services } = forwarding
  const routes = createRouteTable(rpTable, prefix.slice(0, prefix.length - within.length))
  const matching = ({ method, path }: { readonly method: string; readonly path: string }) =>
    routes.match(method, within + path)
  const routeOf = createRouteNamer({ match: (method, path) => matching({ method, path }) })
  return {
    prefix,
    bodyLimit: () => BODY_LIMIT,
    answer: async (request) => {
      const found = matching(request)
      const context = startRequest(services, request, found.ok ? found.value.name : undefined)
      const page = await guardPage(request, pageRulesOf(context, forwarding.target))
      if (!page.ok) return refused('rp', context, page.error)
      const call = { context, path: within + request.path }
      if (!staysBelowBase(request.path)) return refused('rp', context, refuse('no_route', { code: 'outside_target' }))
      return pass(forwarding, call, found.ok ? found.value.route.handler : undefined)
    },
    routeOf,
    refuse: (request, refusal) => refused('rp', startRequest(services, request, routeOf(request)), refusal),
  }
}

/** The phones' rules, but the target's Host is allowed: requests signed elsewhere name it. */
const pageRulesOf = (context: RequestContext, target: Target | undefined): PageRules => {
  const rules = appPageRules(context)
  return { ...rules, isOurHost: (host) => rules.isOurHost(host) || host === target?.upstream.host }
}

type Call = { readonly context: RequestContext; readonly path: string }

const pass = async (forwarding: RpForwarding, { context, path }: Call, operation: RpOperation | undefined) => {
  const { messages, target } = forwarding
  const { settings } = context.services
  if (operation !== undefined) {
    const failed = await applyConditions('rp', context, operation)
    if (failed !== undefined) return refused('rp', context, failed)
  }
  const caller = await knownCaller(context)
  const read = operation === undefined ? undefined : parseRp(operation, context)
  const input = read?.ok === true ? read.value : undefined
  const subject = messages.subjectOf(input)
  context.trace.msg_id = subject.msg_id
  let faults: CallFaultTransforms | undefined
  if (operation !== undefined && input !== undefined) {
    const own = await applyScoped('rp', context, operation, subject)
    if (own !== undefined) return refused('rp', context, own)
    if (settings.faults(context.workspace).length > 0) {
      const mayAsk = caller !== undefined && target !== undefined
      faults = await faultsFor(context, { operation, rp: caller?.rp.id, input, subject, mayAsk })
    }
  }
  const recorded = await answerRecorded(forwarding, { context, path })
  const call = { context, messages, operation, input, faults }
  if (recorded !== undefined) {
    return recorded.ok
      ? passAnswer({ ...call, answered_by: 'recording' }, recorded.value)
      : refused('rp', context, recorded.error)
  }
  if (target === undefined) return refused('rp', context, notRecorded(context, path))
  const asked = await askedOf(context, { target, path, caller, input, faults, keyed: forwarding.keyed })
  const answer = await target.upstream.send(asked)
  return answer.ok
    ? passAnswer({ ...call, answered_by: 'target' }, answer.value)
    : refused('rp', context, refusalOfTarget(answer.error))
}

/** Undefined if no answer was recorded. If a key was given, signatures are verified as by a service. */
const answerRecorded = async (
  { recorded, keyed }: RpForwarding,
  { context, path }: Call,
): Promise<Result<RawResponse, Refusal> | undefined> => {
  const { method, query, body } = context.request
  const wanted = { method, path, query, body: Buffer.from(body).toString() }
  const found = recorded?.next(wanted, context.services.wall.now())
  if (found === undefined) return undefined
  const caller = keyed ? await authenticate(context) : undefined
  if (caller?.ok === false) return caller
  const wrong = findUnsendable(found)
  return wrong === undefined ? ok(found) : err(refusalOfTarget({ code: 'target_no_http', params: { code: wrong } }))
}

const notRecorded = ({ request }: RequestContext, path: string): Refusal =>
  refuse('no_route', { code: 'not_recorded', params: { method: request.method, path } })

type Forwarded = {
  readonly context: RequestContext
  readonly messages: KnownMessages
  readonly operation: RpOperation | undefined
  readonly input: ParsedInput | undefined
  readonly faults: CallFaultTransforms | undefined
  readonly answered_by: NonNullable<RequestContext['trace']['answered_by']>
}

const passAnswer = async (call: Forwarded, answer: RawResponse): Promise<RawResponse> => {
  const { context, faults } = call
  const text = typeof answer.body === 'string' ? answer.body : decodeBody(answer.headers, answer.body)
  const envelope = text === undefined ? undefined : parseForeignJson(text)
  const result = resultOf(envelope)
  context.trace.answered_by = call.answered_by
  observeMessage(call, result)
  const readable: RawResponse = { ...answer, body: text ?? '' }
  const changed = faults === undefined || !isObject(envelope) ? undefined : await changedBy(faults, readable, result)
  recordExchange('rp', context, { response: changed ?? readable, code: answerCode(envelope, answer.status) })
  return applyLoss(context, changed ?? answer)
}

/** Undefined if no fault is triggered: the answer is passed on as its bytes. */
const changedBy = async (
  faults: CallFaultTransforms,
  { status, headers, body }: RawResponse,
  result: Result<unknown, Refusal>,
) => {
  const honest: RawResponse = { status, headers: headers.filter(isOfNoCoding), body }
  const response = await faults.change(honest, result)
  return response === honest ? undefined : response
}

/** Records the target's facts about a message, whatever the RP reads. */
const observeMessage = ({ context, messages, operation, input }: Forwarded, result: Result<unknown, Refusal>): void => {
  if (operation === undefined || input === undefined || !result.ok) return
  const { trace } = context
  const { msg_id, happened } = messages.readAnswer({ operation, input, rp: trace.rp_id, data: result.value })
  trace.msg_id ??= msg_id
  for (const { actor, ...fact } of happened) observeIn(context, actor, fact)
}

const isOfNoCoding = ([name]: HeaderPair): boolean =>
  !isNamed(name, 'content-length') && !isNamed(name, 'content-encoding')

const resultOf = (envelope: unknown): Result<unknown, Refusal> => {
  if (!isObject(envelope) || typeof envelope.code !== 'number') return err(refuse('target_failed'))
  return envelope.code === 0 ? ok(envelope.data) : err(refuse(errorNameOf(envelope.code) ?? 'target_failed'))
}

/** Where the target is, and the path of its base_url. */
type Target = { readonly upstream: Upstream; readonly path: string }

/** Finds the signer even if the request is late; only the target may refuse it for that. */
const knownCaller = async (context: RequestContext): Promise<Caller | undefined> => {
  const caller = await authenticate({ ...context, profile: lenient(context.profile) })
  if (!caller.ok) return undefined
  context.trace.rp_id = caller.value.rp.id
  context.trace.access_key_id = caller.value.accessKeyId
  context.trace.scope = caller.value.scope
  return caller.value
}

const refused = (side: 'rp' | 'app', context: RequestContext, refusal: Refusal): RawResponse => {
  const result = err(refusal)
  const response = resultResponse(result, context.profile)
  recordExchange(side, context, { response, code: envelopeCode(result) })
  return applyLoss(context, response)
}

const refusalOfTarget = (reason: Reason): Refusal =>
  refuse(reason.code === 'target_silent' ? 'target_silent' : 'target_failed', reason)

/** Without an envelope, derives the code from the status: envelope codes begin with it. */
const answerCode = (envelope: unknown, status: number): number => {
  const code = isObject(envelope) ? envelope.code : undefined
  if (typeof code === 'number' && Number.isSafeInteger(code) && code >= 0) return code
  return status < 400 ? 0 : status * 100
}

type KnownMessages = ReturnType<typeof createKnownMessages>

type AnsweredCall = {
  readonly operation: RpOperation
  readonly input: ParsedInput
  readonly rp: string | undefined
  readonly data: unknown
}

const MAX_KEPT = 10_000

/** Messages of another service, known from forwarded calls. */
const createKnownMessages = () => {
  const known = new Map<string, MessageFact>()

  const keep = (fact: MessageFact): void => {
    known.set(fact.msg_id, fact)
    const [oldest] = known.keys()
    if (known.size > MAX_KEPT && oldest !== undefined) known.delete(oldest)
  }

  const opened = ({ operation, input, rp, data }: AnsweredCall & { readonly data: JsonObject }) => {
    const msg_id = typeof data.url === 'string' ? messageIdOf(data.url) : ''
    const { user_id, username, method } = input.body
    if (msg_id === '' || typeof user_id !== 'string') return { happened: [] }
    const fact: MessageFact = {
      kind: 'message',
      msg_id,
      ceremony: operation === 'attestation.options' ? 'registration' : 'authentication',
      to: 'init',
      rp_id: rp ?? '',
      user_id,
      username: typeof username === 'string' ? username : '',
      ...(method === 'qrcode' || method === 'push' ? { method } : {}),
      url: String(data.url),
      expires_at: typeof data.expires_at === 'number' ? data.expires_at * 1000 : 0,
    }
    keep(fact)
    const actor: Actor = rp === undefined ? { kind: 'rp' } : { kind: 'rp', id: rp }
    return { msg_id, happened: [{ ...fact, actor }] }
  }

  const moved = (msg_id: string, data: JsonObject) => {
    const before = known.get(msg_id)
    const to = MESSAGE_STATES.find((state) => state === data.status)
    if (before === undefined || to === undefined || to === before.to) return { msg_id, happened: [] }
    const fact: MessageFact = {
      ...before,
      from: before.to,
      to,
      ...(isGiven(data.svc_user) ? { svc_user: data.svc_user } : {}),
      ...(isGiven(data.error) ? { error: data.error } : {}),
    }
    keep(fact)
    return { msg_id, happened: [{ ...fact, actor: SERVICE }, ...deliveryOf(msg_id, to)] }
  }

  return {
    subjectOf: (input: ParsedInput | undefined): Subject => {
      const named = input === undefined ? {} : namedByRp(input)
      return named.msg_id === undefined ? named : { ...named, user_id: known.get(named.msg_id)?.user_id }
    },
    /** Finds the message in the data of a success, and its new events since the last answer about it. */
    readAnswer: (call: AnsweredCall): { readonly msg_id?: string; readonly happened: readonly EventDraft[] } => {
      const { operation, input, data } = call
      if (!isObject(data)) return { happened: [] }
      if (operation === 'attestation.options' || operation === 'assertion.options') return opened({ ...call, data })
      const { msg_id } = namedByRp(input)
      return msg_id === undefined ? { happened: [] } : moved(msg_id, data)
    },
  }
}

const SERVICE: Actor = { kind: 'service' }

const isGiven = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** A final state is delivered when the RP reads it. */
const deliveryOf = (msg_id: string, state: MessageState): readonly EventDraft[] =>
  isReportedOnce(state) ? [{ kind: 'delivery', msg_id, state, actor: { kind: 'rp' } }] : []

/** Accepts any time and form, because the target checks them. */
const lenient = rememberByObject(
  (profile: Profile): Profile => ({
    ...profile,
    authorization_forms: ['general', 'short'],
    clock_skew_s: Number.MAX_SAFE_INTEGER,
    require_signed_date: false,
  }),
)

type Way = Pick<Forwarded, 'input' | 'faults'> & {
  readonly target: Target
  readonly path: string
  readonly caller: Caller | undefined
  readonly keyed: boolean
}

/** Sets the target's Host, unless the key is unknown here: then the changed request could not be signed again. */
const askedOf = async (context: RequestContext, { target, path, caller, input, faults, keyed }: Way) => {
  const { method, target: line, query, body } = context.request
  const keepsHost = caller === undefined && (await mayBeSignedElsewhere(context, keyed))
  const passed = endToEndHeaders(context.request.headers)
  const asked: UpstreamRequest = {
    method,
    target: `${target.path}${path}${query === '' && !line.endsWith('?') ? '' : `?${query}`}`,
    headers: keepsHost ? passed : withHeader(passed, 'host', target.upstream.host),
    body,
  }
  const other = input === undefined ? undefined : faults?.ask(input)
  const changed = other === input || other === undefined ? asked : withBody(asked, JSON.stringify(other.body))
  const differs = changed.body !== body || asked.target !== line || target.upstream.host !== findHeader(passed, 'host')
  return caller !== undefined && differs ? signRequestAnew(context, caller, changed) : changed
}

/** True if the key is unknown here, or may be: the short form names no key. */
const mayBeSignedElsewhere = async ({ services, workspace, request }: RequestContext, keyed: boolean) => {
  const text = findHeader(request.headers, 'authorization')
  if (text === undefined || !keyed) return text !== undefined
  const claim = parseAuthorization(text)
  if (!claim.ok || claim.value.form === 'short') return claim.ok
  return (await services.store.accessKeys.withRp(workspace, claim.value.accessKeyId)) === undefined
}

const withHeader = (headers: readonly HeaderPair[], name: string, value: string): readonly HeaderPair[] =>
  headers.map((pair) => (isNamed(pair[0], name) ? [pair[0], value] : pair))

const withBody = (asked: UpstreamRequest, text: string): UpstreamRequest => {
  const body = Buffer.from(text)
  return { ...asked, body, headers: withHeader(asked.headers, 'content-length', String(body.length)) }
}

type Forwarding = { readonly mounts: { readonly rp: Mount; readonly app: Mount }; close(): void }

export type ForwardSettings = {
  /** The target's addresses, without a slash at the end. */
  readonly baseUrl?: string
  readonly appUrl?: string
  /** PEM certificates trusted in addition to the usual roots. */
  readonly ca?: string
  readonly patienceMs: number
  /** Calls with a recorded answer here are not forwarded. */
  readonly recorded?: readonly RecordedExchange[]
  /** True if an access key for verifying signatures was given. */
  readonly keyed: boolean
}

/** Mounts that replace the service's own. With an empty prefix, paths begin with /rp here as at the target. */
export const createForwarding = (
  services: Services,
  prefix: string,
  { baseUrl, appUrl, ca, patienceMs, recorded, keyed }: ForwardSettings,
): Forwarding => {
  const targetAt = (address: string | undefined) => {
    if (address === undefined) return undefined
    const url = new URL(address)
    return { upstream: createUpstream({ url, ca, patienceMs }), path: url.pathname.replace(/\/+$/, '') }
  }
  const [rp, app] = [targetAt(baseUrl), targetAt(appUrl)]
  const answers = recorded === undefined ? undefined : recordedAnswers(recorded)
  const forwarding = { services, target: rp, recorded: answers, keyed, messages: createKnownMessages() }
  return {
    mounts: {
      rp: prefix === '' ? forwardRpMount(forwarding, '/rp', '/rp') : forwardRpMount(forwarding, prefix, ''),
      app: forwardAppMount(services, app),
    },
    close: () => {
      rp?.upstream.close()
      app?.upstream.close()
    },
  }
}

const forwardAppMount = (services: Services, target: Target | undefined): Mount => {
  const prefix = '/app'
  const routes = createRouteTable(appTable, prefix)
  const routeOf = createRouteNamer(routes)
  return {
    prefix,
    bodyLimit: ({ method, path }) => {
      const found = routes.match(method, path)
      if (target === undefined) return 0
      return found.ok ? appBodyLimit(found.value.route.handler) : BODY_LIMIT
    },
    answer: async (request) => {
      const found = routes.match(request.method, request.path)
      const context = startRequest(services, request, found.ok ? found.value.name : undefined)
      const page = await guardPage(request, appPageRules(context))
      if (!page.ok) return refused('app', context, page.error)
      if (target === undefined) return refused('app', context, refuse('no_route', { code: 'no_target' }))
      if (!staysBelowBase(request.path)) return refused('app', context, refuse('no_route', { code: 'outside_target' }))
      if (found.ok) {
        context.trace.msg_id = found.value.params.msg_id
        const operation = found.value.route.handler
        const failed = await applyConditions('app', context, operation)
        if (failed !== undefined) return refused('app', context, failed)
      }
      return passApp(context, target)
    },
    routeOf,
    refuse: (request, refusal) => refused('app', startRequest(services, request, routeOf(request)), refusal),
  }
}

const passApp = async (context: RequestContext, { upstream, path }: Target): Promise<RawResponse> => {
  const { method, path: own, query, headers, body } = context.request
  const answer = await upstream.send({
    method,
    target: `${path}${own}${query === '' ? '' : `?${query}`}`,
    headers: withHeader(endToEndHeaders(headers), 'host', upstream.host),
    body,
  })
  if (!answer.ok) return refused('app', context, refusalOfTarget(answer.error))
  const { headers: received, status, stream } = answer.value
  const text = decodeBody(received, answer.value.body) ?? ''
  const code = stream === undefined ? answerCode(parseForeignJson(text), status) : 0
  context.trace.answered_by = 'target'
  recordExchange('app', context, { response: { ...answer.value, body: text }, code })
  return applyLoss(context, answer.value)
}

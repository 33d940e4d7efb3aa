import { type ControlRoute, LAST_EVENT } from '../../core/contract/control/route.ts'
import { CONTROL_PREFIX, controlInterface, type RouteId, routes } from '../../core/contract/control/routes.ts'
import { errors, type Refusal, refuse, refuseField } from '../../core/contract/errors.ts'
import type { BenchEvent } from '../../core/contract/events.ts'
import { createOpenApi } from '../../core/contract/open-api.ts'
import { BODY_LIMIT, type JsonSchema, type Route, type Schema } from '../../core/contract/schema.ts'
import { findProblem } from '../../core/contract/validate.ts'
import type { HeaderPair } from '../../core/protocol/canonical-request.ts'
import { MAIN_WORKSPACE } from '../../core/protocol/ids.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { SLICE_COST } from '../../core/protocol/slices.ts'
import {
  dataResponse,
  largeDataResponse,
  markdownResponse,
  pageResponse,
  refusalResponse,
} from '../../http/envelope-response.ts'
import {
  findHeader,
  type Mount,
  nowMicros,
  type RawRequest,
  type RawResponse,
  type RequestHead,
  readTraceContext,
  runInTrace,
} from '../../http/message.ts'
import { guardPage, isPreflight, pageRules, preflightResponse } from '../../http/page-guard.ts'
import { parseJsonBody, parseLargeJsonBody } from '../../http/parse-json.ts'
import { createRouteTable } from '../../http/route-table.ts'
import type { Recorder } from '../harness/recorder.ts'
import { createTrustStore } from '../tls/trust-store.ts'
import type { ControlParts, Handlers } from './handler.ts'
import { adminHandlers } from './handlers/admin-handlers.ts'
import { benchHandlers, catalogueHandlers, leaseHandlers, tokenHandlers } from './handlers/bench-handlers.ts'
import { eventHandlers } from './handlers/event-handlers.ts'
import { phoneHandlers } from './handlers/phone-handlers.ts'
import { resendHandlers } from './handlers/resend-handlers.ts'
import { simulatorHandlers } from './handlers/simulator-handlers.ts'
import { serviceFaultHandlers, workspaceHandlers, workspacesHandlers } from './handlers/workspace-handlers.ts'
import { type Caller, canRevealSecrets, readBearer, tokenLacks } from './tokens.ts'

const file =
  (type: string, body: (pem: string) => string | Uint8Array) =>
  ({ authority }: ControlParts): RawResponse =>
    authority === undefined
      ? refusalResponse(refuse('no_route', { code: 'no_authority' }))
      : { status: 200, headers: [['Content-Type', type]], body: body(authority) }

type Document = NonNullable<ControlRoute['page']>

const DOCUMENTS = {
  html: { ending: '.html', type: 'text/html', response: pageResponse },
  markdown: { ending: '.md', type: 'text/markdown', response: markdownResponse },
} as const satisfies Readonly<Record<Document, object>>

const documentOf = (id: RouteId): Document | undefined => (routes[id] as ControlRoute).page

/** A client that prefers JSON, or accepts anything, gets the envelope. */
const wantedDocument = (id: RouteId, { path, headers }: RawRequest): Document | undefined => {
  const document = documentOf(id)
  if (document === undefined || path.endsWith(DOCUMENTS[document].ending)) return document
  const accept = findHeader(headers, 'accept') ?? ''
  const first = accept.split(',')[0]?.split(';')[0]?.trim().toLowerCase()
  return first === DOCUMENTS[document].type ? document : undefined
}

const parseCall = async (route: Route, request: RawRequest, params: Readonly<Record<string, string>>) => {
  const named = fitting(params, route.params)
  if (!named.ok) return named
  const query = parseQuery(route, request.query)
  if (!query.ok) return query
  const body = await parseBody(route, request)
  return body.ok ? ok({ params, query: query.value, body: body.value }) : body
}

const fitting = (value: unknown, schema: Schema | undefined): Result<unknown, Refusal> => {
  const problem = schema && findProblem(value, schema)
  return problem === undefined ? ok(value) : err(refuseField(problem))
}

const parseBody = async (route: Route, request: RawRequest): Promise<Result<unknown, Refusal>> => {
  if (route.body === undefined) return ok(undefined)
  // `curl -X POST` without a body is a call without inputs.
  const { headers, body } = request
  const json =
    body.length === 0
      ? ok({})
      : body.length <= SLICE_COST
        ? parseJsonBody(headers, body)
        : await parseLargeJsonBody(headers, body)
  return json.ok ? fitting(json.value, route.body) : json
}

const parseQuery = (route: Route, text: string): Result<unknown, Refusal> => {
  const { properties = {} } = (route.query ?? {}) as JsonSchema
  const query: Record<string, unknown> = {}
  for (const [key, value] of new URLSearchParams(text)) {
    if (Object.hasOwn(query, key)) {
      return err(
        refuse('conflicting_parameters', { code: 'field_twice', params: { field: key } }, { data: { parameter: key } }),
      )
    }
    query[key] = Object.hasOwn(properties, key) ? typed(value, properties[key]?.type) : value
  }
  return fitting(query, route.query ?? EMPTY)
}

const EMPTY = { type: 'object', properties: {}, additionalProperties: false }

/** A text that does not fit its type stays a text, which the contract refuses. */
const typed = (text: string, type: string | undefined): unknown => {
  if ((type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

/** Documents for tools, which can be read without a token. */
const pages = createRouteTable<(parts: ControlParts) => RawResponse>([
  {
    method: 'GET',
    pattern: '/openapi.json',
    handler: ({ info }) => plainJson(createOpenApi(controlInterface(info.version))),
  },
  // No token: clients need the certificate before they can trust the bench, and it is public.
  { method: 'GET', pattern: '/tls/ca.pem', handler: file('application/x-pem-file', (pem) => pem) },
  { method: 'GET', pattern: '/tls/ca.p12', handler: file('application/x-pkcs12', createTrustStore) },
])

/** The one control interface: page, command line and scripts all use it. */
export const createControl = (parts: ControlParts): Mount => {
  const { callers, recorder, workspaceLeases } = parts
  const forBenchToken = createHandlers(parts)
  const forLimitedTokens = createHandlers({ ...parts, recorder: withoutBenchEvents(recorder) })
  const table = createRouteTable(
    Object.entries(routes).map(([id, { method, path: pattern }]: [string, ControlRoute]) => {
      return { method, pattern, handler: id as RouteId }
    }),
  )

  /** Matches the path, also with `.html` or `.md` if its answer has such a document. */
  const matchOf = ({ method, path }: Pick<RequestHead, 'method' | 'path'>) => {
    const match = table.match(method, path)
    if (match.ok) return match
    for (const [document, { ending }] of Object.entries(DOCUMENTS)) {
      const shorter = path.endsWith(ending) ? table.match(method, path.slice(0, -ending.length)) : match
      if (shorter.ok && documentOf(shorter.value.route.handler) === document) return shorter
    }
    return match
  }

  const guard = (head: RequestHead): Promise<Result<readonly HeaderPair[], Refusal>> =>
    guardPage(
      head,
      pageRules(parts.addresses, async () => {
        const rps = await parts.admin.rps.list(head.workspace)
        return rps.ok ? rps.value : []
      }),
    )

  const admit = (head: RequestHead): Result<Admitted, Answered> => {
    const match = matchOf(head)
    if (!match.ok) return err(refused(match.error))
    const { params } = match.value
    const id = match.value.route.handler
    const route: ControlRoute = routes[id]
    if (route.scope === 'bench' && head.workspace !== MAIN_WORKSPACE) {
      return err(refused(refuse('no_route', { code: 'only_at', params: { path: CONTROL_PREFIX + route.path } })))
    }
    const caller = callers.of(head)
    if (route.open === true) return ok({ id, route, params, caller: caller ?? NOBODY })
    if (caller === undefined) return err(refused(refuse('control_token'), id))
    const refusal = callers.refusal(caller, route, head.workspace)
    return refusal === undefined ? ok({ id, route, params, caller }) : err(refused(refusal, id))
  }

  const answer = async (request: RawRequest, cors: readonly HeaderPair[]): Promise<Answered> => {
    if (isPreflight(request)) return answered(preflightResponse(cors, METHODS))
    const admitted = admit(request)
    if (!admitted.ok) {
      const page = pages.match(request.method, request.path)
      if (page.ok) return answered(page.value.route.handler(parts))
      return page.error.name === 'no_route' ? admitted.error : refused(page.error)
    }
    const { id, route, params, caller } = admitted.value
    const call = await parseCall(route, request, params)
    if (!call.ok) return refused(call.error, id)
    const reveals = route.reveals === true
    if (reveals && !canRevealSecrets(caller)) return refused(tokenLacks('reveal'), id)
    // The contract has checked the input, so it has the handler's input type.
    const handlers = caller.limited === undefined ? forBenchToken : forLimitedTokens
    const handle = handlers[id] as unknown as (call: unknown) => RawResponse | Promise<Result<unknown, Refusal>>
    const { workspace } = request
    const unused = workspaceLeases.use(workspace)
    const outcome = runInTrace(request.headers, () => handle({ ...call.value, workspace, request, caller }))
    if (!(outcome instanceof Promise)) return answered(whileValid(outcome, { caller, unused }), id)
    const result = await outcome.finally(unused)
    // The token was revoked meanwhile: even another refusal could reveal something.
    if (caller.revoked?.aborted === true) return refused(refuse('control_token'), id)
    if (!result.ok) return refused(result.error, id)
    if (reveals) recordReveal(workspace, { id, caller, params, data: result.value })
    const document = wantedDocument(id, request)
    if (document !== undefined) {
      const text = String((result.value as Readonly<Record<string, unknown>>)[document])
      return answered(DOCUMENTS[document].response(text), id)
    }
    const response = route.large === true ? await largeDataResponse(result.value) : dataResponse(result.value)
    if (route.scope !== 'workspace') return answered(response, id)
    const last = [LAST_EVENT, String(recorder.lastSeq(workspace))] as const
    return answered({ ...response, headers: [...response.headers, last] }, id)
  }

  /** A stream uses its workspace until it ends, and ends with its token. */
  const whileValid = (
    { stream, ...response }: RawResponse,
    { caller: { revoked }, unused }: Streaming,
  ): RawResponse => {
    if (stream === undefined) {
      unused()
      return response
    }
    return {
      ...response,
      stream: (wire) => {
        const stop = stream(wire)
        const end = (): void => wire.end()
        if (revoked?.aborted === true) end()
        revoked?.addEventListener('abort', end)
        return () => {
          unused()
          revoked?.removeEventListener('abort', end)
          stop()
        }
      },
    }
  }

  const recordReveal = (workspace: string, { id, caller, params, data }: Revealed): void => {
    const key = (data as { readonly key?: { readonly id: string } }).key?.id ?? params.key
    recorder.observe(workspace, {
      actor: { kind: 'control', ...(caller.limited === undefined ? {} : { id: caller.limited.id }) },
      kind: 'setting',
      ...(id === 'workspace.export'
        ? { subject: 'workspace', change: 'exported' }
        : { subject: 'access_key', change: 'revealed', ...(key === undefined ? {} : { id: key }) }),
    })
  }

  const routeOf = ({ method, path }: Pick<RequestHead, 'method' | 'path'>): RouteId | undefined => {
    const match = matchOf({ method, path })
    return match.ok ? match.value.route.handler : undefined
  }

  const logged = (request: RawRequest, { response, code, call }: Answered): RawResponse => {
    parts.log({
      level: 'info',
      event: 'control request',
      request: request.id,
      trace_id: readTraceContext(request.headers)?.traceId,
      workspace: request.workspace,
      method: request.method,
      call,
      status: response.status,
      code,
      took_us: nowMicros() - request.arrived,
    })
    return response
  }

  return {
    prefix: CONTROL_PREFIX,
    bodyLimit: async (head) => {
      const admitted = admit(head)
      if (!admitted.ok || admitted.value.route.body === undefined) return 0
      return (await guard(head)).ok ? (admitted.value.route.bodyLimit ?? BODY_LIMIT) : 0
    },
    senderOf: (head) => readBearer(head) ?? '',
    answer: async (request) => {
      const cors = await guard(request)
      const response = logged(request, cors.ok ? await answer(request, cors.value) : refused(cors.error))
      if (!cors.ok || cors.value.length === 0) return response
      return { ...response, headers: [...response.headers, ...cors.value] }
    },
    routeOf,
    refuse: (request, refusal) => logged(request, refused(refusal, routeOf(request))),
  }
}

const createHandlers = (parts: ControlParts): Handlers<RouteId> => ({
  ...benchHandlers(parts),
  ...workspacesHandlers(parts),
  ...tokenHandlers(parts),
  ...workspaceHandlers(parts),
  ...serviceFaultHandlers(parts),
  ...adminHandlers(parts),
  ...eventHandlers(parts),
  ...resendHandlers(parts),
  ...phoneHandlers(parts),
  ...leaseHandlers(parts),
  ...catalogueHandlers(),
  ...simulatorHandlers(parts),
})

/** Hides main's events about tokens and expired workspaces: only the bench's own token may see them. */
const withoutBenchEvents = (recorder: Recorder): Recorder => ({
  ...recorder,
  read: (workspace, query = {}) =>
    workspace === MAIN_WORKSPACE
      ? recorder.read(workspace, {
          ...query,
          matches: (event) => !concernsBench(event) && query.matches?.(event) !== false,
        })
      : recorder.read(workspace, query),
  listen: (workspace, listener, closed) =>
    recorder.listen(workspace, (event) => (concernsBench(event) ? undefined : listener(event)), closed),
})

const concernsBench = (event: BenchEvent): boolean =>
  event.kind === 'setting' &&
  (event.subject === 'token' || (event.subject === 'workspace' && event.change === 'expired'))

type Admitted = {
  readonly id: RouteId
  readonly route: ControlRoute
  readonly params: Readonly<Record<string, string>>
  readonly caller: Caller
}

type Streaming = { readonly caller: Caller; readonly unused: () => void }

type Revealed = Omit<Admitted, 'route'> & { readonly data: unknown }

/** The caller of routes that need no token. */
const NOBODY: Caller = { secret: '' }

/** An answer, with facts for its line in the log. */
type Answered = { readonly response: RawResponse; readonly code: number; readonly call: RouteId | undefined }

const answered = (response: RawResponse, call?: RouteId): Answered => ({ response, code: 0, call })

const refused = (refusal: Refusal, call?: RouteId): Answered => ({
  response: refusalResponse(refusal),
  code: errors[refusal.name].code,
  call,
})

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

const plainJson = (value: unknown): RawResponse => ({
  status: 200,
  headers: [['Content-Type', 'application/json; charset=utf-8']],
  body: JSON.stringify(value),
})

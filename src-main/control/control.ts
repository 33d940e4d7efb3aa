import { createHash, timingSafeEqual } from 'node:crypto'
import { controlInterface } from '../contract/control/interface.ts'
import type { ControlRoute } from '../contract/control/route.ts'
import { CONTROL_PREFIX, type RouteId, routes } from '../contract/control/routes.ts'
import { errors, type Refusal, refuse } from '../contract/errors.ts'
import { openApiOf } from '../contract/open-api.ts'
import { BODY_LIMIT } from '../contract/route.ts'
import { monotonicMicros } from '../harness/clock.ts'
import { dataResponse, largeDataResponse, refusalResponse } from '../http/envelope-response.ts'
import { headerOf, type Mount, type RawRequest, type RawResponse, type RequestHead } from '../http/message.ts'
import { guardPage, isPreflight, preflightResponse } from '../http/page-guard.ts'
import { routeTable } from '../http/route-table.ts'
import { en } from '../messages/en/en.ts'
import type { HeaderPair } from '../protocol/canonical-request.ts'
import { MAIN_WORKSPACE } from '../protocol/ids.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import { authorityPem, authorityStore } from './authority-files.ts'
import type { ControlParts } from './control-parts.ts'
import type { Handlers } from './handler.ts'
import { adminHandlers } from './handlers/admin-handlers.ts'
import { benchHandlers } from './handlers/bench-handlers.ts'
import { catalogueHandlers } from './handlers/catalogue-handlers.ts'
import { eventHandlers } from './handlers/event-handlers.ts'
import { leaseHandlers } from './handlers/lease-handlers.ts'
import { phoneHandlers } from './handlers/phone-handlers.ts'
import { serviceFaultHandlers } from './handlers/service-fault-handlers.ts'
import { simulatorHandlers } from './handlers/simulator-handlers.ts'
import { workspaceHandlers } from './handlers/workspace-handlers.ts'
import { parseCall } from './parse-call.ts'

/** For tools: no token is needed to read what the interface is. */
const pages = routeTable<(parts: ControlParts) => RawResponse>([
  {
    method: 'GET',
    pattern: '/openapi.json',
    handler: ({ info }) => plainJson(openApiOf(controlInterface(info.version), en.errors)),
  },
  { method: 'GET', pattern: '/tls/ca.pem', handler: ({ authority }) => authorityPem(authority) },
  { method: 'GET', pattern: '/tls/ca.p12', handler: ({ authority }) => authorityStore(authority) },
])

/** The one control interface: page, command line and scripts all come through here. */
export const createControl = (parts: ControlParts): Mount => {
  const handlers: Handlers<RouteId> = {
    ...benchHandlers(parts),
    ...workspaceHandlers(parts),
    ...serviceFaultHandlers(parts),
    ...adminHandlers(parts),
    ...eventHandlers(parts),
    ...phoneHandlers(parts),
    ...leaseHandlers(parts),
    ...catalogueHandlers(),
    ...simulatorHandlers(parts),
  }
  const table = routeTable(
    Object.entries(routes).map(([id, route]: [string, ControlRoute]) => ({
      method: route.method,
      pattern: route.path,
      handler: id as RouteId,
    })),
  )
  const isOurToken = tokenCheck(parts.token)

  const isAllowedOrigin = async (workspace: string, origin: string): Promise<boolean> => {
    if (parts.isOurOrigin(origin)) return true
    const rps = await parts.admin.rps.list(workspace)
    return rps.ok && rps.value.some(({ origins }) => origins.includes(origin))
  }

  const guard = (head: RequestHead): Promise<Result<readonly HeaderPair[], Refusal>> =>
    guardPage(head, {
      isOurHost: parts.isOurHost,
      isAllowedOrigin: (origin) => isAllowedOrigin(head.workspace, origin),
    })

  /** Which route a request is for, and whether it may be. */
  const admit = (head: RequestHead): Result<Admitted, Refused> => {
    const match = table.match(head.method, head.path)
    if (!match.ok) return err({ refusal: match.error })
    const { params } = match.value
    const id = match.value.route.handler
    const route: ControlRoute = routes[id]
    if (route.scope === 'bench' && head.workspace !== MAIN_WORKSPACE) {
      return err({ refusal: refuse('no_route', { code: 'only_at', params: { path: CONTROL_PREFIX + route.path } }) })
    }
    return route.open === true || isOurToken(head)
      ? ok({ id, route, params })
      : err({ refusal: refuse('control_token'), id })
  }

  const answer = async (request: RawRequest, cors: readonly HeaderPair[]): Promise<Told> => {
    if (isPreflight(request)) return told(preflightResponse(cors, METHODS))
    const page = pages.match(request.method, request.path)
    if (page.ok) return told(page.value.route.handler(parts))
    if (page.error.name !== 'no_route') return refused(page.error)
    const admitted = admit(request)
    if (!admitted.ok) return refused(admitted.error.refusal, admitted.error.id)
    const { id, route, params } = admitted.value
    const call = await parseCall(route, request, params)
    if (!call.ok) return refused(call.error, id)
    // The contract has checked what the types say: from here on they are believed.
    const handle = handlers[id] as unknown as (call: unknown) => RawResponse | Promise<Result<unknown, Refusal>>
    const outcome = handle({ ...call.value, workspace: request.workspace, request })
    if (!(outcome instanceof Promise)) return told(outcome, id)
    const result = await outcome
    if (!result.ok) return refused(result.error, id)
    return told(route.large === true ? await largeDataResponse(result.value) : dataResponse(result.value), id)
  }

  return {
    prefix: CONTROL_PREFIX,
    bodyLimit: async (head) => {
      const admitted = admit(head)
      if (!admitted.ok || admitted.value.route.body === undefined) return 0
      return (await guard(head)).ok ? (admitted.value.route.bodyLimit ?? BODY_LIMIT) : 0
    },
    answer: async (request) => {
      const started = monotonicMicros()
      const cors = await guard(request)
      const { response, code, call } = cors.ok ? await answer(request, cors.value) : refused(cors.error)
      parts.log({
        level: 'info',
        event: 'control request',
        request: request.id,
        workspace: request.workspace,
        method: request.method,
        call,
        status: response.status,
        code,
        took_us: monotonicMicros() - started,
      })
      if (!cors.ok || cors.value.length === 0) return response
      return { ...response, headers: [...response.headers, ...cors.value] }
    },
  }
}

type Admitted = {
  readonly id: RouteId
  readonly route: ControlRoute
  readonly params: Readonly<Record<string, string>>
}

type Refused = { readonly refusal: Refusal; readonly id?: RouteId }

/** An answer, and what its line in the log says of it. */
type Told = { readonly response: RawResponse; readonly code: number; readonly call: RouteId | undefined }

const told = (response: RawResponse, call?: RouteId): Told => ({ response, code: 0, call })

const refused = (refusal: Refusal, call?: RouteId): Told => ({
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

/** Hashes have one length, so that comparing them tells nothing about the token, not even its length. */
const tokenCheck = (token: string): ((head: RequestHead) => boolean) => {
  const wanted = sha256(`Bearer ${token}`)
  return ({ headers }) => timingSafeEqual(sha256(headerOf(headers, 'authorization') ?? ''), wanted)
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

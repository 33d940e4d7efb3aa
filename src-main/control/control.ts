import { createHash, timingSafeEqual } from 'node:crypto'
import { dataResponse, refusalResponse } from '../http/envelope-response.ts'
import { headerOf, type Mount, type RawRequest, type RawResponse } from '../http/message.ts'
import { guardPage, isPreflight, preflightResponse } from '../http/page-guard.ts'
import { routeTable } from '../http/route-table.ts'
import type { HeaderPair } from '../protocol/canonical-request.ts'
import { type Refusal, refuse } from '../protocol/errors.ts'
import { MAIN_WORKSPACE } from '../protocol/ids.ts'
import type { Result } from '../protocol/result.ts'
import { openApiOf } from './contract/open-api.ts'
import type { Route } from './contract/route.ts'
import { CONTROL_PREFIX, type RouteId, routes } from './contract/routes.ts'
import type { ControlParts } from './control-parts.ts'
import type { Handlers } from './handler.ts'
import { benchHandlers } from './handlers/bench-handlers.ts'
import { catalogueHandlers } from './handlers/catalogue-handlers.ts'
import { consoleHandlers } from './handlers/console-handlers.ts'
import { eventHandlers } from './handlers/event-handlers.ts'
import { phoneHandlers } from './handlers/phone-handlers.ts'
import { simulatorHandlers } from './handlers/simulator-handlers.ts'
import { workspaceHandlers } from './handlers/workspace-handlers.ts'
import { parseCall } from './parse-call.ts'

/** A picture for a phone's camera is the largest thing anybody sends here. */
const BODY_LIMIT = 32 * 1024 * 1024

const OPEN_API_PATH = '/openapi.json'

/** The one control interface: page, command line and scripts all come through here. */
export const createControl = (parts: ControlParts): Mount => {
  const handlers: Handlers<RouteId> = {
    ...benchHandlers(parts),
    ...workspaceHandlers(parts),
    ...consoleHandlers(parts),
    ...eventHandlers(parts),
    ...phoneHandlers(parts),
    ...catalogueHandlers(),
    ...simulatorHandlers(parts),
  }
  const table = routeTable(
    Object.entries(routes).map(([id, route]: [string, Route]) => ({
      method: route.method,
      pattern: route.path,
      handler: id as RouteId,
    })),
  )
  const isOurToken = tokenCheck(parts.token)

  const isAllowedOrigin = async (workspace: string, origin: string): Promise<boolean> => {
    if (parts.isOurOrigin(origin)) return true
    const rps = await parts.console.rps.list(workspace)
    return rps.ok && rps.value.some(({ origins }) => origins.includes(origin))
  }

  const answer = async (request: RawRequest, cors: readonly HeaderPair[]): Promise<RawResponse> => {
    if (isPreflight(request)) return preflightResponse(cors, METHODS)
    if (request.path === OPEN_API_PATH && request.method === 'GET') return plainJson(openApiOf(parts.info.version))
    const match = table.match(request.method, request.path)
    if (!match.ok) return refusalResponse(match.error)
    const id = match.value.route.handler
    const route: Route = routes[id]
    if (route.scope === 'bench' && request.workspace !== MAIN_WORKSPACE) {
      return refusalResponse(refuse('no_route', `It is only at ${CONTROL_PREFIX}${route.path}.`))
    }
    if (route.open !== true && !isOurToken(request)) return refusalResponse(refuse('control_token'))
    const call = parseCall(route, request, match.value.params)
    if (!call.ok) return refusalResponse(call.error)
    // The contract has checked what the types say: from here on they are believed.
    const handle = handlers[id] as unknown as (call: unknown) => RawResponse | Promise<Result<unknown, Refusal>>
    const outcome = handle({ ...call.value, workspace: request.workspace, request })
    if (!(outcome instanceof Promise)) return outcome
    const result = await outcome
    return result.ok ? dataResponse(result.value) : refusalResponse(result.error)
  }

  return {
    prefix: CONTROL_PREFIX,
    bodyLimit: BODY_LIMIT,
    answer: async (request) => {
      const cors = await guardPage(request, {
        isOurHost: parts.isOurHost,
        isAllowedOrigin: (origin) => isAllowedOrigin(request.workspace, origin),
      })
      if (!cors.ok) return refusalResponse(cors.error)
      const response = await answer(request, cors.value)
      return cors.value.length === 0 ? response : { ...response, headers: [...response.headers, ...cors.value] }
    },
  }
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

const plainJson = (value: unknown): RawResponse => ({
  status: 200,
  headers: [['Content-Type', 'application/json; charset=utf-8']],
  body: JSON.stringify(value),
})

/** Hashes have one length, so that comparing them tells nothing about the token, not even its length. */
const tokenCheck = (token: string): ((request: RawRequest) => boolean) => {
  const wanted = sha256(`Bearer ${token}`)
  return ({ headers }) => timingSafeEqual(sha256(headerOf(headers, 'authorization') ?? ''), wanted)
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

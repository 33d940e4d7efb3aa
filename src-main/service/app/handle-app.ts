import { jsonDocument } from '../../http/envelope-response.ts'
import type { Mount, RawResponse } from '../../http/message.ts'
import { guardPage, isPreflight, preflightResponse } from '../../http/page-guard.ts'
import { type RouteTable, routeTable } from '../../http/route-table.ts'
import type { HeaderPair } from '../../protocol/canonical-request.ts'
import type { Refusal } from '../../protocol/errors.ts'
import { err, type Result } from '../../protocol/result.ts'
import { tellExchange } from '../exchange.ts'
import { startTurn } from '../handle.ts'
import { appInterface } from '../openapi/app-interface.ts'
import { openApiDocument } from '../openapi/document.ts'
import { codeOf, respond } from '../respond.ts'
import type { Services, Turn } from '../services.ts'
import { CALM, isCalm, strike, throughWeather } from '../strike.ts'
import { type AppHandler, appRoutes } from './app-routes.ts'
import { type AskedOfApp, authenticateDevice } from './signed-in.ts'

const BODY_LIMIT = 64 * 1024

/** For tools: no token is needed to read what the interface is. */
const pages = routeTable<(turn: Turn) => RawResponse>([
  {
    method: 'GET',
    pattern: '/openapi.json',
    handler: ({ services, workspace }) =>
      jsonDocument(openApiDocument(appInterface, services.addresses.appUrl(workspace))),
  },
])

const METHODS = [...new Set(appRoutes.map(({ method }) => method))]

/** The phones' side of the service. */
export const appMount = (services: Services, prefix: string): Mount => {
  const routes = routeTable(appRoutes, prefix)
  return {
    prefix,
    bodyLimit: (head) => bodyLimit({ services, workspace: head.workspace, request: head }, routes),
    answer: (request) => handleApp(startTurn(services, request), routes),
    refuse: (request, refusal) => finish(startTurn(services, request), { result: err(refusal), cors: [] }),
  }
}

/** The way of one phone's request: page, route, weather, token, parameters, ceremony, answer. */
const handleApp = async (turn: Turn, routes: RouteTable<AppHandler>): Promise<RawResponse> => {
  const cors = await guardPage(turn.request, await pageRules(turn))
  if (!cors.ok) return finish(turn, { result: cors, cors: [] })
  if (isPreflight(turn.request)) return preflightResponse(cors.value, METHODS)
  const done = (result: Result<unknown, Refusal>) => finish(turn, { result, cors: cors.value })

  const page = pages.match(turn.request.method, turn.request.path)
  if (page.ok) {
    const document = page.value.route.handler(turn)
    return { ...document, headers: [...document.headers, ...cors.value] }
  }
  if (page.error.name !== 'no_route') return done(page)

  const found = routes.match(turn.request.method, turn.request.path)
  if (!found.ok) return done(found)
  const { name, route, params } = found.value
  const { handler } = route
  turn.trace.route = name

  const weather = isCalm('app', turn) ? CALM : await strike('app', turn, handler.operation)
  if (weather.refusal !== undefined) return done(err(weather.refusal))
  if ('open' in handler) return throughWeather(weather, done(await handler.open(turn)))

  const caller = await authenticateDevice(turn)
  if (!caller.ok) return done(caller)
  turn.trace.device_id = caller.value.device.id

  if ('stream' in handler) return openStream(turn, handler.stream(turn, caller.value, cors.value))
  return throughWeather(weather, done(await handler.answer(turn, caller.value, params)))
}

/** Nothing is read of a request whose head gets it refused. */
const bodyLimit = async (asked: AskedOfApp, routes: RouteTable<AppHandler>): Promise<number> => {
  const { method, path } = asked.request
  const found = routes.match(method, path)
  if (!found.ok || 'stream' in found.value.route.handler) return 0
  if (!(await guardPage(asked.request, await pageRules(asked))).ok) return 0
  return 'open' in found.value.route.handler || (await authenticateDevice(asked)).ok ? BODY_LIMIT : 0
}

/** Our own pages, and those of the origins that an RP of this workspace has. */
const pageRules = async ({ services, workspace, request }: AskedOfApp) => {
  const hasOrigin = request.headers.some(([name]) => name.toLowerCase() === 'origin')
  const rps = hasOrigin ? await services.store.rps.list(workspace) : []
  return {
    isOurHost: services.addresses.isOurHost,
    isAllowedOrigin: (origin: string) =>
      services.addresses.isOurOrigin(origin) || rps.some(({ origins }) => origins.includes(origin)),
  }
}

type Outcome = { readonly result: Result<unknown, Refusal>; readonly cors: readonly HeaderPair[] }

const finish = (turn: Turn, { result, cors }: Outcome): RawResponse => {
  const plain = respond(result, turn.profile)
  const response = { ...plain, headers: [...plain.headers, ...turn.trace.headers, ...cors] }
  tellExchange('app', turn, { response, code: codeOf(result) })
  return response
}

const openStream = (turn: Turn, response: RawResponse): RawResponse => {
  // HEAD asks whether it is there; it opens nothing.
  if (turn.request.method === 'HEAD') return { status: response.status, headers: response.headers, body: '' }
  tellExchange('app', turn, { response, code: 0 })
  return response
}

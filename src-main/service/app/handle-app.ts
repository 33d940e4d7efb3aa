import { jsonDocument } from '../../http/envelope-response.ts'
import type { Mount, RawResponse } from '../../http/message.ts'
import { guardPage, isPreflight, preflightResponse } from '../../http/page-guard.ts'
import { routeTable } from '../../http/route-table.ts'
import type { HeaderPair } from '../../protocol/canonical-request.ts'
import type { Refusal } from '../../protocol/errors.ts'
import { err, type Result } from '../../protocol/result.ts'
import { actorOf, exchangeFact } from '../exchange.ts'
import { startTurn } from '../handle.ts'
import { appInterface } from '../openapi/app-interface.ts'
import { openApiDocument } from '../openapi/document.ts'
import { codeOf, respond } from '../respond.ts'
import { observeIn, type Services, type Turn } from '../services.ts'
import { micros } from '../stopwatch.ts'
import { CALM, isCalm, strike } from '../strike.ts'
import { appRoutes } from './app-routes.ts'
import { authenticateDevice } from './signed-in.ts'

const BODY_LIMIT = 64 * 1024

const routes = routeTable(appRoutes)

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
export const appMount = (services: Services, prefix: string): Mount => ({
  prefix,
  bodyLimit: BODY_LIMIT,
  answer: (request) => handleApp(startTurn(services, request), prefix),
  refuse: (request, refusal) => {
    const turn = startTurn(services, request)
    return finish(turn, { result: err(refusal), started: micros(), lost: false, cors: [] })
  },
})

/** The way of one phone's request: page, route, token, parameters, ceremony, answer. */
const handleApp = async (turn: Turn, prefix: string): Promise<RawResponse> => {
  const started = micros()
  const cors = await guardPage(turn.request, await pageRules(turn))
  if (!cors.ok) return finish(turn, { result: cors, started, lost: false, cors: [] })
  if (isPreflight(turn.request)) return preflightResponse(cors.value, METHODS)
  const done = (result: Result<unknown, Refusal>, lost = false) =>
    finish(turn, { result, started, lost, cors: cors.value })

  const page = pages.match(turn.request.method, turn.request.path)
  if (page.ok) {
    const document = page.value.route.handler(turn)
    return { ...document, headers: [...document.headers, ...cors.value] }
  }
  if (page.error.name !== 'no_route') return done(page)

  const route = routes.match(turn.request.method, turn.request.path)
  if (!route.ok) return done(route)
  const { pattern, handler } = route.value.route
  turn.trace.route = `${prefix}${pattern}`

  const weather = isCalm('app', turn) ? CALM : await strike('app', turn, handler.operation)
  if (weather.refusal !== undefined) return done(err(weather.refusal))
  if ('open' in handler) return done(await handler.open(turn), weather.lost)

  const caller = await authenticateDevice(turn)
  if (!caller.ok) return done(caller)
  turn.trace.device_id = caller.value.device.id

  if ('stream' in handler)
    return openStream(turn, { started, response: handler.stream(turn, caller.value, cors.value) })
  return done(await handler.answer(turn, caller.value, route.value.params), weather.lost)
}

/** Our own pages, and those of the origins that an RP of this workspace has. */
const pageRules = async ({ services, workspace, request }: Turn) => {
  const hasOrigin = request.headers.some(([name]) => name.toLowerCase() === 'origin')
  const rps = hasOrigin ? await services.store.rps.list(workspace) : []
  return {
    isOurHost: services.addresses.isOurHost,
    isAllowedOrigin: (origin: string) =>
      services.addresses.isOurOrigin(origin) || rps.some(({ origins }) => origins.includes(origin)),
  }
}

type Outcome = {
  readonly result: Result<unknown, Refusal>
  readonly started: number
  readonly lost: boolean
  readonly cors: readonly HeaderPair[]
}

const finish = (turn: Turn, { result, started, lost, cors }: Outcome): RawResponse => {
  const plain = respond(result, turn.profile)
  const response = { ...plain, headers: [...plain.headers, ...turn.trace.headers, ...cors] }
  tell(turn, { response, code: codeOf(result), started })
  return lost ? { ...response, lost: true } : response
}

const openStream = (turn: Turn, { response, started }: { response: RawResponse; started: number }): RawResponse => {
  // HEAD asks whether it is there; it opens nothing.
  if (turn.request.method === 'HEAD') return { status: response.status, headers: response.headers, body: '' }
  tell(turn, { response, code: 0, started })
  return response
}

const tell = (
  turn: Turn,
  { response, code, started }: { readonly response: RawResponse; readonly code: number; readonly started: number },
): void => {
  const { services, request, trace } = turn
  const took_us = micros() - started
  observeIn(turn, actorOf('app', trace), exchangeFact('app', turn, { response, code, took_us }))
  services.log({
    level: 'info',
    event: 'app request',
    request: request.id,
    workspace: turn.workspace,
    method: request.method,
    route: trace.route,
    status: response.status,
    code,
    took_us,
  })
}

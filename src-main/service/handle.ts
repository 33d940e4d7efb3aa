import { jsonDocument } from '../http/envelope-response.ts'
import type { Mount, RawRequest, RawResponse } from '../http/message.ts'
import { type RouteMatch, routeTable } from '../http/route-table.ts'
import { type Refusal, refuse } from '../protocol/errors.ts'
import { err, type Result } from '../protocol/result.ts'
import { authenticate } from './authenticate.ts'
import { tellExchange } from './exchange.ts'
import { messagePage } from './message-page.ts'
import { openApiDocument } from './openapi/document.ts'
import { rpInterface } from './openapi/rp-interface.ts'
import { codeOf, respond } from './respond.ts'
import { type RpHandler, rpRoutes } from './routes.ts'
import { newTrace, type Services, type Turn } from './services.ts'
import { micros } from './stopwatch.ts'
import { CALM, isCalm, strike, throughWeather } from './strike.ts'

const BODY_LIMIT = 64 * 1024

type Page = (services: Services, workspace: string) => RawResponse

/** For people and tools, not signed. */
const pages: ReadonlyMap<string, Page> = new Map([
  ['/m', () => messagePage],
  [
    '/openapi.json',
    ({ addresses }: Services, workspace: string) =>
      jsonDocument(openApiDocument(rpInterface, addresses.baseUrl(workspace))),
  ],
])

/** The RP's side of the service. */
export const rpMount = (services: Services, prefix: string): Mount => {
  const routes = routeTable(rpRoutes, prefix)
  return {
    prefix,
    // The signature covers the body, so that it is read first.
    bodyLimit: () => BODY_LIMIT,
    // Not async: a promise inside a promise is three turns of the queue more.
    answer: (request) => {
      const page = pages.get(request.path)
      return page === undefined
        ? handle(startTurn(services, request), routes.match(request.method, request.path))
        : Promise.resolve(answerPage(services, request, page))
    },
    refuse: (request, refusal) => finish(startTurn(services, request), err(refusal)),
  }
}

const answerPage = (services: Services, request: RawRequest, page: Page): RawResponse => {
  if (request.method === 'GET' || request.method === 'HEAD') return page(services, request.workspace)
  const refusal = refuse('method_not_allowed', 'Allowed: GET, HEAD.', { headers: { Allow: 'GET, HEAD' } })
  return finish(startTurn(services, request), err(refusal))
}

/** The way of one RP request: route, weather, signature, parameters, ceremony, answer. */
const handle = async (turn: Turn, found: Result<RouteMatch<RpHandler>, Refusal>): Promise<RawResponse> => {
  if (!found.ok) return finish(turn, found)
  const { name, route } = found.value
  turn.trace.route = name

  const weather = isCalm('rp', turn) ? CALM : await strike('rp', turn, route.handler.operation)
  if (weather.refusal !== undefined) return finish(turn, err(weather.refusal))

  const caller = await authenticate(turn)
  if (!caller.ok) return finish(turn, caller)
  turn.trace.rp_id = caller.value.rp.id
  turn.trace.access_key_id = caller.value.accessKeyId

  const perMinute = turn.profile.rate_limit_per_minute
  const excess = turn.services.rateLimit.check(turn.workspace, caller.value.accessKeyId, perMinute)
  if (excess !== undefined) return finish(turn, err(excess))

  return throughWeather(weather, finish(turn, await route.handler.answer(turn, caller.value)))
}

const finish = (turn: Turn, result: Result<unknown, Refusal>): RawResponse => {
  const response = respond(result, turn.profile)
  tellExchange('rp', turn, { response, code: codeOf(result) })
  return response
}

export const startTurn = (services: Services, request: RawRequest): Turn => ({
  services,
  request,
  workspace: request.workspace,
  mark: services.open.get(request.workspace),
  clock: services.clock(request.workspace),
  profile: services.settings.profile(request.workspace),
  started: micros(),
  trace: newTrace(),
})

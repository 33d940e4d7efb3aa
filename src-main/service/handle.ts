import { jsonDocument } from '../http/envelope-response.ts'
import type { Mount, RawRequest, RawResponse } from '../http/message.ts'
import { routeTable } from '../http/route-table.ts'
import { type Refusal, refuse } from '../protocol/errors.ts'
import { err, type Result } from '../protocol/result.ts'
import { authenticate } from './authenticate.ts'
import { actorOf, exchangeFact } from './exchange.ts'
import { messagePage } from './message-page.ts'
import { openApiDocument } from './openapi/document.ts'
import { rpInterface } from './openapi/rp-interface.ts'
import { codeOf, respond } from './respond.ts'
import { rpRoutes } from './routes.ts'
import { observeIn, type Services, type Turn } from './services.ts'
import { micros } from './stopwatch.ts'
import { CALM, isCalm, strike } from './strike.ts'

const BODY_LIMIT = 64 * 1024

const routes = routeTable(rpRoutes)

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
export const rpMount = (services: Services, prefix: string): Mount => ({
  prefix,
  bodyLimit: BODY_LIMIT,
  // Not async: a promise inside a promise is three turns of the queue more.
  answer: (request) => {
    const page = pages.get(request.path)
    return page === undefined
      ? handle(startTurn(services, request), prefix)
      : Promise.resolve(answerPage(services, request, page))
  },
  refuse: (request, refusal) => {
    const turn = startTurn(services, request)
    return finish(turn, { result: err(refusal), started: micros(), lost: false })
  },
})

const answerPage = (services: Services, request: RawRequest, page: Page): RawResponse => {
  if (request.method === 'GET' || request.method === 'HEAD') return page(services, request.workspace)
  const result = err(refuse('method_not_allowed', 'Allowed: GET, HEAD.', { headers: { Allow: 'GET, HEAD' } }))
  return finish(startTurn(services, request), { result, started: micros(), lost: false })
}

/** The way of one RP request: route, signature, parameters, ceremony, answer. */
const handle = async (turn: Turn, prefix: string): Promise<RawResponse> => {
  const started = micros()
  const done = (result: Result<unknown, Refusal>, lost = false) => finish(turn, { result, started, lost })

  const route = routes.match(turn.request.method, turn.request.path)
  if (!route.ok) return done(route)
  const { pattern, handler } = route.value.route
  turn.trace.route = `${prefix}${pattern}`

  const weather = isCalm('rp', turn) ? CALM : await strike('rp', turn, handler.operation)
  if (weather.refusal !== undefined) return done(err(weather.refusal))

  const caller = await authenticate(turn)
  if (!caller.ok) return done(caller)
  turn.trace.rp_id = caller.value.rp.id
  turn.trace.access_key_id = caller.value.accessKeyId

  const perMinute = turn.profile.rate_limit_per_minute
  const excess = turn.services.rateLimit.check(turn.workspace, caller.value.accessKeyId, perMinute)
  if (excess !== undefined) return done(err(excess))

  return done(await handler.answer(turn, caller.value), weather.lost)
}

const finish = (
  turn: Turn,
  outcome: { readonly result: Result<unknown, Refusal>; readonly started: number; readonly lost: boolean },
): RawResponse => {
  const { services, request, trace } = turn
  const response = respond(outcome.result, turn.profile)
  const code = codeOf(outcome.result)
  const took_us = micros() - outcome.started
  observeIn(turn, actorOf('rp', trace), exchangeFact('rp', turn, { response, code, took_us }))
  services.log({
    level: 'info',
    event: 'rp request',
    request: request.id,
    workspace: turn.workspace,
    method: request.method,
    route: trace.route,
    status: response.status,
    code,
    took_us,
  })
  return outcome.lost ? { ...response, lost: true } : response
}

export const startTurn = (services: Services, request: RawRequest): Turn => ({
  services,
  request,
  workspace: request.workspace,
  clock: services.clock(request.workspace),
  profile: services.settings.profile(request.workspace),
  trace: { headers: [] },
})

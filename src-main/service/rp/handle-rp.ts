import { normalConditions } from '../../core/contract/conditions.ts'
import { type Refusal, refuseMethod } from '../../core/contract/errors.ts'
import { createOpenApi } from '../../core/contract/open-api.ts'
import { defaultProfile } from '../../core/contract/profile.ts'
import {
  RP_OPERATIONS,
  type RpData,
  type RpInput,
  type RpOperation,
  rpInterface,
  rpRoutes,
} from '../../core/contract/rp/routes.ts'
import { type Answer, BODY_LIMIT } from '../../core/contract/schema.ts'
import { err, type Result } from '../../core/protocol/result.ts'
import { envelopeCode, jsonDocument, resultResponse } from '../../http/envelope-response.ts'
import type { Mount, RawResponse } from '../../http/message.ts'
import { createRouteNamer, createRouteTable, type RouteMatch } from '../../http/route-table.ts'
import { applyConditions, applyLoss, applyScoped } from '../conditions/apply-conditions.ts'
import { subjectOfRpCall } from '../conditions/subject.ts'
import { deleteCredentials, listCredentials } from '../credentials/credentials.ts'
import { faultsFor } from '../faults/trigger-faults.ts'
import { beginAuthentication, beginRegistration } from '../messages/begin-ceremony.ts'
import { messagePage } from '../messages/message-page.ts'
import { readAuthenticationResult, readRegistrationResult } from '../messages/read-result.ts'
import { type ParsedInput, parseInput } from '../request/parse-input.ts'
import { logRequest, recordExchange, startRequest } from '../request/record-exchange.ts'
import type { RequestContext, Services } from '../services.ts'
import { authenticate, type Caller } from '../signing/authenticate.ts'

type Page = (services: Services, workspace: string) => RawResponse

/** Pages for people and tools; their requests need no signature. */
const pages: ReadonlyMap<string, Page> = new Map([
  ['/m', () => messagePage],
  [
    '/openapi.json',
    ({ addresses, settings }: Services, workspace: string) =>
      jsonDocument(createOpenApi(rpInterface(addresses.baseUrl(workspace), settings.profile(workspace)))),
  ],
])

export const rpMount = (services: Services, prefix: string): Mount => {
  const routes = createRouteTable(rpTable, prefix)
  const routeOf = createRouteNamer(routes)
  return {
    prefix,
    // The signature covers the body, so the body is read first.
    bodyLimit: () => BODY_LIMIT,
    // Not async: returning a promise from an async function costs three more microtasks.
    answer: (request) => {
      const page = pages.get(request.path)
      return page === undefined
        ? handle(startRequest(services, request), routes.match(request.method, request.path))
        : Promise.resolve(answerPage(startRequest(services, request, prefix + request.path), page))
    },
    routeOf,
    refuse: (request, refusal) => finish(startRequest(services, request, routeOf(request)), err(refusal)),
  }
}

const answerPage = (context: RequestContext, page: Page): RawResponse => {
  const { services, request, workspace } = context
  if (request.method !== 'GET' && request.method !== 'HEAD') return finish(context, err(refuseMethod(['GET', 'HEAD'])))
  const response = page(services, workspace)
  logRequest('rp', context, { response, code: 0 })
  return response
}

const handle = async (
  context: RequestContext,
  found: Result<RouteMatch<RpOperation>, Refusal>,
): Promise<RawResponse> => {
  if (!found.ok) return finish(context, found)
  const { services, workspace } = context
  const { settings } = services
  const { name, route } = found.value
  const operation = route.handler
  context.trace.route = name

  const simulated = settings.conditions(workspace) !== normalConditions
  const failed = simulated ? await applyConditions('rp', context, operation) : undefined
  if (failed !== undefined) return finish(context, err(failed))

  const caller = await authenticate(context)
  if (!caller.ok) return finish(context, caller)
  context.trace.rp_id = caller.value.rp.id
  context.trace.access_key_id = caller.value.accessKeyId
  context.trace.scope = caller.value.scope

  const perMinute = context.profile.rate_limit_per_minute
  const excess =
    perMinute === 0 ? undefined : await services.rateLimit.check(workspace, caller.value.accessKeyId, perMinute)
  if (excess !== undefined) return finish(context, err(excess))

  const input = parseRp(operation, context)
  if (!input.ok) return finish(context, input)
  const own =
    settings.conditions(workspace).scoped === undefined
      ? undefined
      : await applyScoped('rp', context, operation, await subjectOfRpCall(context, input.value))
  if (own !== undefined) return finish(context, err(own))
  const about = { operation, rp: caller.value.rp.id, input: input.value, mayAsk: true }
  const faults =
    settings.faults(workspace).length === 0
      ? undefined
      : await faultsFor(context, { ...about, subject: await subjectOfRpCall(context, input.value) })
  // The contract has checked the input, so it has the handler's input type.
  const handler = handlers[operation] as unknown as Handler
  const result = await handler(context, caller.value, faults?.ask(input.value) ?? input.value)
  const honest = resultResponse(result, context.profile)
  return recorded(context, result, faults === undefined ? honest : await faults.change(honest, result))
}

const finish = (context: RequestContext, result: Result<unknown, Refusal>): RawResponse =>
  recorded(context, result, resultResponse(result, context.profile))

const recorded = (context: RequestContext, result: Result<unknown, Refusal>, response: RawResponse): RawResponse => {
  recordExchange('rp', context, { response, code: envelopeCode(result) })
  return context.trace.conditions === undefined ? response : applyLoss(context, response)
}

type Handlers = {
  readonly [K in RpOperation]: (context: RequestContext, caller: Caller, input: RpInput<K>) => Answer<RpData<K>>
}

const handlers: Handlers = {
  'attestation.options': beginRegistration,
  'attestation.result': readRegistrationResult,
  'assertion.options': beginAuthentication,
  'assertion.result': readAuthenticationResult,
  'credentials.list': listCredentials,
  'credentials.delete': deleteCredentials,
}

type Handler = (context: RequestContext, caller: Caller, input: ParsedInput) => Answer<unknown>

/** Parses first: a handler gets only input that the contract allows. */
export const parseRp = (operation: RpOperation, context: RequestContext): Result<ParsedInput, Refusal> =>
  parseInput(rpRoutes(context.profile)[operation], context.request, {})

/** Addresses are the same in every profile. */
const addresses = rpRoutes(defaultProfile)

export const rpTable = RP_OPERATIONS.map((operation) => ({
  method: addresses[operation].method,
  pattern: addresses[operation].path,
  handler: operation,
}))

import {
  type AppData,
  type AppInput,
  type AppOperation,
  type AppRoute,
  appAddresses,
  appBodyLimit,
  appInterface,
  appRoutes,
  appTable,
} from '../../core/contract/app/routes.ts'
import { normalConditions } from '../../core/contract/conditions.ts'
import type { Refusal } from '../../core/contract/errors.ts'
import { createOpenApi } from '../../core/contract/open-api.ts'
import type { Answer } from '../../core/contract/schema.ts'
import type { HeaderPair } from '../../core/protocol/canonical-request.ts'
import { err, type Result } from '../../core/protocol/result.ts'
import { envelopeCode, jsonDocument, resultResponse } from '../../http/envelope-response.ts'
import { findHeader, type Mount, type RawResponse } from '../../http/message.ts'
import { guardPage, isPreflight, preflightResponse } from '../../http/page-guard.ts'
import { createRouteNamer, createRouteTable, type RouteTable } from '../../http/route-table.ts'
import { finishAuthentication, finishRegistration, rejectMessage } from '../ceremony/answer.ts'
import { bindMessage } from '../ceremony/bind.ts'
import { applyConditions, applyLoss, applyScoped } from '../conditions/apply-conditions.ts'
import { subjectOfAppCall } from '../conditions/subject.ts'
import { type AppRequest, appPageRules, authenticateDevice, signIn, signOut } from '../devices/sign-in.ts'
import { openInbox } from '../inbox/open-inbox.ts'
import { parseInput } from '../request/parse-input.ts'
import { logRequest, recordExchange, startRequest } from '../request/record-exchange.ts'
import type { RequestContext, Services, SignedIn } from '../services.ts'
import { deleteSealed, getSealed, listVault, putSealed } from '../vault/vault.ts'

type With<Mark> = { [K in AppOperation]: AppRoute<K> extends Mark ? K : never }[AppOperation]
type Open = With<{ readonly open: true }>
type Stream = With<{ readonly stream: true }>

type HandlerOf<K extends AppOperation> = K extends Open
  ? (context: RequestContext, input: AppInput<K>) => Answer<AppData<K>>
  : K extends Stream
    ? (context: RequestContext, caller: SignedIn, cors: readonly HeaderPair[]) => Promise<RawResponse>
    : (context: RequestContext, caller: SignedIn, input: AppInput<K>) => Answer<AppData<K>>

const handlers: { readonly [K in AppOperation]: HandlerOf<K> } = {
  'devices.sign_in': signIn,
  'devices.sign_out': signOut,
  'messages.bind': bindMessage,
  'messages.attestation': finishRegistration,
  'messages.assertion': finishAuthentication,
  'messages.reject': rejectMessage,
  inbox: openInbox,
  'vault.list': listVault,
  'vault.put': putSealed,
  'vault.get': getSealed,
  'vault.delete': deleteSealed,
}

const isOpen = (operation: AppOperation): operation is Open => 'open' in appAddresses[operation]

const isStream = (operation: AppOperation): operation is Stream => 'stream' in appAddresses[operation]

type Called = { readonly context: RequestContext; readonly params: Readonly<Record<string, string>> }

/** Parses first: a handler gets only input that the contract allows. */
const withInput = (operation: AppOperation, { context, params }: Called, run: (input: never) => Answer<unknown>) => {
  const input = parseInput(appRoutes(context.profile)[operation], context.request, params)
  // The contract has checked the input, so it has the handler's input type.
  return input.ok ? run(input.value as never) : Promise.resolve(input)
}

/** The interface's description needs no token, so that tools can fetch it. */
const pages = createRouteTable<(context: RequestContext) => RawResponse>([
  {
    method: 'GET',
    pattern: '/openapi.json',
    handler: ({ services, workspace, profile }) =>
      jsonDocument(createOpenApi(appInterface(services.addresses.appUrl(workspace), profile))),
  },
])

const METHODS = [...new Set(appTable.map(({ method }) => method))]

export const appMount = (services: Services, prefix: string): Mount => {
  const routes = createRouteTable(appTable, prefix)
  const routeOf = createRouteNamer(routes)
  return {
    prefix,
    bodyLimit: (head) => bodyLimit({ services, workspace: head.workspace, request: head }, routes),
    answer: (request) => handleApp(startRequest(services, request), routes),
    routeOf,
    refuse: (request, refusal) =>
      finish(startRequest(services, request, routeOf(request)), { result: err(refusal), cors: [] }),
  }
}

const handleApp = async (context: RequestContext, routes: RouteTable<AppOperation>): Promise<RawResponse> => {
  const cors = await guardPage(context.request, appPageRules(context))
  if (!cors.ok) return finish(context, { result: cors, cors: [] })
  if (isPreflight(context.request)) return logged(context, preflightResponse(cors.value, METHODS))
  const done = (result: Result<unknown, Refusal>) => finish(context, { result, cors: cors.value })

  const { method, path } = context.request
  const found = routes.match(method, path)
  if (!found.ok) {
    const page = found.error.name === 'no_route' ? pages.match(method, path) : found
    if (!page.ok) return done(page)
    const document = page.value.route.handler(context)
    return logged(context, { ...document, headers: [...document.headers, ...cors.value] })
  }
  const { name, route, params } = found.value
  const operation = route.handler
  context.trace.route = name

  const conditions = context.services.settings.conditions(context.workspace)
  const failed = conditions === normalConditions ? undefined : await applyConditions('app', context, operation)
  if (failed !== undefined) return done(err(failed))
  const called = { context, params }
  if (isOpen(operation)) return done(await withInput(operation, called, (input) => handlers[operation](context, input)))

  const caller = await authenticateDevice(context)
  if (!caller.ok) return done(caller)
  const device = caller.value.device.id
  context.trace.device_id = device
  const own =
    context.services.settings.conditions(context.workspace).scoped === undefined
      ? undefined
      : await applyScoped('app', context, operation, await subjectOfAppCall(context, params, device))
  if (own !== undefined) return done(err(own))

  if (isStream(operation)) return openStream(context, await handlers[operation](context, caller.value, cors.value))
  return done(await withInput(operation, called, (input) => handlers[operation](context, caller.value, input)))
}

const SMALL_BODY = 8 * 1024

/** If a request's head is refused, only a small body is read. */
const bodyLimit = (asked: AppRequest, routes: RouteTable<AppOperation>): number | Promise<number> => {
  const { method, path } = asked.request
  const found = routes.match(method, path)
  const operation = found.ok ? found.value.route.handler : undefined
  const limit = operation === undefined ? 0 : appBodyLimit(operation)
  if (operation === undefined || limit === 0) return 0
  // Reading a small body costs less than authenticating twice.
  if (Number(findHeader(asked.request.headers, 'content-length') ?? Number.NaN) <= SMALL_BODY) return limit
  return mayAsk(asked, operation).then((may) => (may ? limit : 0))
}

const mayAsk = async (asked: AppRequest, operation: AppOperation): Promise<boolean> =>
  (await guardPage(asked.request, appPageRules(asked))).ok &&
  (isOpen(operation) || (await authenticateDevice(asked)).ok)

type Outcome = { readonly result: Result<unknown, Refusal>; readonly cors: readonly HeaderPair[] }

const finish = (context: RequestContext, { result, cors }: Outcome): RawResponse => {
  const plain = resultResponse(result, context.profile)
  const response = { ...plain, headers: [...plain.headers, ...context.trace.headers, ...cors] }
  recordExchange('app', context, { response, code: envelopeCode(result) })
  return context.trace.conditions === undefined ? response : applyLoss(context, response)
}

const logged = (context: RequestContext, response: RawResponse): RawResponse => {
  logRequest('app', context, { response, code: 0 })
  return response
}

const openStream = (context: RequestContext, response: RawResponse): RawResponse => {
  // HEAD gets only the head; it opens no stream.
  if (context.request.method === 'HEAD') {
    return logged(context, { status: response.status, headers: response.headers, body: '' })
  }
  recordExchange('app', context, { response, code: 0 })
  return response
}

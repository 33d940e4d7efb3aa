import { refuse } from '../../core/contract/errors.ts'
import { BODY_LIMIT } from '../../core/contract/route.ts'
import { decodedBody } from '../../http/decoded-body.ts'
import { isNamed, type Mount, type RawResponse } from '../../http/message.ts'
import { guardPage } from '../../http/page-guard.ts'
import { foreignJsonIn } from '../../http/parse-json.ts'
import { routeNames, routeTable } from '../../http/route-table.ts'
import { createUpstream, endToEnd, staysBelow, type Upstream } from '../../http/upstream.ts'
import { appTable } from '../app/app-handlers.ts'
import { appPageRules } from '../app/handle-app.ts'
import { applyConditions, applyLoss, areNormal } from '../conditions/apply-conditions.ts'
import { recordExchange } from '../request/record-exchange.ts'
import { startRequest } from '../rp/handle-rp.ts'
import type { RequestContext, Services } from '../services.ts'
import { codeHeard, refusalOfTarget, refused } from './answers.ts'
import { forwardRpMount } from './forward-rp.ts'
import { createKnownMessages } from './known-messages.ts'
import { type RecordedExchange, recordedAnswers } from './recorded-answers.ts'

export type Forwarding = { readonly mounts: { readonly rp: Mount; readonly app: Mount }; close(): void }

/** A service that replaces the one of this process. */
export type ForwardSettings = {
  /** Its base_url and app_url, without a slash at the end. */
  readonly baseUrl?: string
  readonly appUrl?: string
  /** Trusted in addition to the usual roots, PEM. */
  readonly ca?: string
  readonly patienceMs: number
  /** Calls that these answer are not forwarded. */
  readonly recorded?: readonly RecordedExchange[]
  /** True if an access key was given, with which signatures can be verified. */
  readonly keyed: boolean
}

/** Mounts in the place of the service's own. With an empty prefix the target's paths begin with /rp here, too. */
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

/** The app interface of another service, if its address was given. */
const forwardAppMount = (
  services: Services,
  target: { readonly upstream: Upstream; readonly path: string } | undefined,
): Mount => {
  const prefix = '/app'
  const routes = routeTable(appTable, prefix)
  const routeOf = routeNames(routes)
  return {
    prefix,
    bodyLimit: () => (target === undefined ? 0 : BODY_LIMIT),
    answer: async (request) => {
      const found = routes.match(request.method, request.path)
      const context = startRequest(services, request, found.ok ? found.value.name : undefined)
      const page = await guardPage(request, appPageRules(context))
      if (!page.ok) return refused('app', context, page.error)
      if (target === undefined) return refused('app', context, refuse('no_route', { code: 'no_target' }))
      if (!staysBelow(request.path)) return refused('app', context, refuse('no_route', { code: 'outside_target' }))
      if (found.ok) {
        context.trace.msg_id = found.value.params.msg_id
        const operation = found.value.route.handler
        const failed = areNormal('app', context) ? undefined : await applyConditions('app', context, operation)
        if (failed !== undefined) return refused('app', context, failed)
      }
      return pass(context, target)
    },
    routeOf,
    refuse: (request, refusal) => refused('app', startRequest(services, request, routeOf(request)), refusal),
  }
}

const pass = async (
  context: RequestContext,
  { upstream, path }: { readonly upstream: Upstream; readonly path: string },
): Promise<RawResponse> => {
  const { method, path: own, query, headers, body } = context.request
  const answer = await upstream.send({
    method,
    target: `${path}${own}${query === '' ? '' : `?${query}`}`,
    headers: endToEnd(headers).map((pair) => (isNamed(pair[0], 'host') ? [pair[0], upstream.host] : pair)),
    body,
  })
  if (!answer.ok) return refused('app', context, refusalOfTarget(answer.error))
  const { headers: heard, status, stream } = answer.value
  const text = decodedBody(heard, answer.value.body) ?? ''
  const code = stream === undefined ? codeHeard(foreignJsonIn(text), status) : 0
  context.trace.answered_by = 'target'
  recordExchange('app', context, { response: { ...answer.value, body: text }, code })
  return applyLoss(context, answer.value)
}

import type { benchRoutes } from '../../../core/contract/control/bench-routes.ts'
import type { leaseRoutes } from '../../../core/contract/control/lease-routes.ts'
import type { catalogueRoutes } from '../../../core/contract/control/service-fault-routes.ts'
import type { LeaseState } from '../../../core/contract/control/states.ts'
import type { tokenRoutes } from '../../../core/contract/control/token-routes.ts'
import { notFound } from '../../../core/contract/errors.ts'
import { FAULT_NAMES } from '../../../core/contract/faults.ts'
import { SERVICE_FAULT_NAMES, type ServiceFaultName, serviceFaultOf } from '../../../core/contract/service-faults.ts'
import { en } from '../../../core/messages/en/en.ts'
import { MAIN_WORKSPACE } from '../../../core/protocol/ids.ts'
import { err, ok } from '../../../core/protocol/result.ts'
import { eventStream } from '../../../http/event-stream.ts'
import { MODELS } from '../../../phones/authenticator/models.ts'
import { usableAlgorithms } from '../../../phones/phone/model.ts'
import { addressesOf, answerWith, type Call, type ControlParts, type Handlers, type RouteIds } from '../handler.ts'
import type { LeaseRef } from '../leases/leases.ts'
import { type Caller, type Callers, tokenLacks } from '../tokens.ts'

export const benchHandlers = (
  parts: ControlParts,
): Handlers<Exclude<RouteIds<typeof benchRoutes>, `workspaces.${string}`>> => {
  const { callers, info, sessions } = parts

  return {
    'bench.info': async ({ workspace, caller }) =>
      ok({
        ...info,
        control_version: 1 as const,
        workspaces: (await callers.seen(caller)).map(({ id }) => id),
        ...addressesOf(parts, workspace),
      }),
    'session.open': ({ body }) => answerWith(sessions.redeem(body.code), (token) => ({ token })),
    'session.invite': async ({ caller, body: { workspace = MAIN_WORKSPACE } }) => {
      const isSeen = (await callers.seen(caller)).some(({ id }) => id === workspace)
      if (!isSeen) return err(notFound('workspace', workspace))
      const code = sessions.invite(caller)
      return ok({ code, url: `${parts.addresses.uiUrl(workspace)}#code=${code}` })
    },
  }
}

export const tokenHandlers = ({ tokens, recorder }: ControlParts): Handlers<RouteIds<typeof tokenRoutes>> => {
  const record = (change: 'created' | 'revoked', id: string, detail: Readonly<Record<string, unknown>> = {}): void => {
    const setting = { kind: 'setting', subject: 'token', change, id, detail } as const
    recorder.observe(MAIN_WORKSPACE, { actor: { kind: 'control' }, ...setting })
  }

  return {
    'tokens.list': async () => ok({ tokens: tokens.list() }),
    'tokens.create': async ({ body }) => {
      const made = await tokens.create(body)
      if (made.ok) record('created', made.value.token.id, made.value.token)
      return made
    },
    'tokens.revoke': async ({ params: { id } }) => {
      const revoked = await tokens.revoke(id)
      if (!revoked.ok) return revoked
      record('revoked', id)
      return ok({})
    },
  }
}

export const leaseHandlers = ({ leases, callers }: ControlParts): Handlers<RouteIds<typeof leaseRoutes>> => ({
  'leases.list': async ({ workspace, caller }) =>
    ok({ leases: leases.list(workspace).map((lease) => seenBy(callers, caller, lease)) }),
  'leases.create': async ({ workspace, body }) => ok(await leases.create(workspace, body)),
  'leases.get': (call) => answerWith(leases.get(refOf(call)), (lease) => seenBy(callers, call.caller, lease)),
  'leases.hold': (call) => {
    const ref = refOf(call)
    if (!leases.get(ref).ok) return Promise.resolve(err(notFound('lease', ref.lease)))
    return eventStream(({ end }) => leases.hold(ref, end) ?? end)
  },
  'leases.delete': async (call) => {
    const lease = leases.get(refOf(call))
    // The end of a lease closes its workspaces.
    if (lease.ok && lease.value.workspaces.some((id) => !callers.owns(call.caller, id))) {
      return err(tokenLacks('close'))
    }
    return answerWith(leases.end(refOf(call)), (removed) => ({ removed }))
  },
})

const seenBy = (callers: Callers, caller: Caller, lease: LeaseState): LeaseState => ({
  ...lease,
  workspaces: lease.workspaces.filter((id) => callers.sees(caller, id)),
})

type LeaseCall = Pick<Call<'leases.get'>, 'workspace' | 'params'>

const refOf = ({ workspace, params }: LeaseCall): LeaseRef => ({ workspace, lease: params.id })

export const catalogueHandlers = (): Handlers<RouteIds<typeof catalogueRoutes> | 'catalogue.service-faults'> => ({
  'catalogue.models': async () =>
    ok({ models: Object.values(MODELS).map((model) => ({ ...model, choices: usableAlgorithms(model) })) }),
  'catalogue.faults': async () => {
    const { describeFault, FAULTS, seenByRps: seenOf } = await import('../../../phones/authenticator/faults.ts')
    return ok({
      faults: FAULT_NAMES.map((name) => ({
        ...describeFault(FAULTS[name]),
        seen: seenOf(FAULTS[name]),
        title: en.faults[name],
      })),
    })
  },
  'catalogue.service-faults': async () => ok({ faults: SERVICE_FAULT_NAMES.map(describeServiceFault) }),
})

const describeServiceFault = (name: ServiceFaultName) => {
  const { group, on, when, harm, act, seen, parameters } = serviceFaultOf(name)
  return {
    name,
    group,
    title: en.serviceFaults[name],
    careful: en.carefulActs[act],
    harm,
    seen,
    on,
    when,
    ...(parameters === undefined ? {} : { parameters }),
  }
}

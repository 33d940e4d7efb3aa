import type { benchRoutes } from '../../../core/contract/control/bench-routes.ts'
import type { leaseRoutes } from '../../../core/contract/control/lease-routes.ts'
import type { Body } from '../../../core/contract/control/routes.ts'
import type { catalogueRoutes } from '../../../core/contract/control/service-fault-routes.ts'
import type { LeaseState, WorkspaceState } from '../../../core/contract/control/states.ts'
import type { TokenState, tokenRoutes } from '../../../core/contract/control/token-routes.ts'
import type { WorkspaceAbout } from '../../../core/contract/control/workspace-about.ts'
import { notFound, quotaReached, type Refusal, refuse } from '../../../core/contract/errors.ts'
import { FAULT_NAMES } from '../../../core/contract/faults.ts'
import { SERVICE_FAULT_NAMES, type ServiceFaultName, serviceFaultOf } from '../../../core/contract/service-faults.ts'
import { en } from '../../../core/messages/en/en.ts'
import { MAIN_WORKSPACE } from '../../../core/protocol/ids.ts'
import { err, ok } from '../../../core/protocol/result.ts'
import { eventStream } from '../../../http/event-stream.ts'
import { MODELS } from '../../../phones/authenticator/models.ts'
import { algorithmsFor } from '../../../phones/phone/model.ts'
import { addressesOf, type ControlParts } from '../control-parts.ts'
import type { Answer, Call, Handlers, RouteIds } from '../handler.ts'
import type { LeaseRef } from '../leases/leases.ts'
import { type Caller, type Callers, revealsSecrets, tokenMayNot } from '../tokens.ts'

export const benchHandlers = (
  parts: ControlParts,
): Handlers<Exclude<RouteIds<typeof benchRoutes>, `workspaces.${string}`>> => {
  const { admin, callers, info, sessions } = parts

  const ids = async (caller: Caller): Promise<readonly string[]> =>
    (await admin.workspaces.list()).flatMap(({ id }) => (callers.sees(caller, id) ? [id] : []))

  return {
    'bench.info': async ({ workspace, caller }) =>
      ok({
        version: info.version,
        control_version: 1 as const,
        pid: info.pid,
        node: info.node,
        data_directory: info.dataDirectory ?? null,
        workspaces: await ids(caller),
        ...addressesOf(parts, workspace),
      }),
    'session.open': async ({ body }) => {
      const token = sessions.redeem(body.code)
      return token.ok ? ok({ token: token.value }) : token
    },
    'session.invite': async ({ caller, body: { workspace = MAIN_WORKSPACE } }) => {
      if (!(await ids(caller)).includes(workspace)) return err(notFound('workspace', workspace))
      const code = sessions.invite(caller)
      return ok({ code, url: `${parts.addresses.uiUrl(workspace)}#code=${code}` })
    },
  }
}

export const tokenHandlers = ({ tokens, recorder }: ControlParts): Handlers<RouteIds<typeof tokenRoutes>> => {
  const record = (change: 'created' | 'revoked', id: string, detail: Readonly<Record<string, unknown>> = {}): void =>
    recorder.observe(MAIN_WORKSPACE, {
      actor: { kind: 'control' },
      kind: 'setting',
      subject: 'token',
      change,
      id,
      detail,
    })

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

type LeaseCall = { readonly workspace: string; readonly params: { readonly id: string } }

export const leaseHandlers = ({ leases, callers }: ControlParts): Handlers<RouteIds<typeof leaseRoutes>> => ({
  'leases.list': async ({ workspace, caller }) =>
    ok({ leases: leases.list(workspace).map((lease) => seenBy(callers, caller, lease)) }),
  'leases.create': async ({ workspace, body }) => ok(await leases.create(workspace, body)),
  'leases.get': async (call) => {
    const lease = leases.get(refOf(call))
    return lease.ok ? ok(seenBy(callers, call.caller, lease.value)) : lease
  },
  'leases.hold': (call) => {
    const ref = refOf(call)
    if (!leases.get(ref).ok) return Promise.resolve(err(notFound('lease', ref.lease)))
    return eventStream(({ end }) => leases.hold(ref, end) ?? end)
  },
  'leases.delete': async (call) => {
    const lease = leases.get(refOf(call))
    // The end of a lease closes its workspaces.
    if (lease.ok && lease.value.workspaces.some((id) => !callers.owns(call.caller, id))) {
      return err(tokenMayNot('close'))
    }
    const removed = await leases.end(refOf(call))
    return removed.ok ? ok({ removed: removed.value }) : removed
  },
})

const seenBy = (callers: Callers, caller: Caller, lease: LeaseState): LeaseState => ({
  ...lease,
  workspaces: lease.workspaces.filter((id) => callers.sees(caller, id)),
})

const refOf = ({ workspace, params }: LeaseCall): LeaseRef => ({ workspace, lease: params.id })

export const workspacesHandlers = (
  parts: ControlParts,
): Handlers<Extract<RouteIds<typeof benchRoutes>, `workspaces.${string}`>> => {
  const { admin, callers, leases, recorder, seedOf, turns, workspaceLeases, workspaces } = parts

  const stateOf = (caller: Caller, id: string): WorkspaceState => ({
    id,
    seed: revealsSecrets(caller) ? (seedOf(id) ?? null) : null,
    last_seq: recorder.lastSeq(id),
    ...admin.workspaces.about(id),
    ...expiryOf(id),
    ...addressesOf(parts, id),
  })
  const expiryOf = (id: string): Pick<WorkspaceState, 'expires_at'> => {
    const expires_at = workspaceLeases.expiresAt(id)
    return expires_at === undefined ? {} : { expires_at }
  }
  const seen = async (caller: Caller) => (await admin.workspaces.list()).filter(({ id }) => callers.sees(caller, id))
  const ids = async (caller: Caller): Promise<readonly string[]> => (await seen(caller)).map(({ id }) => id)
  const refusalOn = async (id: string, caller: Caller, what: 'change' | 'close'): Promise<Refusal | undefined> => {
    if (!(await ids(caller)).includes(id)) return notFound('workspace', id)
    return callers.owns(caller, id) ? undefined : tokenMayNot(what)
  }

  const create = async (
    { lease, owner, labels, lease_ms, quota, ...wanted }: Body<'workspaces.create'>,
    { workspace, opened_by }: { readonly workspace: string; readonly opened_by?: TokenState },
  ): Answer<string> => {
    const about: WorkspaceAbout = withoutAbsent({ owner, labels, lease_ms, quota, opened_by: opened_by?.id })
    const make = () => workspaces.create({ ...wanted, about })
    const created = await (lease === undefined ? make() : leases.makeWorkspace({ workspace, lease }, make))
    if (created.ok) workspaceLeases.arm(created.value)
    return created
  }

  /** Creates a workspace for a limited token, which then owns it: within the token's limit and with its quota. */
  const createLimited = (
    caller: Caller,
    token: TokenState,
    { workspace, body }: Pick<Call<'workspaces.create'>, 'workspace' | 'body'>,
  ): Answer<string> =>
    turns.inTurn(token.id, async () => {
      if (caller.revoked?.aborted === true) return err(refuse('control_token'))
      if (token.may_open === 0) return err(tokenMayNot('open'))
      if (body.quota !== undefined) return err(tokenMayNot('quota'))
      if (body.seed !== undefined && !token.reveal_secrets) return err(tokenMayNot('reveal'))
      if (body.lease !== undefined && !callers.sees(caller, MAIN_WORKSPACE)) {
        return err(notFound('lease', body.lease))
      }
      const own = (await admin.workspaces.list()).filter(({ id }) => callers.owns(caller, id))
      if (own.length >= token.may_open) return err(quotaReached('workspaces', token.may_open))
      return create({ ...body, quota: token.quota }, { workspace, opened_by: token })
    })

  return {
    'workspaces.list': async ({ caller, query: { owner, label } }) => {
      const all = (await seen(caller)).map(({ id, problem }) => ({
        ...stateOf(caller, id),
        ...(problem === undefined ? {} : { problem }),
      }))
      const wanted = (state: WorkspaceState): boolean =>
        (owner === undefined || state.owner === owner) &&
        (label === undefined || state.labels?.includes(label) === true)
      return ok({ workspaces: all.filter(wanted) })
    },
    'workspaces.create': async ({ workspace, caller, body }) => {
      const { limited } = caller
      const created = await (limited === undefined
        ? create(body, { workspace })
        : createLimited(caller, limited, { workspace, body }))
      return created.ok ? ok(stateOf(caller, created.value)) : created
    },
    'workspaces.get': async ({ params, caller }) =>
      (await ids(caller)).includes(params.id) ? ok(stateOf(caller, params.id)) : err(notFound('workspace', params.id)),
    'workspaces.patch': async ({ params: { id }, caller, body }) => {
      const refusal = await refusalOn(id, caller, 'change')
      if (refusal !== undefined) return err(refusal)
      if (caller.limited !== undefined && body.quota !== undefined) return err(tokenMayNot('quota'))
      if (id === MAIN_WORKSPACE && typeof body.lease_ms === 'number') {
        return err(refuse('wrong_state', { code: 'main_stays' }))
      }
      const changed = await admin.workspaces.setAbout(id, (before) => withoutAbsent({ ...before, ...body }))
      if (!changed.ok) return changed
      workspaceLeases.arm(id)
      return ok(stateOf(caller, id))
    },
    'workspaces.close': async ({ params, caller }) => {
      const refusal = await refusalOn(params.id, caller, 'close')
      if (refusal !== undefined) return err(refusal)
      const closed = await workspaces.close(params.id)
      return closed.ok ? ok({}) : closed
    },
  }
}

const withoutAbsent = (
  part: { readonly [K in keyof WorkspaceAbout]: WorkspaceAbout[K] | null | undefined },
): WorkspaceAbout =>
  Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined && value !== null))

export const catalogueHandlers = (): Handlers<RouteIds<typeof catalogueRoutes> | 'catalogue.service-faults'> => ({
  'catalogue.models': async () =>
    ok({ models: Object.values(MODELS).map((model) => ({ ...model, choices: algorithmsFor(model) })) }),
  'catalogue.faults': async () => {
    const { describeFault, FAULTS, seenOf } = await import('../../../phones/authenticator/faults.ts')
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

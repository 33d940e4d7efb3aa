import type { leaseRoutes } from '../../../core/contract/control/lease-routes.ts'
import type { LeaseState } from '../../../core/contract/control/states.ts'
import { notFound } from '../../../core/contract/errors.ts'
import { err, ok } from '../../../core/protocol/result.ts'
import { eventStream } from '../../../http/event-stream.ts'
import type { ControlParts } from '../control-parts.ts'
import type { Handlers, RouteIds } from '../handler.ts'
import type { LeaseRef } from '../leases/leases.ts'
import { type Caller, type Callers, tokenMayNot } from '../tokens.ts'

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
    // Its end closes them.
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

import type { leaseRoutes } from '../../contract/control/lease-routes.ts'
import { notFound } from '../../contract/errors.ts'
import { eventStream } from '../../http/event-stream.ts'
import { err, ok } from '../../protocol/result.ts'
import type { ControlParts } from '../control-parts.ts'
import type { Handlers, RouteIds } from '../handler.ts'
import type { LeaseRef } from '../leases/leases.ts'

type LeaseCall = { readonly workspace: string; readonly params: { readonly id: string } }

export const leaseHandlers = ({ leases }: ControlParts): Handlers<RouteIds<typeof leaseRoutes>> => ({
  'leases.list': async ({ workspace }) => ok({ leases: leases.list(workspace) }),
  'leases.create': async ({ workspace, body }) => ok(await leases.create(workspace, body)),
  'leases.get': async (call) => leases.get(refOf(call)),
  'leases.hold': (call) => {
    const ref = refOf(call)
    if (!leases.get(ref).ok) return Promise.resolve(err(notFound('lease', ref.lease)))
    return eventStream(({ end }) => leases.hold(ref, end) ?? end)
  },
  'leases.delete': async (call) => {
    const removed = await leases.end(refOf(call))
    return removed.ok ? ok({ removed: removed.value }) : removed
  },
})

const refOf = ({ workspace, params }: LeaseCall): LeaseRef => ({ workspace, lease: params.id })

import type { serviceFaultRoutes } from '../../../core/contract/control/service-fault-routes.ts'
import { ok } from '../../../core/protocol/result.ts'
import type { ControlParts } from '../control-parts.ts'
import type { Handlers, RouteIds } from '../handler.ts'

type Armed = Exclude<RouteIds<typeof serviceFaultRoutes>, 'catalogue.service-faults'>

export const serviceFaultHandlers = ({ admin, leases }: ControlParts): Handlers<Armed> => {
  const listed = async (found: ReturnType<typeof admin.faults.list>) => {
    const faults = await found
    return faults.ok ? ok({ faults: faults.value }) : faults
  }
  return {
    'service.arm': ({ workspace, body: { lease, ...wanted } }) => {
      const arm = () => admin.faults.arm(workspace, wanted)
      return lease === undefined ? arm() : leases.armFault({ workspace, lease }, arm)
    },
    'service.faults': ({ workspace }) => listed(admin.faults.list(workspace)),
    'service.disarm-all': ({ workspace }) => listed(admin.faults.disarm(workspace)),
    'service.disarm': ({ workspace, params }) => listed(admin.faults.disarm(workspace, params.id)),
  }
}

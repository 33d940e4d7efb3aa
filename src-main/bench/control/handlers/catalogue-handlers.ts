import type { catalogueRoutes } from '../../../core/contract/control/service-fault-routes.ts'
import { FAULT_NAMES } from '../../../core/contract/faults.ts'
import { SERVICE_FAULT_NAMES, type ServiceFaultName, serviceFaultOf } from '../../../core/contract/service-faults.ts'
import { en } from '../../../core/messages/en/en.ts'
import { ok } from '../../../core/protocol/result.ts'
import { MODELS } from '../../../phones/authenticator/models.ts'
import { algorithmsFor } from '../../../phones/phone/model.ts'
import type { Handlers, RouteIds } from '../handler.ts'

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

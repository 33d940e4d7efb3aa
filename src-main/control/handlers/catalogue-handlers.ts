import { describeFault, FAULTS, seenOf } from '../../authenticator/faults.ts'
import { MODELS } from '../../authenticator/models.ts'
import type { catalogueRoutes } from '../../contract/control/catalogue-routes.ts'
import { FAULT_NAMES } from '../../contract/faults.ts'
import { SERVICE_FAULT_NAMES, type ServiceFaultName, serviceFaultOf } from '../../contract/service-faults.ts'
import { en } from '../../messages/en/en.ts'
import { algorithmsFor } from '../../phone/model.ts'
import { ok } from '../../protocol/result.ts'
import type { Handlers, RouteIds } from '../handler.ts'

export const catalogueHandlers = (): Handlers<RouteIds<typeof catalogueRoutes> | 'catalogue.service-faults'> => ({
  'catalogue.models': async () =>
    ok({ models: Object.values(MODELS).map((model) => ({ ...model, choices: algorithmsFor(model) })) }),
  'catalogue.faults': async () =>
    ok({
      faults: FAULT_NAMES.map((name) => ({
        ...describeFault(FAULTS[name]),
        seen: seenOf(FAULTS[name]),
        title: en.faults[name],
      })),
    }),
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

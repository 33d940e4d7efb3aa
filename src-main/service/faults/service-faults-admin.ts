import type { ArmedServiceFault } from '../../core/contract/control/service-fault-routes.ts'
import { notFound, type Refusal } from '../../core/contract/errors.ts'
import { err, ok } from '../../core/protocol/result.ts'
import { type Admin, inWorkspace, type Parts, recordSetting } from '../admin/admin.ts'
import { armedOf, refusalToArm } from './arm-service-fault.ts'

export const serviceFaultsAdmin = (parts: Parts): Admin['faults'] => {
  const { settings, random } = parts.services
  return {
    list: (workspace) => inWorkspace(parts, workspace, async () => ok(settings.faults(workspace))),
    arm: (workspace, wanted) =>
      inWorkspace(parts, workspace, async () => {
        const armed = armedOf(wanted, random.stream(workspace, 'service', 'fault id'))
        let refusal: Refusal | undefined
        await settings.changeFaults(workspace, (before) => {
          refusal = refusalToArm(before, wanted)
          return refusal === undefined ? [...before, armed] : undefined
        })
        if (refusal !== undefined) return err(refusal)
        recordSetting(parts, workspace, { subject: 'fault', change: 'armed', id: armed.id, detail: armed })
        return ok(armed)
      }),
    disarm: (workspace, id) =>
      inWorkspace(parts, workspace, async () => {
        let left: readonly ArmedServiceFault[] = []
        let gone: readonly ArmedServiceFault[] = []
        const change = (before: readonly ArmedServiceFault[]): typeof left | undefined => {
          left = id === undefined ? [] : before.filter((each) => each.id !== id)
          gone = before.filter((each) => !left.includes(each))
          return id !== undefined && left.length === before.length ? undefined : left
        }
        const disarmed = await settings.changeFaults(workspace, change, id === undefined ? 'all' : 'known')
        if (!disarmed && id !== undefined) return err(notFound('fault', id))
        const detail = { faults: gone.map(({ fault }) => fault) }
        const which = id === undefined ? {} : { id }
        recordSetting(parts, workspace, { subject: 'fault', change: 'disarmed', ...which, detail })
        return ok(left)
      }),
  }
}

import { notFound } from '../../contract/errors.ts'
import { err, ok } from '../../protocol/result.ts'
import type { Admin } from '../admin/admin.ts'
import { inWorkspace, type Parts, recordSetting } from '../admin/parts.ts'
import { armedOf, refusalToArm } from './armed-service-faults.ts'

export const serviceFaultsAdmin = (parts: Parts): Admin['faults'] => {
  const { settings, random } = parts.services
  return {
    list: (workspace) => inWorkspace(parts, workspace, async () => ok(settings.faults(workspace))),
    arm: (workspace, wanted) =>
      inWorkspace(parts, workspace, async () => {
        const before = settings.faults(workspace)
        const refusal = refusalToArm(before, wanted)
        if (refusal !== undefined) return err(refusal)
        const armed = armedOf(wanted, random.stream(workspace, 'service', 'fault id'))
        await settings.setFaults(workspace, [...before, armed])
        recordSetting(parts, workspace, { subject: 'fault', change: 'armed', id: armed.id, detail: armed })
        return ok(armed)
      }),
    disarm: (workspace, id) =>
      inWorkspace(parts, workspace, async () => {
        const before = settings.faults(workspace)
        const left = id === undefined ? [] : before.filter((each) => each.id !== id)
        if (id !== undefined && left.length === before.length) return err(notFound('fault', id))
        await settings.setFaults(workspace, left)
        recordSetting(parts, workspace, { subject: 'fault', change: 'disarmed', ...(id === undefined ? {} : { id }) })
        return ok(left)
      }),
  }
}

import type { RpState } from '../../../core/contract/control/states.ts'
import type { ControlParts } from '../control-parts.ts'

/** For whoever reads their names; absent where they cannot be read. */
export const rpsOf = async (
  { admin }: Pick<ControlParts, 'admin'>,
  workspace: string,
): Promise<{ readonly rps?: readonly RpState[] }> => {
  const rps = await admin.rps.list(workspace)
  return rps.ok ? { rps: rps.value } : {}
}

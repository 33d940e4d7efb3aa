import type { FieldProblem } from '../../core/contract/errors.ts'
import { MAIN_WORKSPACE } from '../../core/protocol/ids.ts'
import type { Phones } from '../../phones/phone/phones-interface.ts'
import type { Admin } from '../../service/admin/admin.ts'

/** Each one alone, so that the others open. Returns main's problem: without main there is no bench. */
export const setDamagedAside = async ({
  admin,
  phones,
}: {
  readonly admin: Admin
  readonly phones: Pick<Phones, 'problem'>
}): Promise<FieldProblem | undefined> => {
  let ofMain: FieldProblem | undefined
  for (const { id, problem } of await admin.workspaces.list()) {
    const found = problem ?? phones.problem(id)
    if (found === undefined) continue
    if (problem === undefined) admin.workspaces.setAside(id, found)
    if (id === MAIN_WORKSPACE) ofMain = found
  }
  return ofMain
}

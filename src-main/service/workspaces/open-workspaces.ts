import type { FieldProblem } from '../../core/contract/errors.ts'
import type { Store } from '../store/store.ts'

/** Each workspace has a unique mark, since one that is closed and opened again counts as new. */
export type OpenWorkspaces = Map<string, symbol>

/** Workspaces with damaged rows, and their problems. They stay closed; the others open. */
export type DamagedWorkspaces = Map<string, FieldProblem>

export const markOpen = (open: OpenWorkspaces, id: string): void => {
  open.set(id, Symbol(id))
}

/** Undefined while the store does not answer. */
export const countWorkspaces = (store: Store): Promise<number | undefined> =>
  store.workspaces.list().then(
    (all) => all.length,
    () => undefined,
  )

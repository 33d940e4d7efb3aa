import type { FieldProblem } from '../../core/contract/errors.ts'
import type { Store } from '../store/store.ts'

/** Each with a unique mark: a workspace that is closed and opened again counts as a new one. */
export type OpenWorkspaces = Map<string, symbol>

/** Workspaces with damaged rows, and why: they stay closed, and the others open. */
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

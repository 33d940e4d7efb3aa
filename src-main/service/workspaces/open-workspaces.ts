import type { FieldProblem } from '../../core/contract/reasons.ts'
import type { Store } from '../store/store.ts'

/** Each with a mark of its own: a workspace that is closed and opened again is another one. */
export type OpenWorkspaces = Map<string, symbol>

/** Those whose stored rows cannot be what was stored, and why: they stay closed, and the others open. */
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

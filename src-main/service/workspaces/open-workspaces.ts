import type { FieldProblem } from '../../core/contract/reasons.ts'

/** Each with a mark of its own: a workspace that is closed and opened again is another one. */
export type OpenWorkspaces = Map<string, symbol>

/** Those whose stored rows cannot be what was stored, and why: they stay closed, and the others open. */
export type DamagedWorkspaces = Map<string, FieldProblem>

export const markOpen = (open: OpenWorkspaces, id: string): void => {
  open.set(id, Symbol(id))
}

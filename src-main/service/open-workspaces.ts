/** Each with a mark of its own: a workspace that is closed and opened again is another one. */
export type OpenWorkspaces = Map<string, symbol>

export const markOpen = (open: OpenWorkspaces, id: string): void => {
  open.set(id, Symbol(id))
}

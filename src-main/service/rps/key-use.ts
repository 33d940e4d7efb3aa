import type { Millis } from '../../core/protocol/time.ts'

/** When each access key last verified a request. In memory: it is not worth a write for every poll. */
export type KeyUse = {
  note(workspace: string, accessKeyId: string, at: Millis): void
  last(workspace: string, accessKeyId: string): Millis | undefined
  forget(workspace: string): void
}

export const createKeyUse = (): KeyUse => {
  const uses = new Map<string, Map<string, Millis>>()
  return {
    note: (workspace, accessKeyId, at) => {
      const own = uses.get(workspace)
      if (own === undefined) uses.set(workspace, new Map([[accessKeyId, at]]))
      else own.set(accessKeyId, at)
    },
    last: (workspace, accessKeyId) => uses.get(workspace)?.get(accessKeyId),
    forget: (workspace) => {
      uses.delete(workspace)
    },
  }
}

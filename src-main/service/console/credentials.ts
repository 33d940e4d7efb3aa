import { err, ok } from '../../protocol/result.ts'
import type { Console } from './console.ts'
import { inWorkspace, notFound, type Parts } from './parts.ts'

export const credentialsOf = (parts: Parts): Console['credentials'] => {
  const { store, observe } = parts.services
  const find = async (workspace: string, id: string) =>
    (await store.credentials.list(workspace)).find((credential) => credential.id === id)
  return {
    list: (workspace, filter = {}) =>
      inWorkspace(parts, workspace, async () => ok(await store.credentials.list(workspace, filter))),
    get: (workspace, id) =>
      inWorkspace(parts, workspace, async () => {
        const record = await find(workspace, id)
        return record === undefined ? err(notFound('credential', id)) : ok(record)
      }),
    delete: (workspace, id) =>
      inWorkspace(parts, workspace, async () => {
        const record = await find(workspace, id)
        if (record === undefined) return err(notFound('credential', id))
        const { rp, user_id } = record
        const gone = await store.credentials.delete(workspace, { rp, user_id, ids: [id] })
        if (gone.length === 0) return err(notFound('credential', id))
        const fact = { kind: 'credential', change: 'deleted', rp_id: rp, user_id, credential_id: id } as const
        observe(workspace, { actor: { kind: 'control' }, ...fact })
        return ok(null)
      }),
  }
}

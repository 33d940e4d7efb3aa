import { notFound } from '../../core/contract/errors.ts'
import type { CredentialFact } from '../../core/contract/events.ts'
import { err, ok } from '../../core/protocol/result.ts'
import { type Admin, cannotReturn, inWorkspace, notInBin, type Parts } from '../admin/admin.ts'
import type { CredentialRecord } from '../store/store.ts'
import { withinQuota } from '../workspaces/quotas.ts'

export const credentialsOf = (parts: Parts): Admin['credentials'] => {
  const { store, observe, bin } = parts.services
  // An id belongs to an RP: two may have the same one.
  const find = async (workspace: string, id: string): Promise<CredentialRecord | undefined> => {
    for (const rp of await store.rps.list(workspace)) {
      const record = await store.credentials.get(workspace, rp.id, id)
      if (record !== undefined) return record
    }
    return undefined
  }
  const tell = (workspace: string, change: CredentialFact['change'], { rp, user_id, id }: CredentialRecord): void =>
    observe(workspace, {
      actor: { kind: 'control' },
      ...{ kind: 'credential', change, rp_id: rp, user_id, credential_id: id },
    })
  return {
    list: (workspace, filter = {}) =>
      inWorkspace(parts, workspace, async () => ok(await store.credentials.list(workspace, filter))),
    get: (workspace, id) =>
      inWorkspace(parts, workspace, async () => {
        const record = await find(workspace, id)
        return record === undefined ? err(notFound('credential', id)) : ok(record)
      }),
    delete: (workspace, id, ofRp) =>
      inWorkspace(parts, workspace, async () => {
        const record = await (ofRp === undefined ? find(workspace, id) : store.credentials.get(workspace, ofRp, id))
        if (record === undefined) return err(notFound('credential', id))
        const { rp, user_id } = record
        const gone = await store.credentials.delete(workspace, { rp, user_id, ids: [id] })
        if (gone.length === 0) return err(notFound('credential', id))
        for (const each of gone) bin.put(workspace, 'credential', each)
        tell(workspace, 'deleted', record)
        return ok(null)
      }),
    undelete: (workspace, id) =>
      inWorkspace(parts, workspace, async () => {
        if (bin.find(workspace, 'credential', id) === undefined) return err(notInBin('credential', id))
        return withinQuota(parts.services, { workspace, counts: ['credentials'] }, async () => {
          const record = bin.take(workspace, 'credential', id)
          if (record === undefined) return err(notInBin('credential', id))
          if (!(await store.credentials.insert(workspace, record))) return err(cannotReturn('credential', id))
          tell(workspace, 'restored', record)
          return ok(record)
        })
      }),
  }
}

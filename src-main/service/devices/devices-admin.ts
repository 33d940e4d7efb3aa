import { notFound, refuse } from '../../core/contract/errors.ts'
import { err, ok } from '../../core/protocol/result.ts'
import { type Admin, inWorkspace, type Parts } from '../admin/admin.ts'

export const accountsOf = (parts: Parts): Admin['accounts'] => ({
  list: (workspace) =>
    inWorkspace(parts, workspace, async () => {
      const records = await parts.services.store.accounts.list(workspace)
      return ok(records.map(({ proof_hash, ...info }) => ({ ...info, protected: proof_hash !== undefined })))
    }),
  delete: (workspace, id) =>
    inWorkspace(parts, workspace, async () => {
      const { accounts } = parts.services.store
      if (await accounts.delete(workspace, id)) return ok(null)
      const isThere = (await accounts.get(workspace, id)) !== undefined
      return err(isThere ? refuse('wrong_state') : notFound('account', id))
    }),
})

export const devicesOf = (parts: Parts): Admin['devices'] => {
  const { store, inboxes, observe, shared } = parts.services
  return {
    list: (workspace) =>
      inWorkspace(parts, workspace, async () => {
        const records = await store.devices.list(workspace)
        const listening = await shared?.inboxes.listeners.of(workspace)
        return ok(
          records.map(({ id, account, name, created_at }) => ({
            id,
            account,
            name,
            connected: inboxes.isOpen(workspace, id) || listening?.has(id) === true,
            created_at,
          })),
        )
      }),
    signOut: (workspace, id) =>
      inWorkspace(parts, workspace, async () => {
        const record = await store.devices.get(workspace, id)
        if (record === undefined || !(await store.devices.delete(workspace, id))) return err(notFound('device', id))
        inboxes.end(workspace, id)
        const fact = { kind: 'device', change: 'signed_out', device_id: id, account: record.account } as const
        observe(workspace, { actor: { kind: 'control' }, ...fact })
        return ok(null)
      }),
  }
}

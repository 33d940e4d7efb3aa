import type { RpState } from '../../core/contract/control/states.ts'
import { notFound, refuse } from '../../core/contract/errors.ts'
import { toBase64url } from '../../core/protocol/bytes.ts'
import { makeId } from '../../core/protocol/ids.ts'
import { err, ok } from '../../core/protocol/result.ts'
import { type Admin, inWorkspace, type Parts, recordSetting } from '../admin/admin.ts'
import type { RpRecord } from '../store/store.ts'

export const rpsOf = (parts: Parts): Admin['rps'] => {
  const { store, random, clock } = parts.services
  return {
    list: (workspace) => inWorkspace(parts, workspace, async () => ok((await store.rps.list(workspace)).map(rpInfo))),

    get: (workspace, id) =>
      inWorkspace(parts, workspace, async () => {
        const record = await store.rps.get(workspace, id)
        return record === undefined ? err(notFound('rp', id)) : ok(rpInfo(record))
      }),

    create: (workspace, input) =>
      inWorkspace(parts, workspace, async () => {
        const id = input.id ?? makeId('rp', random.stream(workspace, 'rps', 'rp id'))
        const record: RpRecord = {
          id,
          name: input.name,
          rp_id: input.rp_id,
          origins: input.origins,
          handle_key: toBase64url(random.stream(workspace, id, 'handle key').bytes(32)),
          created_at: clock(workspace).now(),
        }
        if (!(await store.rps.insert(workspace, record))) return err(refuse('already_exists'))
        recordSetting(parts, workspace, { subject: 'rp', change: 'created', id, detail: rpInfo(record) })
        return ok(rpInfo(record))
      }),

    patch: (workspace, id, input) =>
      inWorkspace(parts, workspace, async () => {
        const found = await store.rps.update(workspace, id, input)
        const record = await store.rps.get(workspace, id)
        if (!found || record === undefined) return err(notFound('rp', id))
        recordSetting(parts, workspace, { subject: 'rp', change: 'changed', id, detail: rpInfo(record) })
        return ok(rpInfo(record))
      }),

    delete: (workspace, id) =>
      inWorkspace(parts, workspace, async () => {
        if (!(await store.rps.delete(workspace, id))) return err(notFound('rp', id))
        recordSetting(parts, workspace, { subject: 'rp', change: 'deleted', id })
        return ok(null)
      }),
  }
}

const rpInfo = ({ handle_key: _secret, ...info }: RpRecord): RpState => info

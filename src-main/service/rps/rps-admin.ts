import type { Body } from '../../core/contract/control/routes.ts'
import type { AccessKeyState, RpState } from '../../core/contract/control/states.ts'
import { notFound, refuse } from '../../core/contract/errors.ts'
import { toBase64url } from '../../core/protocol/bytes.ts'
import { makeId } from '../../core/protocol/ids.ts'
import { err, ok } from '../../core/protocol/result.ts'
import { cannotReturnRefusal, notInBinRefusal, recordSetting, type WithId } from '../admin/admin.ts'
import type { Services } from '../services.ts'
import type { AccessKeyRecord, RpRecord } from '../store/store.ts'

export const createRpsAdmin = (services: Services) => {
  const { store, random, clock } = services
  return {
    list: async (workspace: string) => ok((await store.rps.list(workspace)).map(rpInfo)),

    get: async (workspace: string, id: string) => {
      const record = await store.rps.get(workspace, id)
      return record === undefined ? err(notFound('rp', id)) : ok(rpInfo(record))
    },

    create: async (workspace: string, input: WithId<'rps.create'> & Pick<RpState, 'origins'>) => {
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
      recordSetting(services, workspace, { subject: 'rp', change: 'created', id, detail: rpInfo(record) })
      return ok(rpInfo(record))
    },

    patch: async (workspace: string, id: string, input: Body<'rps.patch'>) => {
      const found = await store.rps.update(workspace, id, input)
      const record = await store.rps.get(workspace, id)
      if (!found || record === undefined) return err(notFound('rp', id))
      recordSetting(services, workspace, { subject: 'rp', change: 'changed', id, detail: rpInfo(record) })
      return ok(rpInfo(record))
    },

    /** Also deletes its keys, messages and credentials. */
    delete: async (workspace: string, id: string) => {
      if (!(await store.rps.delete(workspace, id))) return err(notFound('rp', id))
      recordSetting(services, workspace, { subject: 'rp', change: 'deleted', id })
      return ok(null)
    },
  }
}

const rpInfo = ({ handle_key: _secret, ...info }: RpRecord): RpState => info

export const accessKeysOf = (services: Services) => {
  const { store, random, clock, keyUse, bin } = services
  const keyInfo = (workspace: string, { secret: _secret, ...record }: AccessKeyRecord): AccessKeyState => {
    const last_used_at = keyUse.last(workspace, record.id)
    return { ...record, ...(last_used_at === undefined ? {} : { last_used_at }) }
  }
  return {
    list: async (workspace: string, rp: string) => {
      if ((await store.rps.get(workspace, rp)) === undefined) return err(notFound('rp', rp))
      const keys = await store.accessKeys.list(workspace)
      return ok(keys.filter((key) => key.rp === rp).map((key) => keyInfo(workspace, key)))
    },

    /** Draws a missing id or secret at random. Only the answers of this call and of `reveal` have the secret. */
    create: async (workspace: string, rp: string, input: Body<'keys.create'> = {}) => {
      if ((await store.rps.get(workspace, rp)) === undefined) return err(notFound('rp', rp))
      const id = input.id ?? makeId('accessKey', random.stream(workspace, rp, 'access key id'))
      const record: AccessKeyRecord = {
        id,
        rp,
        secret: input.secret ?? toBase64url(random.stream(workspace, rp, 'access key secret').bytes(32)),
        state: 'active',
        created_at: clock(workspace).now(),
      }
      if (!(await store.accessKeys.insert(workspace, record))) return err(refuse('already_exists'))
      recordSetting(services, workspace, { subject: 'access_key', change: 'created', id, detail: { rp } })
      return ok({ ...keyInfo(workspace, record), secret: record.secret })
    },

    patch: async (workspace: string, id: string, { state }: Body<'keys.patch'>) => {
      const found = await store.accessKeys.setState(workspace, id, state)
      const record = await store.accessKeys.get(workspace, id)
      if (!found || record === undefined) return err(notFound('access_key', id))
      const change = state === 'active' ? 'enabled' : 'disabled'
      recordSetting(services, workspace, { subject: 'access_key', change, id, detail: { rp: record.rp } })
      return ok(keyInfo(workspace, record))
    },

    delete: async (workspace: string, id: string) => {
      const record = await store.accessKeys.delete(workspace, id)
      if (record === undefined) return err(notFound('access_key', id))
      bin.put(workspace, 'access key', record)
      recordSetting(services, workspace, { subject: 'access_key', change: 'deleted', id })
      return ok(null)
    },

    /** Restores the key with its id, secret and state; `wrong_state` if its RP is gone. */
    undelete: async (workspace: string, rp: string, id: string) => {
      // A key is found only under its own RP, also in the bin.
      const record = bin.find(workspace, 'access key', id)
      if (record?.rp !== rp) return err(notInBinRefusal('access_key', id))
      bin.take(workspace, 'access key', id)
      if (!(await store.accessKeys.insert(workspace, record))) {
        return (await store.rps.get(workspace, rp)) === undefined
          ? err(refuse('wrong_state', { code: 'rp_is_gone', params: { id } }))
          : err(cannotReturnRefusal('access_key', id))
      }
      recordSetting(services, workspace, { subject: 'access_key', change: 'restored', id, detail: { rp } })
      return ok(keyInfo(workspace, record))
    },

    reveal: async (workspace: string, id: string) => {
      const record = await store.accessKeys.get(workspace, id)
      if (record === undefined) return err(notFound('access_key', id))
      return ok({ ...keyInfo(workspace, record), secret: record.secret })
    },
  }
}

import type { RpState } from '../core/contract/control/states.ts'
import type { ControlClient } from './client.ts'
import { sdkError } from './errors.ts'
import { createRp, type Rp } from './rp-requests.ts'

/** An RP of a workspace with one of its access keys: settings for your server, and calls that replace it. */
export type WorkspaceRp = Rp &
  Pick<RpState, 'id' | 'name' | 'rp_id' | 'origins'> & {
    readonly baseUrl: string
    readonly accessKeyId: string
    readonly secretKey: string
    /** Removes it with its keys, messages and credentials. */
    remove(): Promise<void>
  }

type Place = { readonly client: ControlClient; readonly baseUrl: string; readonly ca: string | undefined }

/** By its id or its RP ID; the first one when neither is given. */
export const findRp = async (place: Place, wanted?: string): Promise<WorkspaceRp> => {
  const { rps } = await place.client.call('rps.list')
  const found = wanted === undefined ? rps[0] : rps.find(({ id, rp_id }) => id === wanted || rp_id === wanted)
  if (found !== undefined) return withKey(place, found)
  const there = rps.map(({ id, rp_id }) => `${rp_id} (${id})`).join(', ') || 'none'
  const which = wanted === undefined ? '' : ` ${JSON.stringify(wanted)}`
  throw sdkError('no_such_rp', `The workspace has no RP${which}. There: ${there}.`)
}

/** With its first active key, or a new one where it has none. */
export const withKey = async (place: Place, { id, name, rp_id, origins }: RpState): Promise<WorkspaceRp> => {
  const { client, baseUrl, ca } = place
  const params = { rp: id }
  const { keys } = await client.call('keys.list', { params })
  const active = keys.find(({ state }) => state === 'active')
  const { key, secret } =
    active === undefined
      ? await client.call('keys.create', { params, body: {} })
      : { key: active, ...(await client.call('keys.reveal', { params: { ...params, key: active.id }, body: {} })) }
  const rp = createRp({ baseUrl, ca, accessKeyId: key.id, secretKey: secret })
  const remove = async (): Promise<void> => {
    rp.close()
    await client.call('rps.delete', { params })
  }
  return { ...rp, id, name, rp_id, origins, baseUrl, accessKeyId: key.id, secretKey: secret, remove }
}

import type { ControlClient, Data } from '../../sdk/client.ts'
import type { Variables } from './parse/scenario.ts'
import type { ScenarioPhone, ScenarioRp, ScenarioState } from './scenario-state.ts'

/** A scenario uses short names for its phones; their IDs are generated when they are created. */
export const makeScenarioPhone = async (
  { client, phones }: Pick<ScenarioState, 'client' | 'phones'>,
  short: string,
  { same_account_as: sharer, ...wanted }: Variables,
): Promise<ScenarioPhone> => {
  const shared = sharer === undefined ? {} : { same_account_as: phones.get(String(sharer))?.id ?? sharer }
  const made = await client.call('phones.create', { body: { name: short, ...wanted, ...shared } as { name: string } })
  const phone = { id: made.id, name: made.name }
  phones.set(short, phone)
  return phone
}

export const makeScenarioRp = async (
  client: ControlClient,
  short: string,
  { name = short, rp_id = `${short.toLowerCase()}.example`, ...rest }: Variables,
): Promise<ScenarioRp> => {
  const made: Data<'rps.get'> = await client.call('rps.create', { body: { name, rp_id, ...rest } as never })
  const { key, secret } = await client.call('keys.create', { params: { rp: made.id }, body: {} })
  return { ...made, access_key_id: key.id, secret_key: secret }
}

export const findDemoRp = async (client: ControlClient, withKey: boolean): Promise<ScenarioRp | undefined> => {
  const { rps } = await client.call('rps.list')
  const [rp] = rps
  if (rp === undefined || !withKey) return rp
  const { keys } = await client.call('keys.list', { params: { rp: rp.id } })
  const [key] = keys
  if (key === undefined) return rp
  const { secret } = await client.call('keys.reveal', { params: { rp: rp.id, key: key.id }, body: {} })
  return { ...rp, access_key_id: key.id, secret_key: secret }
}

import type { FaultName } from '../../core/contract/faults.ts'
import type { JsonObject } from '../../core/protocol/json.ts'
import type { CheckPhone, Phone } from './check-phone.ts'
import { CaseEnded, type Exchange, readEnvelope, successData } from './exchange.ts'
import type { World } from './world.ts'

export type User = { readonly user_id: string; readonly username: string }
export type BegunMessage = { readonly msgId: string; readonly user: User; readonly data: JsonObject }
export type CallKind = 'attestation' | 'assertion'

const begun = (exchange: Exchange, user: User): BegunMessage => {
  const data = successData(exchange)
  const url = String(data.url ?? '')
  if (!url.includes('#')) throw new CaseEnded(`the url ${JSON.stringify(url)} has no #`)
  return { msgId: url.slice(url.indexOf('#') + 2), user, data }
}

/** `more`: other members of the request. */
export const beginRegistration = async (
  world: World,
  user_id = world.fresh('u'),
  more: JsonObject = {},
): Promise<BegunMessage> => {
  const user = { user_id, username: 'check' }
  return begun(await world.call('POST', '/rp/attestation/options', { ...user, ...more }), user)
}

export const beginSignIn = async (world: World, user: User, method = 'qrcode'): Promise<BegunMessage> =>
  begun(await world.call('POST', '/rp/assertion/options', { ...user, method }), user)

export const readResult = (world: World, kind: CallKind, msgId: string): Promise<Exchange> =>
  world.call('GET', `/rp/${kind}/result?msg_id=${encodeURIComponent(msgId)}`)

export const readStatus = (exchange: Exchange): unknown => readEnvelope(exchange)?.data.status

export const listCredentials = async (world: World, user_id: string): Promise<readonly JsonObject[]> => {
  const { list } = successData(await world.call('GET', `/rp/credentials?user_id=${encodeURIComponent(user_id)}`))
  return Array.isArray(list) ? (list as readonly JsonObject[]) : []
}

/** The case ends if the registration fails. */
export const registerUser = async (
  world: World,
  phone: Phone,
  user_id?: string,
  more?: JsonObject,
): Promise<BegunMessage> => {
  const message = await beginRegistration(world, user_id, more)
  await phone.bind(message.msgId, 'r')
  await phone.answer(message.msgId)
  const result = await readResult(world, 'attestation', message.msgId)
  if (readStatus(result) !== 'success') {
    const { status, error } = readEnvelope(result)?.data ?? {}
    throw new CaseEnded(`an honest registration does not succeed: ${JSON.stringify({ status, error })}`)
  }
  return message
}

/** The data of the result after a phone of ours has scanned and answered a sign-in, with this fault or honestly. */
export const signInOwnPhone = async (world: World, phone: CheckPhone, user: User, fault?: FaultName) => {
  const { msgId } = await beginSignIn(world, user)
  await phone.bind(msgId)
  await phone.answer(msgId, fault)
  return readEnvelope(await readResult(world, 'assertion', msgId))?.data ?? {}
}

export const registerOwnPhone = async (
  world: World,
  user_id?: string,
): Promise<{ readonly phone: CheckPhone; readonly user: User }> => {
  const phone = await world.ownPhone()
  const { user } = await registerUser(world, phone, user_id)
  return { phone, user }
}

/** A registration that a phone of ours has scanned; `scan` is the service's answer. */
export const scanRegistration = async (world: World, more?: JsonObject) => {
  const phone = await world.ownPhone()
  const message = await beginRegistration(world, undefined, more)
  return { ...message, phone, scan: await phone.bind(message.msgId) }
}

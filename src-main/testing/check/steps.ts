import type { FaultName } from '../../core/contract/faults.ts'
import type { JsonObject } from '../../core/protocol/json.ts'
import { type Case, ownPhoneCase } from './case.ts'
import type { CallKind, CheckPhone, Phone } from './check-phone.ts'
import { CaseEnded, type Exchange, readEnvelope, successData } from './exchange.ts'
import { type Finding, passIf } from './finding.ts'
import type { Change, World } from './world.ts'

export type User = { readonly user_id: string; readonly username: string }
export type BegunMessage = ReturnType<typeof messageOf>

/** The message that this exchange began, with the calls that read its result. */
const messageOf = (world: World, exchange: Exchange, kind: CallKind, user: User) => {
  const data = successData(exchange)
  const url = String(data.url ?? '')
  if (!url.includes('#')) throw new CaseEnded(`the url ${JSON.stringify(url)} has no #`)
  const msgId = url.slice(url.indexOf('#') + 2)
  const readResult = (endpoint = kind): Promise<Exchange> =>
    world.call('GET', `/rp/${endpoint}/result?msg_id=${encodeURIComponent(msgId)}`)
  const resultData = async (): Promise<JsonObject> => readEnvelope(await readResult()).data
  return {
    ...{ kind, user, data, msgId, readResult, resultData },
    /** Passes if the message has this status; `what` comes before another one. */
    checkStatus: async (wanted: string, what = 'status'): Promise<Finding> => {
      const { status } = await resultData()
      return passIf(status === wanted, `${what} ${JSON.stringify(status)}`)
    },
  }
}

/** `more`: other members of the request. */
export const beginRegistration = async (world: World, user_id = world.fresh('u'), more: JsonObject = {}) => {
  const user = { user_id, username: 'check' }
  const exchange = await world.call('POST', '/rp/attestation/options', { ...user, ...more })
  return messageOf(world, exchange, 'attestation', user)
}

export const beginSignIn = async (world: World, user: User, method = 'qrcode'): Promise<BegunMessage> =>
  messageOf(world, await world.call('POST', '/rp/assertion/options', { ...user, method }), 'assertion', user)

export const readStatus = (exchange: Exchange): unknown => readEnvelope(exchange).data.status

export const listCredentials = async (world: World, user_id: string): Promise<readonly JsonObject[]> => {
  const { list } = successData(await world.call('GET', `/rp/credentials?user_id=${encodeURIComponent(user_id)}`))
  return Array.isArray(list) ? (list as readonly JsonObject[]) : []
}

export const removeCredentials = (world: World, { user_id }: User, ids: readonly unknown[], change?: Change) =>
  world.call('DELETE', '/rp/credentials', { user_id, credential_ids: ids }, change)

/** The case ends if the registration fails. */
export const registerUser = async (world: World, phone: Phone, user_id?: string, more?: JsonObject) => {
  const message = await beginRegistration(world, user_id, more)
  await phone.bind(message.msgId, message.kind)
  await phone.answer(message.msgId)
  const { status, error } = await message.resultData()
  if (status !== 'success')
    throw new CaseEnded(`an honest registration does not succeed: ${JSON.stringify({ status, error })}`)
  return message
}

/** The data of the result after a phone of ours has scanned and answered a sign-in, with this fault or honestly. */
export const signInOwnPhone = async (world: World, phone: CheckPhone, user: User, fault?: FaultName) => {
  const { msgId, resultData } = await beginSignIn(world, user)
  await phone.bind(msgId)
  await phone.answer(msgId, fault)
  return resultData()
}

export const registerOwnPhone = async (world: World, user_id?: string) => {
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

/** Makes cases that begin with this step, with a phone of ours. */
const caseAfter =
  <S>(begin: (world: World) => Promise<S>) =>
  (name: string, run: (begun: S, world: World) => Promise<Finding>): Case =>
    ownPhoneCase(name, async (world) => run(await begin(world), world))

export const userCase = caseAfter((world) => registerOwnPhone(world))
export const scannedCase = caseAfter((world) => scanRegistration(world))

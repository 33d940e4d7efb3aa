import { authenticationResponse, makeSoftKey, registrationResponse, type SoftKey } from '../support/service/soft-key.ts'
import { type Callers, msgIdOf, phoneNumber } from './callers.ts'
import type { WireAnswer } from './wire.ts'

export const RP_ID = 'shop.example'
export const KEY = { accessKeyId: 'ak_robust', secretKey: 'a secret for tests only' }

/** The RP that the soft keys' answers are for. */
export const seedData = {
  rps: [
    {
      name: 'Shop',
      rp_id: RP_ID,
      origins: ['https://shop.example'],
      keys: [{ id: KEY.accessKeyId, secret: KEY.secretKey }],
    },
  ],
  phones: [],
}

/** What must have gone well for a test to begin. */
export const good = (answer: WireAnswer): WireAnswer => {
  if (answer.json?.code !== 0) throw new Error(`${answer.status} ${answer.text}`)
  return answer
}

export type Device = { readonly id: string; readonly token: string }

export const signIn = async ({ app, send }: Callers, name: string, proof?: string): Promise<Device> => {
  const account = { name, phone: phoneNumber(name), ...(proof === undefined ? {} : { proof }) }
  const { data } = good(await send(app('', 'POST', '/devices', { account, device_name: `${name}’s phone` }))).json
  return { id: data.device_id, token: data.device_token }
}

export const openRegistration = async ({ rp, send }: Callers, user_id: string): Promise<string> =>
  msgIdOf(good(await send(rp('POST', '/rp/attestation/options', { user_id, username: user_id }))))

export const openAuthentication = async ({ rp, send }: Callers, user_id: string, method = 'qrcode'): Promise<string> =>
  msgIdOf(good(await send(rp('POST', '/rp/assertion/options', { user_id, username: user_id, method }))))

/** The options that the phone is given. */
export const bind = async ({ app, send }: Callers, device: Device, id: string) =>
  good(await send(app(device.token, 'POST', `/messages/${id}/bind`, {}))).json.data.public_key

/** Registers a new key for the user, to the end, and reads the result. */
export const registered = async (callers: Callers, device: Device, user_id: string): Promise<SoftKey> => {
  const { rp, app, send } = callers
  const id = await openRegistration(callers, user_id)
  const key = makeSoftKey()
  const response = registrationResponse(key, await bind(callers, device, id))
  good(await send(app(device.token, 'POST', `/messages/${id}/attestation`, { response })))
  good(await send(rp('GET', `/rp/attestation/result?msg_id=${id}`)))
  return key
}

/** A user registers a passkey and signs in with it: throws when any request on the way fails. */
export const straightPath = async (callers: Callers, user = 'u1'): Promise<void> => {
  const phone = await signIn(callers, 'Li Wei')
  const key = await registered(callers, phone, user)
  const id = await openAuthentication(callers, user)
  const response = authenticationResponse(key, await bind(callers, phone, id))
  good(await callers.send(callers.app(phone.token, 'POST', `/messages/${id}/assertion`, { response })))
  const read = good(await callers.send(callers.rp('GET', `/rp/assertion/result?msg_id=${id}`)))
  if (read.json.data.status !== 'success') throw new Error(read.text)
}

import { authenticationResponse } from '../support/service/soft-key.ts'
import type { Callers } from './callers.ts'
import { bind, good, openAuthentication, registered, signIn } from './cast.ts'

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

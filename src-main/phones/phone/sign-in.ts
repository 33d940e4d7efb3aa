import { err, ok } from '../../core/protocol/result.ts'
import { makeAccountSecret } from './account-secret.ts'
import { registerDevice, removeDevice, serviceRefusal } from './app-client.ts'
import type { PhoneCore } from './phone-core.ts'
import { isHeaderText, type PhoneResult, refusePhone } from './phone-state.ts'

/** An account without a secret on this phone gets a fresh one. */
export const signIn = async (core: PhoneCore): PhoneResult<void> => {
  const { lost, network, device, account, name } = core.record()
  if (lost) return err(refusePhone('lost'))
  if (device !== undefined) return err(refusePhone('already_signed_in'))
  if (network === 'offline') return err(refusePhone('offline'))
  const secret = account.secret ?? makeAccountSecret(core.random('account-secret'))
  const answer = await registerDevice(core.ports, { ...account, secret }, name)
  if (!answer.ok) return answer
  const refusal = answer.value.code === 0 ? undefined : serviceRefusal(answer.value)
  if (refusal !== undefined) {
    return err(refusal.word === 'signed_out' ? refusePhone('account_taken', { code: answer.value.code }) : refusal)
  }
  const { device_id: id, device_token: token } = answer.value.data
  if (typeof id !== 'string' || !isHeaderText(token)) return err(refusePhone('garbled'))
  await core.ports.signedIn(core.record().id, id)
  core.set({ device: { id, token }, account: { ...account, secret }, last_event_id: undefined })
  return ok(undefined)
}

/** Always signs out the phone; the call may fail. `fromAfar`: the account signs out a phone that is out of reach. */
export const signOut = async (core: PhoneCore, { fromAfar } = { fromAfar: false }): Promise<void> => {
  const { device, network } = core.record()
  if (device === undefined) return
  if (fromAfar || network === 'online') await removeDevice(core.ports, device.token)
  forgetDevice(core)
}

/** Removes all state that needs a signed-in device. */
export const forgetDevice = (core: PhoneCore): void => {
  core.keyring.forgetCloud()
  core.set({ device: undefined, last_event_id: undefined, prompts: [], notifications: [] })
}

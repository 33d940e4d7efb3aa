import type { Body, ControlClient } from './client.ts'
import { type Phone, phoneOf } from './phone.ts'
import type { WorkspaceRp } from './workspace-rp.ts'

export type Passkey = {
  readonly user_id: string
  /** The user_id when absent. */
  readonly username?: string
  /** An RP's id or RP ID; the workspace's first when absent. */
  readonly rp?: string
  readonly storage?: 'chip' | 'cloud'
}

export type PhoneOptions = Partial<Body<'phones.create'>> & {
  /** Registered already when the test begins. */
  readonly passkeys?: readonly Passkey[]
}

type Place = { readonly client: ControlClient; readonly rp: (id?: string) => Promise<WorkspaceRp> }

/** A new phone, signed in, with its passkeys registered the way a user does it. */
export const makePhone = async (
  place: Place,
  { passkeys = [], name = 'Phone', ...options }: PhoneOptions,
): Promise<Phone> => {
  const phone = phoneOf(place.client, await place.client.call('phones.create', { body: { name, ...options } }))
  try {
    for (const passkey of passkeys) await register(place, phone, passkey)
  } catch (error) {
    await phone.remove()
    throw error
  }
  return phone
}

const register = async (place: Place, phone: Phone, passkey: Passkey): Promise<void> => {
  const { user_id, username = user_id, storage } = passkey
  const rp = await place.rp(passkey.rp)
  try {
    const message = await rp.register({ user_id, username })
    await phone.scan(message.url)
    await phone.approve(storage === undefined ? {} : { storage })
    await message.verified()
  } finally {
    rp.close()
  }
}

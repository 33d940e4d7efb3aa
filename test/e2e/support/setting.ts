import type { ControlMessage, ControlPhone, RpState } from '../../../src-main/core/contract/control/states.ts'
import type { ControlClient } from '../../../src-main/sdk/client.ts'
import { createRpClient, type RpClient } from '../../../src-main/sdk/rp-client.ts'
import { type SigningKey, signRequest } from '../../../src-main/sdk/sign-request.ts'
import { taken } from '../../support/taken.ts'

/** What stands on a bench before the page is looked at, and the truth behind what it shows. */
export type Setting = {
  readonly control: ControlClient
  readonly rp: RpState
  /** The page's address, good for one visit. */
  readonly invite: () => Promise<string>
  readonly addPhone: (name?: string) => Promise<ControlPhone>
  /** A registration by that phone, to its end, without the page. */
  readonly register: (phone: ControlPhone, by?: { readonly user?: string; readonly rp?: RpState }) => Promise<void>
  readonly arm: (phone: ControlPhone, fault: string, times?: number) => Promise<unknown>
  /** Alice’s phone after her registration, with that fault armed if one is named. */
  readonly registered: (fault?: string) => Promise<ControlPhone>
  /** An RP that signs with this key, by a clock that is so many milliseconds behind. */
  readonly rpWith: (key: SigningKey, behind?: number) => RpClient
  /** A foreign RP lists alice's passkeys, and signs another host than it calls. */
  readonly signForAnotherHost: (host: string) => Promise<void>
  /** The newest message, as the service has it. */
  readonly message: () => Promise<ControlMessage>
}

const NUMBERS: Readonly<Record<string, string>> = { Alice: '13812345678', Bo: '13987654321' }

export const createSetting = async (control: ControlClient, { invite }: Pick<Setting, 'invite'>): Promise<Setting> => {
  const [rp] = (await control.call('rps.list')).rps
  const { addresses } = await control.call('overview')
  if (rp === undefined) throw new Error('the bench has no RP')
  const setting: Setting = {
    control,
    rp,
    invite,
    addPhone: (name = 'Alice') =>
      control.call('phones.create', { body: { name, account: { name, phone: NUMBERS[name] ?? '13700000000' } } }),
    register: async (phone, { user = 'alice', rp: asking = rp } = {}) => {
      const attempt = await control.call('simulator.register', {
        params: { rp: asking.id },
        body: { user_id: user, username: user, poll: false },
      })
      await control.call('phones.scan', { params: { id: phone.id }, body: { url: attempt.url } })
      await control.call('phones.approve', { params: { id: phone.id }, body: {} })
      const { status, error } = await control.call('simulator.poll', {
        params: { rp: asking.id, msg_id: attempt.msg_id },
        body: {},
      })
      if (status !== 'success') throw new Error(`the registration ended with ${status}: ${error}`)
      await control.call('phones.home', { params: { id: phone.id }, body: {} })
    },
    arm: ({ id }, fault, times = 1) => control.call('phones.arm', { params: { id }, body: { fault, times } }),
    registered: async (fault) => {
      const phone = await setting.addPhone()
      await setting.register(phone)
      if (fault !== undefined) await setting.arm(phone, fault)
      return phone
    },
    rpWith: (key, behind = 0) =>
      createRpClient({ ...key, baseUrl: addresses.base_url, now: () => Date.now() - behind }),
    signForAnotherHost: async (host) => {
      const [key] = (await control.call('keys.list', { params: { rp: rp.id } })).keys
      const params = { rp: rp.id, key: key?.id ?? '' }
      const { secret } = await control.call('keys.reveal', { params, body: {} })
      const url = new URL(`${addresses.base_url}/rp/credentials?user_id=alice`)
      const request = { method: 'GET', host, target: url.pathname + url.search, body: new Uint8Array(0) }
      const { headers } = taken(signRequest(request, { accessKeyId: params.key, secretKey: secret }, Date.now()))
      await fetch(url, { headers: headers.filter(([name]) => name !== 'Host').map(([...pair]) => pair) })
    },
    message: async () => {
      const [newest] = (await control.call('messages.list')).messages
      if (newest === undefined) throw new Error('there is no message')
      return newest
    },
  }
  return setting
}

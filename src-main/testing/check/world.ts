import { Buffer } from 'node:buffer'
import type { Profile } from '../../core/contract/profile.ts'
import type { HeaderPair } from '../../core/protocol/canonical-request.ts'
import type { JsonObject } from '../../core/protocol/json.ts'
import type { RandomSource } from '../../core/protocol/random.ts'
import type { AttestationAuthority } from '../../phones/authenticator/attestation/attestation-authority.ts'
import { makePhoneNumber } from '../../phones/phone/account-secret.ts'
import { type SigningKey, signRequest, type UnsignedRequest } from '../../sdk/sign-request.ts'
import { type Account, type AppCaller, type CheckPhone, createCheckPhone, type Phone } from './check-phone.ts'
import { CaseEnded, type Exchange, type sendRequest, successData, type WireRequest } from './exchange.ts'

export type CheckTarget = {
  readonly baseUrl: string
  /** Address of the app interface; our phones cannot answer without it. */
  readonly appUrl?: string
  readonly key: SigningKey
  readonly otherKey?: SigningKey
  readonly ca?: string
}

/** One difference from the valid twin. */
export type Change = {
  readonly key?: Partial<SigningKey>
  /** Milliseconds that the signed date is ahead of now. */
  readonly clock?: number
  readonly unsigned?: (request: UnsignedRequest) => UnsignedRequest
  readonly signed?: (request: WireRequest) => WireRequest
}

export type World = ReturnType<typeof createWorld>

type WorldOptions = {
  readonly profile: Profile
  readonly now: () => number
  readonly run: string
  readonly random: RandomSource
  readonly attestationKeys: AttestationAuthority
  readonly send: typeof sendRequest
  readonly hand?: Phone | undefined
}

export const createWorld = (target: CheckTarget, options: WorldOptions) => {
  let made = 0
  /** A new name for each case, so cases do not interfere. */
  const fresh = (prefix: string): string => `${prefix}-${options.run}-${++made}`
  const { origin, host, pathname } = new URL(target.baseUrl)
  const { ca } = target
  const form = options.profile.authorization_forms.includes('general') ? 'general' : 'short'
  /** An account that does not exist yet. */
  const account = (): Account => ({ name: fresh('check'), phone: makePhoneNumber(options.random) })
  /** Calls the app interface; without a device token if `token` is empty. */
  const app: AppCaller = async (method, path, body, { token = '', headers = [], until } = {}) => {
    const url = new URL(target.appUrl ?? '')
    const usual: readonly HeaderPair[] = [
      ['Host', url.host],
      ...(token === '' ? [] : [['Authorization', `Bearer ${token}`] as const]),
      ...(body === undefined ? [] : [['Content-Type', 'application/json'] as const]),
    ]
    return options.send(
      url.origin,
      {
        method,
        target: url.pathname.replace(/\/$/, '') + path,
        headers: [...usual.filter(([name]) => !headers.some(([other]) => other === name)), ...headers],
        body: body === undefined ? new Uint8Array() : Buffer.from(JSON.stringify(body)),
      },
      { ca, ...(until === undefined ? {} : { until }) },
    )
  }
  /** A phone of ours, signed in to this account or to a new one. */
  const ownPhone = async (whose = account()): Promise<CheckPhone> => {
    const { device_token } = successData(await app('POST', '/devices', { account: whose, device_name: 'check' }))
    const token = String(device_token ?? '')
    const call: AppCaller = (method, path, body, more) => app(method, path, body, { ...more, token })
    return createCheckPhone({ ...options, account: whose, call })
  }
  return {
    target,
    profile: options.profile,
    /** The form of signatures, where the case needs no other. */
    form,
    now: options.now,
    app,
    account,
    ownPhone,
    phone: async (): Promise<Phone> => options.hand ?? ownPhone(),
    send: (request: WireRequest): Promise<Exchange> => options.send(origin, request, { ca }),
    fresh,
    /** Sends a request as the RP would sign it, except for the change. */
    call: async (method: string, path: string, body?: JsonObject, change: Change = {}): Promise<Exchange> => {
      const plain: UnsignedRequest = {
        method,
        host,
        target: pathname.replace(/\/$/, '') + path,
        body: body === undefined ? new Uint8Array() : Buffer.from(JSON.stringify(body)),
        headers: body === undefined ? [] : [['Content-Type', 'application/json']],
      }
      const request = change.unsigned?.(plain) ?? plain
      const signed = signRequest(request, { form, ...target.key, ...change.key }, options.now() + (change.clock ?? 0))
      if (!signed.ok) throw new CaseEnded(`the case cannot be signed: ${signed.error.code}`)
      const { host: _host, ...sent } = request
      const wire: WireRequest = { ...sent, headers: signed.value.headers }
      return options.send(origin, change.signed?.(wire) ?? wire, { ca })
    },
  }
}

export const withHeader = (request: WireRequest, name: string, value: string | undefined): WireRequest => ({
  ...request,
  headers: [
    ...request.headers.filter(([key]) => key.toLowerCase() !== name.toLowerCase()),
    ...(value === undefined ? [] : [[name, value] as HeaderPair]),
  ],
})

import { createHash } from 'node:crypto'
import { signRequest } from '../../src-main/sdk/sign-request.ts'
import { taken } from '../support/taken.ts'
import { volley, type WireAnswer, type WireRequest } from './wire.ts'

export type RpKey = { readonly accessKeyId: string; readonly secretKey: string; readonly form?: 'general' | 'short' }

/** A bench as its clients know it. */
export type Site = {
  readonly port: number
  /** Of the control interface. */
  readonly token: string
  readonly key: RpKey
  readonly workspace?: string
}

/** Requests of an RP, of a phone and of the holder of the control token, ready for the wire. */
export type Callers = ReturnType<typeof callersOf>

export const callersOf = ({ port, token, key, workspace = 'main' }: Site) => {
  const under = workspace === 'main' ? '' : `/w/${workspace}`
  const host = hostOf(port)

  /** A body as octets, whatever they are. */
  const signedBytes = (method: string, pathAndQuery: string, body: Buffer, as: RpKey = key): WireRequest => {
    const target = `${under}/fido${pathAndQuery}`
    const { headers } = taken(signRequest({ method, host, target, body }, as, Date.now()))
    return { method, target, headers: [...headers, ...contentOf(body.length === 0 ? undefined : body)], body }
  }

  const rp = (method: string, pathAndQuery: string, body?: unknown, as?: RpKey): WireRequest =>
    signedBytes(method, pathAndQuery, body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body)), as)

  const bearer = (method: string, target: string, body: unknown, secret: string): WireRequest => ({
    method,
    target: under + target,
    headers: [
      ['Host', host],
      ...(secret === '' ? [] : [['Authorization', `Bearer ${secret}`] as const]),
      ...contentOf(body),
    ],
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

  return {
    rp,
    signedBytes,
    app: (device: string, method: string, path: string, body?: unknown) => bearer(method, `/app${path}`, body, device),
    control: (method: string, path: string, body?: unknown) => bearer(method, `/control/v1${path}`, body, token),
    /** One after the other, each on a connection of its own. */
    send: async (request: WireRequest): Promise<WireAnswer> => (await volley(port, [request]))[0] as WireAnswer,
    all: (requests: readonly WireRequest[], how?: Parameters<typeof volley>[2]) => volley(port, requests, how),
  }
}

const contentOf = (body: unknown) => (body === undefined ? [] : [['Content-Type', 'application/json'] as const])

export const hostOf = (port: number): string => `localhost:${port}`

export { msgIdOf } from '../support/service/rp-client.ts'

/** A phone number of its own for each account. */
export const phoneNumber = (name: string): string =>
  `+86${BigInt(`0x${createHash('sha256').update(name).digest('hex').slice(0, 12)}`)}`

import type { CreationOptionsJson } from '../../src-main/core/protocol/webauthn-json.ts'
import { makeRepeatableAuthority } from '../../src-main/phones/authenticator/attestation/attestation-authority.ts'
import { makeCredential } from '../../src-main/phones/authenticator/make-credential.ts'
import { MODELS } from '../../src-main/phones/authenticator/models.ts'
import type { AuthenticatorPorts } from '../../src-main/phones/authenticator/seams.ts'
import { authenticationResponse, makeSoftKey, registrationResponse, type SoftKey } from '../support/service/soft-key.ts'
import { type Callers, callersOf, msgIdOf, type Site } from './callers.ts'
import { good } from './cast.ts'
import type { Dice } from './dice.ts'
import { openLine } from './line.ts'
import type { WireAnswer, WireRequest } from './wire.ts'

/** A workspace with something of everything in it, so that a request that is nearly right meets what it is about. */
export type World = {
  readonly site: Site
  readonly callers: Callers
  readonly ask: (request: WireRequest) => Promise<WireAnswer>
  readonly device: string
  /** Of messages in every state. */
  readonly messages: string[]
  readonly credential: string
  readonly etag: string
  /** A message that waits for this phone’s answer, and a good answer to it. */
  waiting(kind: 'registration' | 'authentication', dice: Dice): Promise<Waiting>
  close(): void
}

export type Waiting = { readonly id: string; readonly path: 'attestation' | 'assertion'; readonly response: object }

const PEOPLE = { account: { name: 'Li Wei', phone: '13800005678', proof: 'a proof' }, device_name: 'Phone' }

export const makeWorld = async (
  bench: { readonly port: number; readonly token: string },
  { workspace, seed }: { readonly workspace: string; readonly seed: number },
): Promise<World> => {
  const line = openLine(bench.port)
  const inMain = callersOf({ ...bench, key: { accessKeyId: '', secretKey: '' } })
  await line.ask(inMain.control('POST', '/workspaces', { id: workspace, seed, rp: 'none' }))
  const inside = callersOf({ ...bench, workspace, key: { accessKeyId: '', secretKey: '' } })
  const call = async (request: WireRequest) => good(await line.ask(request)).json.data
  const shop = { name: 'Shop', rp_id: 'shop.example', origins: ['https://shop.example'] }
  const rp = await call(inside.control('POST', '/rps', shop))
  const made = await call(inside.control('POST', `/rps/${rp.id}/keys`, {}))
  const site: Site = { ...bench, workspace, key: { accessKeyId: made.key.id, secretKey: made.secret } }
  const callers = callersOf(site)
  const ask = async (request: WireRequest) => good(await line.ask(request))
  const device = (await ask(callers.app('', 'POST', '/devices', PEOPLE))).json.data.device_token

  let users = 0
  const opened = async (kind: 'attestation' | 'assertion'): Promise<string> => {
    if (kind === 'attestation') users += 1
    const user_id = kind === 'attestation' ? `u${users}` : 'u1'
    const body = { user_id, username: 'u', ...(kind === 'assertion' ? { method: 'push' } : {}) }
    return msgIdOf(await ask(callers.rp('POST', `/rp/${kind}/options`, body)))
  }
  const bound = async (id: string) =>
    (await ask(callers.app(device, 'POST', `/messages/${id}/bind`, {}))).json.data.public_key

  const key = makeSoftKey()
  const first = await opened('attestation')
  const answer = { response: registrationResponse(key, await bound(first)) }
  await ask(callers.app(device, 'POST', `/messages/${first}/attestation`, answer))
  const put = callers.app(device, 'PUT', '/vault/AAAA', { sealed: 'AAAA' })
  const sealed = await ask({ ...put, headers: [...put.headers, ['If-None-Match', '*']] })

  return {
    site,
    callers,
    ask,
    device,
    messages: [first, await opened('attestation'), await opened('assertion')],
    credential: key.id.toString('base64url'),
    etag: sealed.json.data.etag,
    waiting: async (kind, dice) => {
      const path = kind === 'registration' ? 'attestation' : 'assertion'
      const id = await opened(path)
      const options = await bound(id)
      const response = kind === 'registration' ? await registrationBy(options, dice) : signedBy(key, options)
      return { id, path, response }
    },
    close: line.close,
  }
}

const signedBy = (key: SoftKey, options: unknown): object => {
  key.counter += 1
  return authenticationResponse(key, options)
}

let ports: AuthenticatorPorts | undefined

/** Half of them without attestation, half by one of the models, so that every format is met. */
const registrationBy = async (options: CreationOptionsJson, dice: Dice): Promise<object> => {
  if (dice.chance(0.5)) return registrationResponse(makeSoftKey(), options)
  const random = { repeatable: true, bytes: (count: number) => new Uint8Array(dice.bytes(count)) }
  ports ??= { random, now: Date.now, attestationKeys: makeRepeatableAuthority({ random, now: Date.now() }) }
  const models = Object.values(MODELS).filter(({ algorithms }) => !algorithms[0].startsWith('RS'))
  const made = await makeCredential(
    {
      options,
      origin: 'https://shop.example',
      model: dice.pick(models),
      storage: 'chip',
      userVerified: true,
      existing: { forRp: () => [] },
    },
    { ...ports, random },
  )
  return made.ok ? made.value.response : registrationResponse(makeSoftKey(), options)
}

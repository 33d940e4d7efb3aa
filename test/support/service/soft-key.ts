import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { cbor, map } from '../ceremony/cbor.ts'

/** An ES256 credential written from WebAuthn §6; it shares no codec with the product. */
export type SoftKey = {
  readonly id: Buffer
  readonly privateKey: KeyObject
  readonly cose: Buffer
  counter: number
  userHandle?: string
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()
const b64 = (data: Uint8Array | string): string => Buffer.from(data).toString('base64url')

let made = 0

export const makeSoftKey = (): SoftKey => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' }) as { x?: string; y?: string }
  const [pointX, pointY] = [Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]
  const cose = Buffer.from(cbor(map([1, 2], [3, -7], [-1, 1], [-2, pointX], [-3, pointY])))
  made += 1
  return { id: sha256(`soft key ${made} ${process.pid}`), privateKey, cose, counter: 0 }
}

const clientData = (type: string, challenge: string, origin: string): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

const UP_UV = 0x05
const flagsAndCounter = (flags: number, counter: number): Buffer =>
  Buffer.from([flags, counter >>> 24, (counter >> 16) & 255, (counter >> 8) & 255, counter & 255])

/** RegistrationResponseJSON with format "none". */
export const registrationResponse = (
  key: SoftKey,
  // biome-ignore lint/suspicious/noExplicitAny: options as they came over the wire
  options: any,
  {
    origin = 'https://shop.example',
    challenge = options.challenge as string,
  }: { origin?: string; challenge?: string } = {},
) => {
  const client = clientData('webauthn.create', challenge, origin)
  const length = Buffer.from([key.id.length >> 8, key.id.length & 255])
  const authData = Buffer.concat([
    sha256(String(options.rp.id)),
    flagsAndCounter(UP_UV | 0x40, key.counter),
    Buffer.alloc(16),
    length,
    key.id,
    key.cose,
  ])
  const attestationObject = cbor(map(['fmt', 'none'], ['attStmt', map()], ['authData', authData]))
  key.userHandle = options.user.id
  return {
    id: b64(key.id),
    rawId: b64(key.id),
    type: 'public-key',
    authenticatorAttachment: 'platform',
    clientExtensionResults: {},
    response: {
      clientDataJSON: b64(client),
      attestationObject: b64(attestationObject),
      authenticatorData: b64(authData),
      transports: ['internal', 'hybrid'],
      publicKeyAlgorithm: -7,
    },
  }
}

/** AuthenticationResponseJSON. */
export const authenticationResponse = (
  key: SoftKey,
  // biome-ignore lint/suspicious/noExplicitAny: options as they came over the wire
  options: any,
  { counter = key.counter, origin = 'https://shop.example' }: { counter?: number; origin?: string } = {},
) => {
  const client = clientData('webauthn.get', String(options.challenge), origin)
  const authData = Buffer.concat([sha256(String(options.rpId)), flagsAndCounter(UP_UV, counter)])
  const signature = sign('sha256', Buffer.concat([authData, sha256(client)]), key.privateKey)
  return {
    id: b64(key.id),
    rawId: b64(key.id),
    type: 'public-key',
    clientExtensionResults: {},
    response: {
      clientDataJSON: b64(client),
      authenticatorData: b64(authData),
      signature: b64(signature),
      ...(key.userHandle === undefined ? {} : { userHandle: key.userHandle }),
    },
  }
}

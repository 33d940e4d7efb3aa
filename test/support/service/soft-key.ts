import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/** An ES256 credential made with node:crypto alone, written from WebAuthn §6; it shares no code with the product. */
export type SoftKey = {
  readonly id: Buffer
  readonly privateKey: KeyObject
  readonly cose: Buffer
  counter: number
  userHandle?: string
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()
const b64 = (data: Buffer | string): string => Buffer.from(data).toString('base64url')

const head = (major: number, n: number): Buffer =>
  n < 24
    ? Buffer.from([(major << 5) | n])
    : n < 256
      ? Buffer.from([(major << 5) | 24, n])
      : Buffer.from([(major << 5) | 25, n >> 8, n & 255])
const bytes = (data: Buffer): Buffer => Buffer.concat([head(2, data.length), data])
const text = (data: string): Buffer => Buffer.concat([head(3, Buffer.byteLength(data)), Buffer.from(data)])

let made = 0

export const makeSoftKey = (): SoftKey => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' }) as { x?: string; y?: string }
  const cose = Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    bytes(Buffer.from(x, 'base64url')),
    Buffer.from([0x22]),
    bytes(Buffer.from(y, 'base64url')),
  ])
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
  const attestationObject = Buffer.concat([
    head(5, 3),
    text('fmt'),
    text('none'),
    text('attStmt'),
    head(5, 0),
    text('authData'),
    bytes(authData),
  ])
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

import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { type Answer, send } from './rp.ts'

/**
 * A phone written with docs/interface/phone-app.md and WebAuthn alone: its own CBOR, its own keys, nothing of
 * the product. ES256, packed self attestation.
 */
type Held = {
  readonly id: Buffer
  readonly rpId: string
  readonly key: KeyObject
  readonly userHandle: string
  counter: number
}

export type ForeignPhone = {
  readonly appUrl: string
  readonly token: string
  readonly deviceId: string
  readonly held: Held[]
}

const b64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
const sha256 = (data: Uint8Array | string): Buffer => createHash('sha256').update(data).digest()

const head = (major: number, n: number): Buffer =>
  n < 24
    ? Buffer.from([(major << 5) | n])
    : n < 256
      ? Buffer.from([(major << 5) | 24, n])
      : Buffer.from([(major << 5) | 25, n >> 8, n & 255])
const int = (n: number): Buffer => (n >= 0 ? head(0, n) : head(1, -1 - n))
const bytes = (b: Uint8Array): Buffer => Buffer.concat([head(2, b.length), b])
const text = (s: string): Buffer => Buffer.concat([head(3, Buffer.byteLength(s)), Buffer.from(s)])
const map = (...pairs: [Buffer, Buffer][]): Buffer => Buffer.concat([head(5, pairs.length), ...pairs.flat()])

export const signIn = async (
  appUrl: string,
  account: { name: string; phone: string; proof?: string },
  deviceName = 'Foreign phone',
): Promise<ForeignPhone> => {
  const answer = await send(
    new URL(`${appUrl}/devices`),
    'POST',
    JSON.stringify({ account, device_name: deviceName }),
    {},
  )
  if (answer.code !== 0) throw new Error(`sign-in refused: ${answer.code} ${answer.error}`)
  return { appUrl, token: String(answer.data.device_token), deviceId: String(answer.data.device_id), held: [] }
}

export const callAsPhone = (
  phone: ForeignPhone,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> =>
  send(new URL(phone.appUrl + path), method, body === undefined ? '' : JSON.stringify(body), {
    authorization: `Bearer ${phone.token}`,
    ...headers,
  })

/** The text after `#`, first character removed. */
export const messageId = (url: unknown): string => String(url).split('#')[1]?.slice(1) ?? ''

const clientData = (type: string, challenge: string, origin: string): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

const authData = (rpId: string, flags: number, counter: number, attested = Buffer.alloc(0)): Buffer => {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, attested])
}

type CreationOptions = { rp: { id: string }; user: { id: string }; challenge: string }
type RequestOptions = { rpId: string; challenge: string; allowCredentials?: { id: string }[] }

export const makeAttestation = (phone: ForeignPhone, options: CreationOptions, origin: string): unknown => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = publicKey.export({ format: 'jwk' })
  const id = randomBytes(32)
  const cose = map(
    [int(1), int(2)],
    [int(3), int(-7)],
    [int(-1), int(1)],
    [int(-2), bytes(Buffer.from(String(jwk.x), 'base64url'))],
    [int(-3), bytes(Buffer.from(String(jwk.y), 'base64url'))],
  )
  const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose])
  const data = authData(options.rp.id, 0x45, 1, attested)
  const client = clientData('webauthn.create', options.challenge, origin)
  const sig = createSign('sha256')
    .update(Buffer.concat([data, sha256(client)]))
    .sign(privateKey)
  const statement = map([text('alg'), int(-7)], [text('sig'), bytes(sig)])
  const attestationObject = map(
    [text('fmt'), text('packed')],
    [text('attStmt'), statement],
    [text('authData'), bytes(data)],
  )
  phone.held.push({ id, rpId: options.rp.id, key: privateKey, userHandle: options.user.id, counter: 1 })
  return {
    id: b64(id),
    rawId: b64(id),
    type: 'public-key',
    clientExtensionResults: {},
    response: { clientDataJSON: b64(client), attestationObject: b64(attestationObject), transports: ['hybrid'] },
  }
}

export const makeAssertion = (phone: ForeignPhone, options: RequestOptions, origin: string): unknown => {
  const allowed = options.allowCredentials?.map((entry) => entry.id)
  const held = phone.held.find(
    (entry) => entry.rpId === options.rpId && (allowed === undefined || allowed.includes(b64(entry.id))),
  )
  if (held === undefined) throw new Error('this phone holds no matching credential')
  held.counter += 1
  const data = authData(options.rpId, 0x05, held.counter)
  const client = clientData('webauthn.get', options.challenge, origin)
  const signature = createSign('sha256')
    .update(Buffer.concat([data, sha256(client)]))
    .sign(held.key)
  return {
    id: b64(held.id),
    rawId: b64(held.id),
    type: 'public-key',
    clientExtensionResults: {},
    response: {
      clientDataJSON: b64(client),
      authenticatorData: b64(data),
      signature: b64(signature),
      userHandle: held.userHandle,
    },
  }
}

type Bound = { kind: string; rp: { origins: string[] }; public_key: CreationOptions & RequestOptions }

/** Scan, look, touch: everything a person does after pointing the phone at a code. */
export const scanAndApprove = async (phone: ForeignPhone, url: unknown): Promise<Answer> => {
  const msgId = messageId(url)
  const bound = await callAsPhone(phone, 'POST', `/messages/${msgId}/bind`, {})
  if (bound.code !== 0) return bound
  const { kind, rp, public_key: options } = bound.data as unknown as Bound
  const origin = rp.origins[0] ?? ''
  return kind === 'registration'
    ? callAsPhone(phone, 'POST', `/messages/${msgId}/attestation`, {
        response: makeAttestation(phone, options, origin),
        storage: 'chip',
      })
    : callAsPhone(phone, 'POST', `/messages/${msgId}/assertion`, { response: makeAssertion(phone, options, origin) })
}

/** Opens the inbox and gives the first push that comes. */
export const firstPush = (
  phone: ForeignPhone,
): { readonly opened: Promise<void>; readonly push: Promise<Record<string, unknown>>; close(): void } => {
  let close = (): void => {}
  let settleOpened = (): void => {}
  const opened = new Promise<void>((resolve) => {
    settleOpened = resolve
  })
  const push = new Promise<Record<string, unknown>>((resolve, reject) => {
    const req = request(
      `${phone.appUrl}/inbox`,
      { headers: { authorization: `Bearer ${phone.token}`, accept: 'text/event-stream' } },
      (res) => {
        settleOpened()
        let buffer = ''
        res.setEncoding('utf8')
        res.on('data', (chunk: string) => {
          buffer += chunk
          for (const block of buffer.split('\n\n').slice(0, -1)) {
            const lines = block.split('\n')
            const data = lines
              .filter((line) => line.startsWith('data:'))
              .map((line) => line.slice(5).trim())
              .join('\n')
            if (lines.includes('event: message')) resolve(JSON.parse(data))
          }
          buffer = buffer.slice(buffer.lastIndexOf('\n\n') + 2)
        })
        res.on('error', () => {})
      },
    )
    req.on('error', reject)
    req.end()
    close = () => req.destroy()
  })
  push.catch(() => {})
  return { opened, push, close: () => close() }
}

import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createBenchClock, realClock } from '../../src-main/bench/harness/clock.ts'
import { createRandom } from '../../src-main/bench/harness/random.ts'
import type { PhoneFact } from '../../src-main/core/contract/events.ts'
import { encodeMessageAddress, type MessageKind } from '../../src-main/core/protocol/message-address.ts'
import type { Clock } from '../../src-main/core/protocol/time.ts'
import type { PhoneState } from '../../src-main/phones/phone/phone-state.ts'
import { createPhones } from '../../src-main/phones/phone/phones.ts'
import type { NewPhone, Phones } from '../../src-main/phones/phone/phones-interface.ts'
import type { PhoneStorage } from '../../src-main/phones/phone/storage/phone-storage.ts'
import { phoneStorage } from './phone-storage.ts'

/** Retries pause less than this; what is set for longer waits for an answer. */
const LONGEST_RETRY = 14_000

export const WORKSPACE = 'main'
export const ALICE = { name: 'Alice', phone: '13812345678' }
/** What a phone shows after a command, and how it refuses one. */
export const shows = (value: object) => ({ ok: true, value })
export const refusedAs = (word: string) => ({ ok: false, error: { word } })

/** Phones against the small service, on a clock that stands. */
export const startPhoneBench = async (options: { readonly seed?: number; readonly storage?: PhoneStorage } = {}) => {
  const clock = createBenchClock({ start: { now: 1_700_000_000_000, frozen: true } })
  const service = await startPhoneService({ now: () => clock.now() })
  const facts: PhoneFact[] = []
  const waiting = new Set<() => void>()
  const { storage = phoneStorage() } = options
  // Real time as it is, but pauses pass at once, and how long they would have been is noted.
  const pauses: number[] = []
  const patience = new Set<() => void>()
  const wall: Clock = {
    now: realClock.now,
    at: (time, alarm) => {
      const ms = Math.round(time - realClock.now())
      if (ms > LONGEST_RETRY) {
        patience.add(alarm)
        return () => void patience.delete(alarm)
      }
      pauses.push(ms)
      return realClock.at(realClock.now(), alarm)
    },
  }
  const open = (): Phones =>
    createPhones({
      appUrl: () => service.appUrl,
      baseUrl: () => service.baseUrl,
      clock: () => clock,
      wall,
      random: createRandom({ seed: options.seed ?? 1 }),
      storage,
      observe: (_workspace, draft) => {
        if (draft.kind !== 'phone') return
        facts.push(draft)
        for (const look of waiting) look()
      },
    })
  let phones = open()

  const stateOf = (phone: string): PhoneState => {
    const state = phones.get({ workspace: WORKSPACE, phone })
    if (state === undefined) throw new Error(`no phone ${phone}`)
    return state
  }

  return {
    clock,
    service,
    storage,
    get phones() {
      return phones
    },
    facts,
    stateOf,
    make: async (draft: Partial<NewPhone> = {}): Promise<PhoneState> => {
      const made = await phones.create(WORKSPACE, { name: 'Phone A', account: ALICE, ...draft })
      if (!made.ok) throw new Error(made.error.word)
      return made.value
    },
    /** One registration, from scan to success. */
    register: async (phone: PhoneState, storage: 'chip' | 'cloud'): Promise<string> => {
      const ref = { workspace: WORKSPACE, phone: phone.id }
      const scanned = await phones.scan(ref, { url: service.registration().url })
      const prompt = scanned.ok ? scanned.value.prompts.at(-1)?.id : undefined
      const done = await phones.approve({ ...ref, prompt: prompt ?? '' }, { storage })
      if (!done.ok || done.value.screen.kind !== 'success') throw new Error(JSON.stringify(done))
      return done.value.screen.credential_id
    },
    /** What was waited before trying again, from now on; to the nearest step, as real time passes meanwhile. */
    wallPauses: () => {
      const from = pauses.length
      return (): number[] => pauses.slice(from).map((ms) => Math.round(ms / 50) * 50)
    },
    /** Everything that waits for an answer has waited long enough. */
    ringPatience: async (): Promise<void> => {
      await new Promise((resolve) => setImmediate(resolve))
      for (const alarm of [...patience]) alarm()
    },
    /** The same storage and service, other phones objects. */
    restart: async (): Promise<Phones> => {
      await phones.close()
      phones = open()
      await phones.start(WORKSPACE)
      return phones
    },
    ref: (phone: PhoneState) => ({ workspace: WORKSPACE, phone: phone.id }),
    scan: (phone: PhoneState, { url }: { readonly url: string }) =>
      phones.scan({ workspace: WORKSPACE, phone: phone.id }, { url }),
    /** What the phone asks its person, or asked first of several. */
    asked: (phone: PhoneState) => ({
      ...{ workspace: WORKSPACE, phone: phone.id, prompt: stateOf(phone.id).prompts[0]?.id ?? '' },
    }),
    /** Resolves once the phone's state is such; looks at each fact. */
    until: (phone: PhoneState, such: (state: PhoneState) => boolean): Promise<PhoneState> =>
      new Promise((resolve) => {
        const look = (): void => {
          const state = stateOf(phone.id)
          if (!such(state)) return
          waiting.delete(look)
          resolve(state)
        }
        waiting.add(look)
        look()
      }),
    close: async (): Promise<void> => {
      await phones.close()
      await storage.close()
      clock.stop()
      await service.close()
    },
  }
}

export type PhoneBench = Awaited<ReturnType<typeof startPhoneBench>>

type Json = Record<string, unknown>

type Message = {
  readonly id: string
  readonly url: string
  readonly kind: MessageKind
  readonly data: Json
  state: 'init' | 'bind' | 'success' | 'fail'
  error: string
}

type Device = { readonly account: string; readonly name: string; inbox?: ServerResponse; readonly pushes: Json[] }

/** Stands in the way of the next calls whose target fits. */
type Hindrance = {
  readonly target: RegExp
  left: number
  readonly act: (req: IncomingMessage, res: ServerResponse) => 'answered' | 'go on' | 'answer lost'
}

class Refusal extends Error {
  readonly code: number
  constructor(code: number) {
    super('Refused.')
    this.code = code
  }
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()

/**
 * The phone’s interface as docs/interface/phone-app.md has it, over real HTTP, small enough to see through: it looks at challenge
 * and origin alone. The phones' own tests steer it from inside.
 */
const startPhoneService = async (options: { readonly now: () => number }) => {
  const accounts = new Map<string, { readonly name: string; readonly proof: string | undefined }>()
  const devices = new Map<string, Device>()
  const messages = new Map<string, Message>()
  const vault = new Map<string, { readonly sealed: string; readonly etag: string }>()
  const credentials = new Set<string>()
  const calls: { readonly method: string; readonly target: string; readonly status: number; readonly body: string }[] =
    []
  let hindrances: Hindrance[] = []
  let count = 0

  const deviceOf = (req: IncomingMessage): { readonly token: string; readonly device: Device } => {
    const token = /^Bearer (.+)$/.exec(req.headers.authorization ?? '')?.[1] ?? ''
    const device = devices.get(token)
    if (device === undefined) throw new Refusal(40110)
    return { token, device }
  }

  const messageFor = (id: string): Message => {
    const message = messages.get(id)
    if (message === undefined) throw new Refusal(40402)
    return message
  }

  const judge = (message: Message, body: Json): string => {
    const { response, id } = body.response as { response: Json; id: string }
    const clientData = JSON.parse(Buffer.from(String(response.clientDataJSON), 'base64url').toString()) as Json
    if (clientData.challenge !== (message.data.public_key as Json).challenge)
      return 'challenge_mismatch: Another challenge.'
    if (clientData.origin !== 'http://localhost:7420') return 'origin_mismatch: Another origin.'
    if (message.kind === 'registration') credentials.add(id)
    return ''
  }

  const answer = (message: Message, body: Json): Json => {
    message.error = judge(message, body)
    message.state = message.error === '' ? 'success' : 'fail'
    return { status: message.state, error: message.error }
  }

  const onVault = (req: IncomingMessage, device: Device, id: string, body: Json): [Json, string?] => {
    const key = `${device.account} ${id}`
    const now = vault.get(key)
    if (req.method === 'PUT') {
      const etag = `"e${++count}"`
      vault.set(key, { sealed: String(body.sealed), etag })
      return [{ credential_id: id, etag }, etag]
    }
    if (now === undefined) throw new Refusal(40404)
    if (req.method === 'DELETE') vault.delete(key)
    return [{ credential_id: id, etag: now.etag, sealed: now.sealed }, now.etag]
  }

  const act = (req: IncomingMessage, path: string, text: string): [Json, string?] => {
    const body = text === '' ? {} : (JSON.parse(text) as Json)
    if (path === '/devices') {
      const account = body.account as { name: string; phone: string; proof?: string }
      const known = accounts.get(account.phone)
      if (known !== undefined && known.proof !== account.proof) throw new Refusal(40110)
      accounts.set(account.phone, { name: account.name, proof: account.proof })
      const token = `token-${++count}`
      devices.set(token, { account: account.phone, name: String(body.device_name), pushes: [] })
      return [{ device_id: `dev_${count}`, device_token: token }]
    }
    const { token, device } = deviceOf(req)
    if (path === '/devices/self') {
      device.inbox?.end()
      devices.delete(token)
      return [{}]
    }
    if (path === '/vault') {
      const mine = [...vault].filter(([key]) => key.startsWith(`${device.account} `))
      return [{ list: mine.map(([key, entry]) => ({ credential_id: key.split(' ')[1], ...entry })) }]
    }
    const inVault = /^\/vault\/(.+)$/.exec(path)
    if (inVault !== null) return onVault(req, device, decodeURIComponent(inVault[1] ?? ''), body)
    const [, id = '', verb] = /^\/messages\/([^/]+)\/(.+)$/.exec(path) ?? []
    const message = messageFor(id)
    if (verb === 'bind') {
      if (message.state === 'init') message.state = 'bind'
      return [message.data]
    }
    if (verb === 'reject') {
      message.state = 'fail'
      message.error = `${body.reason ?? 'user_rejected'}: Rejected.`
      return [{ status: 'fail' }]
    }
    return [answer(message, body)]
  }

  const sendPush = (device: Device, index: number): void => {
    device.inbox?.write(`id: ${index + 1}\nevent: message\ndata: ${JSON.stringify(device.pushes[index])}\n\n`)
  }

  const openInbox = (req: IncomingMessage, res: ServerResponse): void => {
    const { device } = deviceOf(req)
    device.inbox?.end()
    device.inbox = res
    res.writeHead(200, { 'Content-Type': 'text/event-stream' })
    res.write(': hello\n\n')
    const since = Number(req.headers['last-event-id'] ?? 0)
    for (let i = since; i < device.pushes.length; i++) sendPush(device, i)
  }

  const respond = (req: IncomingMessage, res: ServerResponse, text: string): void => {
    const path = (req.url ?? '').slice('/app'.length)
    const hindrance = hindrances.find(({ target, left }) => left > 0 && target.test(path))
    if (hindrance !== undefined) hindrance.left -= 1
    const turn = hindrance?.act(req, res) ?? 'go on'
    if (turn === 'answered') return
    let code = 0
    let error = ''
    let result: [Json, string?] = [{}]
    try {
      if (path === '/inbox') {
        openInbox(req, res)
        calls.push({ method: 'GET', target: path, status: 200, body: '' })
        return
      }
      result = act(req, path, text)
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown
      code = thrown.code
      error = thrown.message
    }
    const status = code === 0 ? 200 : Math.floor(code / 100)
    calls.push({ method: req.method ?? '', target: path, status, body: text })
    if (turn === 'answer lost') return void req.socket.destroy()
    const [data, etag] = result
    res.writeHead(status, { 'Content-Type': 'application/json', ...(etag === undefined ? {} : { ETag: etag }) })
    res.end(JSON.stringify({ code, data, error }))
  }

  const server = createServer((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => respond(req, res, Buffer.concat(chunks).toString('utf8')))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const baseUrl = `http://localhost:${port}/fido`

  const ask = (kind: MessageKind, publicKey: Json, more: Json = {}): Message => {
    count += 1
    const id = sha256(`message ${count}`).subarray(0, 16).toString('base64url')
    const challenge = sha256(`challenge ${count}`).toString('base64url')
    const message: Message = {
      id,
      url: encodeMessageAddress({ baseUrl, kind, msgId: id }),
      kind,
      state: 'init',
      error: '',
      data: {
        kind,
        rp: { id: 'localhost', name: 'Demo Bank', origins: ['http://localhost:7420'] },
        user: { username: 'alice', display_name: 'Alice' },
        credential_name: kind === 'registration' ? 'Quiet Otter 42' : '',
        expires_at: Math.floor(options.now() / 1000) + 180,
        public_key: { challenge, ...publicKey },
        ...more,
      },
    }
    messages.set(id, message)
    return message
  }

  return {
    appUrl: `http://127.0.0.1:${port}/app`,
    baseUrl,
    calls,
    messages,
    vault,
    credentials,
    devices,
    registration: (more: { readonly publicKey?: Json; readonly data?: Json } = {}): Message =>
      ask(
        'registration',
        {
          rp: { id: 'localhost', name: 'Demo Bank' },
          user: { id: sha256('alice').toString('base64url'), name: 'alice', displayName: 'Alice' },
          pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
          attestation: 'direct',
          authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
          ...more.publicKey,
        },
        more.data,
      ),
    authentication: (more: { readonly publicKey?: Json; readonly data?: Json } = {}): Message =>
      ask(
        'authentication',
        {
          rpId: 'localhost',
          userVerification: 'preferred',
          allowCredentials: [...credentials].map((id) => ({ type: 'public-key', id })),
          ...more.publicKey,
        },
        more.data,
      ),
    /** To every device of the account. */
    push: (message: Message, phone: string): void => {
      for (const device of devices.values()) {
        if (device.account !== phone) continue
        const { rp, expires_at } = message.data
        device.pushes.push({ msg_id: message.id, url: message.url, rp, expires_at })
        sendPush(device, device.pushes.length - 1)
      }
    },
    cutInboxes: (): void => {
      for (const device of devices.values()) device.inbox?.socket?.destroy()
    },
    hinder: (target: RegExp, act: Hindrance['act'], times = 1): void => {
      hindrances = [...hindrances, { target, left: times, act }]
    },
    close: async (): Promise<void> => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach } from 'vitest'
import { createOwnRootTrust } from '../../src-main/bench/control/workspaces.ts'
import { realClock } from '../../src-main/bench/harness/clock.ts'
import { createRandom } from '../../src-main/bench/harness/random.ts'
import type { PhoneFact } from '../../src-main/core/contract/events.ts'
import type { Clock } from '../../src-main/core/protocol/time.ts'
import type { FaultDefinition } from '../../src-main/phones/authenticator/faults/fault.ts'
import { MODELS } from '../../src-main/phones/authenticator/models.ts'
import type { PhoneState } from '../../src-main/phones/phone/phone-state.ts'
import { createPhones, type NewPhone, type Phones } from '../../src-main/phones/phone/phones.ts'
import type { PhoneStorage } from '../../src-main/phones/phone/storage/open-storage.ts'
import { phoneStorage } from './phone-storage.ts'
import type { Answer } from './service/raw-http.ts'
import { msgIdOf, rpClient } from './service/rp-client.ts'
import { startService } from './service/start-service.ts'
import { taken } from './taken.ts'

/** Retries pause less than this; what is set for longer waits for an answer. */
const LONGEST_RETRY = 14_000

export const WORKSPACE = 'main'
export const ALICE = { name: 'Alice', phone: '13812345678' }
/** What a phone shows after a command, and how it refuses one. */
export const shows = (value: object) => ({ ok: true, value })
export const refusedAs = (word: string) => ({ ok: false, error: { word } })

/** Instead of an answer of the service: one of its own, none though it was carried out, or the same with other text. */
export type Hinder = (
  req: IncomingMessage,
  res: ServerResponse,
) => 'answered' | 'answer lost' | ((answer: string) => string)

export const saying =
  (status: number, body: string): Hinder =>
  (_, res) => {
    res.writeHead(status, { 'Content-Type': 'application/json' }).end(body)
    return 'answered'
  }

export const breaking: Hinder = (req) => {
  req.socket.destroy()
  return 'answered'
}

/** Between the phones and the service: what is asked can be read there, and hindered. */
const startFront = async (port: number) => {
  const calls: { readonly method: string; readonly target: string; readonly status: number; readonly body: string }[] =
    []
  const inboxes = new Set<ServerResponse>()
  const hindrances: { readonly target: RegExp; left: number; readonly act: Hinder }[] = []

  const forward = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const body = await text(req)
    const { method = '', url: path = '', headers } = req
    const target = path.slice('/app'.length)
    const hindrance = hindrances.find((each) => each.left > 0 && each.target.test(target))
    if (hindrance !== undefined) hindrance.left -= 1
    const turn = hindrance?.act(req, res)
    if (turn === 'answered') return
    const asked = request({ port, method, path, headers: { ...headers, host: `localhost:${port}` } })
    asked.on('error', () => res.destroy())
    res.on('close', () => {
      inboxes.delete(res)
      asked.destroy()
    })
    asked.on('response', async (answer) => {
      const { statusCode: status = 0 } = answer
      calls.push({ method, target, status, body })
      if (turn === 'answer lost') return void req.socket.destroy()
      if (turn !== undefined) return void res.writeHead(status).end(turn(await text(answer)))
      if (target === '/inbox') inboxes.add(res)
      res.writeHead(status, answer.headers).flushHeaders()
      answer.pipe(res)
    })
    asked.end(body)
  }

  const server = createServer((req, res) => void forward(req, res).catch(() => res.destroy()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    calls,
    inboxes,
    cutInboxes: (): void => {
      for (const inbox of inboxes) inbox.destroy()
    },
    hinder: (target: RegExp, act: Hinder, times = 1): void => void hindrances.push({ target, left: times, act }),
    close: async (): Promise<void> => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Phones against the real service, both on a workspace clock that stands; `direct` leaves out what stands between them. */
export const startPhoneBench = async ({
  storage = phoneStorage(),
  direct = false,
}: {
  readonly storage?: PhoneStorage
  readonly direct?: boolean
} = {}) => {
  const running = await startService({ wall: { now: Date.UTC(2026, 4, 1, 12) } })
  const { clock } = running
  const front = await startFront(running.port)
  const facts: PhoneFact[] = []
  const waiting = new Set<() => void>()
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
  let trusted = false
  const trustOwnRoots = async (): Promise<void> => {
    taken(await createOwnRootTrust({ admin: running.admin, phones })(WORKSPACE))
    trusted = true
  }
  const open = (): Phones =>
    createPhones({
      appUrl: () => `http://127.0.0.1:${direct ? running.port : front.port}/app`,
      baseUrl: () => `http://localhost:${running.port}/fido`,
      clock: () => clock,
      wall: direct ? realClock : wall,
      random: createRandom({ seed: 1 }),
      storage,
      observe: (workspace, draft, when) => {
        running.recorder.observe(workspace, draft, when)
        if (draft.kind !== 'phone') return
        facts.push(draft)
        for (const look of waiting) look()
      },
      trustMakers: async () => {
        if (trusted) await trustOwnRoots()
      },
    })
  let phones = open()
  running.settle.run = async () => {
    await running.admin.settled()
    await phones.idle(WORKSPACE)
    await running.admin.settled()
  }
  const rp = rpClient(running, await running.makeRp())
  let users = 0

  const messageOf = (answer: Answer) => {
    if (answer.json.code !== 0) throw new Error(answer.text)
    const id = msgIdOf(answer)
    const last = () => running.events('message').findLast(({ msg_id }) => msg_id === id)
    return {
      id,
      url: String(answer.json.data.url),
      expires_at: Number(answer.json.data.expires_at),
      get state() {
        return last()?.to
      },
      get error() {
        return last()?.error?.split(':')[0]
      },
    }
  }
  /** Of a new user, whom the sign-ins after it are for. */
  const registration = async (names = { username: 'alice', display_name: 'Alice' }, user = ++users) =>
    messageOf(await rp.register(`u-${user}`, { ...names, credential_name: 'Quiet Otter 42' }))

  /** Resolves once the phone's state is such; looks at each fact. */
  const until = (phone: PhoneState, such: (state: PhoneState) => boolean): Promise<PhoneState> =>
    new Promise((resolve) => {
      const look = (): void => {
        const state = stateOf(phone.id)
        if (!such(state)) return
        waiting.delete(look)
        resolve(state)
      }
      waiting.add(look)
      look()
    })
  const authentication = async (method: 'qrcode' | 'push' = 'qrcode') =>
    messageOf(await rp.authenticate(`u-${users}`, method))

  const refOf = ({ id }: { readonly id: string }) => ({ workspace: WORKSPACE, phone: id })
  const stateOf = (phone: string): PhoneState => {
    const state = phones.get(refOf({ id: phone }))
    if (state === undefined) throw new Error(`no phone ${phone}`)
    return state
  }
  const scan = (phone: { readonly id: string }, { url }: { readonly url: string }) => phones.scan(refOf(phone), { url })
  /** A new message that the phone has scanned. */
  const scanned = async (phone: { readonly id: string }, ceremony: 'registration' | 'authentication') => {
    const message = await (ceremony === 'registration' ? registration() : authentication())
    await scan(phone, message)
    return message
  }

  return {
    running,
    clock,
    service: {
      ...front,
      registration,
      authentication,
      devices: async () => taken(await running.admin.devices.list(WORKSPACE)),
      vault: async () => (await running.store.rows(WORKSPACE)).vault ?? [],
    },
    storage,
    get phones() {
      return phones
    },
    facts,
    stateOf,
    /** The service trusts the makers of these phones, as a bench's does. */
    trustOwnRoots,
    setProfile: async (settings: Readonly<Record<string, unknown>>): Promise<void> =>
      void taken(await running.admin.profile.patch(WORKSPACE, settings)),
    make: async (draft: Partial<NewPhone> = {}): Promise<PhoneState> => {
      const made = await phones.create(WORKSPACE, { name: 'Phone A', account: ALICE, ...draft })
      if (!made.ok) throw new Error(made.error.word)
      return made.value
    },
    /** One registration, from scan to success. */
    register: async (
      phone: PhoneState,
      storage: 'chip' | 'cloud',
      ...who: Parameters<typeof registration>
    ): Promise<string> => {
      const scanned = await scan(phone, await registration(...who))
      const prompt = scanned.ok ? scanned.value.prompts.at(-1)?.id : undefined
      const done = await phones.approve({ ...refOf(phone), prompt: prompt ?? '' }, { storage })
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
    ref: refOf,
    scan,
    scanned,
    /** What the phone asks its person, or asked first of several. */
    asked: (phone: PhoneState) => ({ ...refOf(phone), prompt: stateOf(phone.id).prompts[0]?.id ?? '' }),
    until,
    /** A push that has come to the phone. */
    pushTo: async (phone: PhoneState) => {
      const message = await authentication('push')
      await until(phone, ({ notifications }) => notifications.some(({ msg_id }) => msg_id === message.id))
      return message
    },
    close: async (): Promise<void> => {
      await phones.close()
      await storage.close()
      await front.close()
      await running.stop()
    },
  }
}

export type PhoneBench = Awaited<ReturnType<typeof startPhoneBench>>

export let bench: PhoneBench

/** Each test of the file has phones of its own against a service of its own. */
export const phoneBenchEachTest = (options?: Parameters<typeof startPhoneBench>[0]): void => {
  beforeEach(async () => {
    bench = await startPhoneBench(options)
  })
  afterEach(() => bench.close())
}

const names = Object.keys(MODELS) as (keyof typeof MODELS)[]

/** The first model that can feel the fault. */
export const modelFor = ({ needs = {} }: FaultDefinition): keyof typeof MODELS => {
  const fits = (name: keyof typeof MODELS): boolean => {
    const model = MODELS[name]
    const attests = needs.attestation?.some((kind) => kind === model.attestation) ?? true
    const signs = needs.algorithms?.some((algorithm) => algorithm === model.algorithms[0]) ?? true
    return attests && signs && (needs.storage === undefined || needs.storage === model.storage)
  }
  const found = names.filter((name) => MODELS[name].storage === 'chip').find(fits) ?? names.find(fits)
  if (found === undefined) throw new Error('no model feels this fault')
  return found
}

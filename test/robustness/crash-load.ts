import { authenticationResponse, makeSoftKey, registrationResponse, type SoftKey } from '../support/service/soft-key.ts'
import { type Callers, callersOf, msgIdOf, phoneNumber, type Site } from './callers.ts'
import { good } from './cast.ts'
import type { Dice } from './dice.ts'
import type { Ledger, MessageFacts } from './ledger.ts'
import { openLine } from './line.ts'
import type { WireAnswer, WireRequest } from './wire.ts'

/** The bench is gone: what was asked last has no answer. */
export class Gone extends Error {}

/** One who calls until the bench is gone, and writes into the ledger before each request and after each answer. */
export type Worker = {
  readonly name: string
  readonly site: Site
  readonly ledger: Ledger
  readonly dice: Dice
  /** Called after each answer. */
  readonly heard?: () => void
  /** Whether a refusal because something is away ends it like a lost connection. */
  readonly mayBeRefused?: boolean
}

type Caller = Worker & { readonly callers: Callers; readonly ask: (request: WireRequest) => Promise<WireAnswer> }

const callerFor = (worker: Worker): Caller => {
  const line = openLine(worker.site.port)
  const ask = async (request: WireRequest): Promise<WireAnswer> => {
    const answer = await line.ask(request).catch((reason: Error) => {
      throw new Gone(reason.message)
    })
    worker.heard?.()
    if (worker.mayBeRefused === true && [502, 503, 504].includes(answer.status)) throw new Gone(answer.text)
    return good(answer)
  }
  return { ...worker, ask, callers: callersOf(worker.site) }
}

type Phone = { readonly id: string; readonly token: string }
type Held = { readonly key: SoftKey; readonly user: string; readonly phone: Phone }

/** An RP and its users’ phones: registrations, sign-ins, refusals, deletions, sealed credentials. */
export const callForEver = async (worker: Worker): Promise<never> => {
  const caller = callerFor(worker)
  const { dice, name } = worker
  const held: Held[] = []
  let phone = await arrive(caller, `${name} 0`)
  for (let n = 1; ; n++) {
    const last = held.at(-1)
    const what = last === undefined ? 0 : dice.below(12)
    if (last === undefined || what < 4) held.push(await registration(caller, phone, `${name} user ${n}`))
    else if (what < 7) await signIn(caller, last, dice.chance(0.5) ? 'push' : 'qrcode')
    else if (what === 7) await rejection(caller, phone, `${name} user ${n}`)
    else if (what === 8 && held.length > 3) await deletion(caller, held.shift() ?? last)
    else if (what < 11) await sealing(caller, phone)
    else {
      // Keys stay with the phone that made them: only one that has none may leave.
      if (held.every((one) => one.phone !== phone)) await leave(caller, phone)
      phone = await arrive(caller, `${name} ${n}`)
    }
  }
}

const arrive = async ({ callers, ledger, ask }: Caller, name: string): Promise<Phone> => {
  const account = { name, phone: phoneNumber(name), proof: `proof of ${name}` }
  const { data } = (await ask(callers.app('', 'POST', '/devices', { account, device_name: name }))).json
  const phone: Phone = { id: data.device_id, token: data.device_token }
  ledger.devices.set(phone.id, { token: phone.token, presence: 'there' })
  return phone
}

const leave = async ({ callers, ledger, ask }: Caller, { id, token }: Phone): Promise<void> => {
  ledger.devices.set(id, { token, presence: 'going' })
  await ask(callers.app(token, 'DELETE', '/devices/self'))
  ledger.devices.set(id, { token, presence: 'gone' })
}

const open = async (
  { callers, ledger, ask }: Caller,
  facts: MessageFacts,
  path: string,
  body: object,
): Promise<string> => {
  const id = msgIdOf(await ask(callers.rp('POST', path, body)))
  ledger.messages.set(id, facts)
  return id
}

/** The answer of the phone, and the RP’s reading of it. */
const bindAndAnswer = async (
  { callers, ask }: Caller,
  { id, facts, phone }: { readonly id: string; readonly facts: MessageFacts; readonly phone: Phone },
  // biome-ignore lint/suspicious/noExplicitAny: options as they came over the wire
  answer: (options: any) => { readonly path: string; readonly body: object; readonly end: 'success' | 'fail' },
): Promise<void> => {
  facts.bindAsked = true
  const bound = await ask(callers.app(phone.token, 'POST', `/messages/${id}/bind`, {}))
  facts.boundTo = phone.id
  const { path, body, end } = answer(bound.json.data.public_key)
  facts.asked.add(end)
  const told = await ask(callers.app(phone.token, 'POST', `/messages/${id}/${path}`, body))
  facts.told = told.json.data.status
  if (facts.told !== end) throw new Error(`expected ${end}: ${told.text}`)
  facts.readAsked = true
  const kind = facts.kind === 'registration' ? 'attestation' : 'assertion'
  const read = await ask(callers.rp('GET', `/rp/${kind}/result?msg_id=${id}`))
  facts.read = true
  if (read.json.data.status !== end) throw new Error(`expected ${end}: ${read.text}`)
}

const registration = async (caller: Caller, phone: Phone, user: string): Promise<Held> => {
  const { ledger } = caller
  const facts: MessageFacts = { kind: 'registration', asked: new Set() }
  const id = await open(caller, facts, '/rp/attestation/options', { user_id: user, username: user })
  const key = makeSoftKey()
  const credential = key.id.toString('base64url')
  await bindAndAnswer(caller, { id, facts, phone }, (options) => {
    ledger.credentials.set(credential, 'coming')
    return { path: 'attestation', body: { response: registrationResponse(key, options) }, end: 'success' }
  })
  ledger.credentials.set(credential, 'there')
  return { key, user, phone }
}

const signIn = async (caller: Caller, { key, user, phone }: Held, method: 'push' | 'qrcode'): Promise<void> => {
  const facts: MessageFacts = {
    kind: 'authentication',
    asked: new Set(),
    ...(method === 'push' ? { pushedTo: phone.id } : {}),
  }
  const id = await open(caller, facts, '/rp/assertion/options', { user_id: user, username: user, method })
  key.counter += 1
  await bindAndAnswer(caller, { id, facts, phone }, (options) => ({
    path: 'assertion',
    body: { response: authenticationResponse(key, options) },
    end: 'success',
  }))
}

const rejection = async (caller: Caller, phone: Phone, user: string): Promise<void> => {
  const facts: MessageFacts = { kind: 'registration', asked: new Set() }
  const id = await open(caller, facts, '/rp/attestation/options', { user_id: user, username: user })
  await bindAndAnswer(caller, { id, facts, phone }, () => ({ path: 'reject', body: {}, end: 'fail' }))
}

const deletion = async ({ callers, ledger, ask }: Caller, { key, user }: Held): Promise<void> => {
  const id = key.id.toString('base64url')
  ledger.credentials.set(id, 'going')
  await ask(callers.rp('DELETE', '/rp/credentials', { user_id: user, credential_ids: [id] }))
  ledger.credentials.set(id, 'gone')
}

const sealing = async ({ callers, ledger, ask, dice }: Caller, { token }: Phone): Promise<void> => {
  const id = dice.bytes(16).toString('base64url')
  const put = (condition: readonly [string, string]) => {
    const request = callers.app(token, 'PUT', `/vault/${id}`, { sealed: dice.bytes(48).toString('base64url') })
    return ask({ ...request, headers: [...request.headers, condition] })
  }
  const etagOf = async (condition: readonly [string, string]): Promise<string> =>
    String((await put(condition)).json.data.etag)
  // An etag that was not told yet is unknown here: whatever is there then may be it.
  ledger.vault.set(id, 'unknown')
  const first = await etagOf(['If-None-Match', '*'])
  ledger.vault.set(id, first)
  if (dice.chance(0.5)) return
  ledger.vault.set(id, 'unknown')
  ledger.vault.set(id, await etagOf(['If-Match', first]))
  if (dice.chance(0.5)) return
  ledger.vault.set(id, 'unknown')
  await ask(callers.app(token, 'DELETE', `/vault/${id}`))
  ledger.vault.set(id, 'absent')
}

/** The bench’s own RP and phones, through the control interface. */
export const clickForEver = async (worker: Worker): Promise<never> => {
  const { callers, ask } = callerFor(worker)
  const { name, ledger, dice } = worker
  const { rps } = (await ask(callers.control('GET', '/rps'))).json.data
  const phone = { name, account: { name, phone: phoneNumber(name) } }
  const { id } = (await ask(callers.control('POST', '/phones', phone))).json.data
  for (let n = 1; ; n++) {
    const attempt = { user_id: `${name} ${n}`, username: name, poll: false }
    const { url } = (await ask(callers.control('POST', `/rps/${rps[0].id}/simulator/register`, attempt))).json.data
    await ask(callers.control('POST', `/phones/${id}/scan`, { url }))
    const storage = dice.chance(0.5) ? 'chip' : 'cloud'
    const { screen } = (await ask(callers.control('POST', `/phones/${id}/approve`, { storage }))).json.data
    if (screen.kind !== 'success') throw new Error(`expected success: ${JSON.stringify(screen)}`)
    ledger.held.set(screen.credential_id, id)
  }
}

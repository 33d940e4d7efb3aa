import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Callers, callersOf, msgIdOf, phoneNumber } from '../robustness/callers.ts'
import { type Line, openLine } from '../robustness/line.ts'
import { requestBytes, type WireAnswer } from '../robustness/wire.ts'
import { authenticationResponse, makeSoftKey, registrationResponse, type SoftKey } from '../support/service/soft-key.ts'
import { type Ready, startLogging } from './child.ts'

export const ORIGIN = 'https://shop.example'

/** A user with a registered key, a phone of their own, and a kept connection for each of the two sides. */
export type Person = {
  readonly rp: Line
  readonly app: Line
  readonly token: string
  readonly key: SoftKey
  readonly callers: Callers
  readonly user_id: string
  /** The process that the phone speaks to. */
  readonly appPort: number
  /** The phone may speak to another process than the RP. */
  readonly appCallers: Callers
  /** The RP’s question, signed now: the same one can be asked again for some minutes. */
  question(): Buffer
}

type Place = Pick<Ready, 'base_url' | 'access_key_id' | 'secret_key' | 'token'>

/** Where several processes serve, each person's RP speaks to one and the phone to the next. */
export const makePeople = (
  ready: Place,
  count: number,
  ports: readonly number[] = [Number(new URL(ready.base_url).port)],
): Promise<readonly Person[]> => {
  const key = { accessKeyId: ready.access_key_id, secretKey: ready.secret_key }
  const sites = ports.map((port) => ({ port, callers: callersOf({ port, token: ready.token, key }) }))
  const siteOf = (n: number): Site => sites[n % sites.length] as Site
  return Promise.all(Array.from({ length: count }, (_, n) => makePerson(siteOf(n), siteOf(n + 1), `person-${n}`)))
}

type Site = { readonly port: number; readonly callers: Callers }

const makePerson = async (atRp: Site, atApp: Site, user_id: string): Promise<Person> => {
  const [{ callers }, { callers: appCallers }] = [atRp, atApp]
  const rp = openLine(atRp.port)
  const app = openLine(atApp.port)
  const account = { name: user_id, phone: phoneNumber(user_id) }
  const signIn = appCallers.app('', 'POST', '/devices', { account, device_name: user_id })
  const { device_token: token } = good(await app.ask(signIn))
  const asked = await rp.ask(callers.rp('POST', '/rp/attestation/options', { user_id, username: user_id }))
  good(asked)
  const id = msgIdOf(asked)
  const { public_key } = good(await app.ask(appCallers.app(token, 'POST', `/messages/${id}/bind`, {})))
  const key = makeSoftKey()
  const response = registrationResponse(key, public_key)
  good(await app.ask(appCallers.app(token, 'POST', `/messages/${id}/attestation`, { response })))
  const body = { user_id, username: user_id, method: 'qrcode' }
  const question = (): Buffer => requestBytes(callers.rp('POST', '/rp/assertion/options', body))
  return { rp, app, token, key, callers, user_id, appPort: atApp.port, appCallers, question }
}

/** The whole of a sign-in: the RP asks, the phone scans and answers, the RP reads the result. */
export const signInOnce = async (person: Person, question: Buffer): Promise<void> => {
  const { rp, app, token, key, callers, appCallers } = person
  const asked = await rp.say(question, 'POST')
  good(asked)
  const id = msgIdOf(asked)
  const { public_key } = good(await app.ask(appCallers.app(token, 'POST', `/messages/${id}/bind`, {})))
  key.counter += 1
  const response = authenticationResponse(key, public_key)
  good(await app.ask(appCallers.app(token, 'POST', `/messages/${id}/assertion`, { response })))
  const result = good(await rp.ask(callers.rp('GET', `/rp/assertion/result?msg_id=${id}`)))
  if (result.status !== 'success') throw new Error(`expected success, got ${result.status}: ${result.error}`)
}

const good = ({ status, text, json }: WireAnswer) => {
  if (json?.code !== 0) throw new Error(`${status} ${text}`)
  return json.data
}

/** All of them at the same time, each one sign-in after the other. Seconds and milliseconds. */
export const signInFor = async (
  people: readonly Person[],
  seconds: number,
): Promise<{ readonly perSecond: number; readonly latencies: readonly number[]; readonly took: number }> => {
  const latencies: number[] = []
  const began = performance.now()
  const end = began + seconds * 1000
  await Promise.all(
    people.map(async (person) => {
      const question = person.question()
      while (performance.now() < end) {
        const from = performance.now()
        await signInOnce(person, question)
        latencies.push(performance.now() - from)
      }
    }),
  )
  const took = (performance.now() - began) / 1000
  return { perSecond: latencies.length / took, latencies, took }
}

/** A sign-in by each of 16 people at a time, on a data directory where each step is committed before it is answered. */
export const durableSignIns = async (root: string): Promise<number> => {
  const folder = mkdtempSync(join(tmpdir(), 'handset-bench-'))
  const { ready, stop } = await startLogging(['--data', folder, '--rp-id', 'shop.example', '--origin', ORIGIN], root)
  try {
    const people = await makePeople(ready, 16)
    // The first while only warms up.
    await signInFor(people, 3)
    return (await signInFor(people, 3)).perSecond
  } finally {
    await stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

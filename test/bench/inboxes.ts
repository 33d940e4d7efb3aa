import { setTimeout as wait } from 'node:timers/promises'
import { type ControlClient, createControlClient } from '../../src-main/sdk/client.ts'
import { createRpClient, type RpClient } from '../../src-main/sdk/rp.ts'
import { cpuMs, residentMib, startHandset } from './child.ts'

export type Inboxes = {
  readonly phones: number
  /** MiB of the whole process, per phone that came. Undefined where the system does not tell. */
  readonly mibPerPhone: number | undefined
  /** Milliseconds from the RP’s call to the phone’s notification: a steady stream of pushes, then all in one instant. */
  readonly steady: readonly number[]
  readonly atOnce: readonly number[]
  /** Processor time of the bench for one push, its phone included, in milliseconds. Undefined as above. */
  readonly cpuPerPush: { readonly steady: number | undefined; readonly atOnce: number | undefined }
}

const STEADY = 8

/** As many phones as asked for, each signed in to an account of its own with its inbox open, and a push for each. */
export const measureInboxes = async (options: {
  readonly phones: number
  readonly root?: string
}): Promise<Inboxes> => {
  const handset = await startHandset([], options.root)
  const { base_url, control_url, token, access_key_id, secret_key, pid } = handset.ready
  const rp = createRpClient({ baseUrl: base_url, accessKeyId: access_key_id, secretKey: secret_key, now: Date.now })
  const control = createControlClient({ controlUrl: control_url, token })
  const done = new AbortController()
  try {
    // What the first one brings into memory belongs to no phone.
    await register(await addPhone(-1))
    const before = await settledMib(pid)
    const people = await inLanes(options.phones, STEADY, addPhone)
    await everyInboxIsOpen(control)
    const after = await settledMib(pid)
    await inLanes(options.phones, STEADY, (n) => register(people[n] ?? fail('a phone is missing')))

    const arrivals = listen(control, done.signal)
    await arrivals.listening
    const push = async (n: number): Promise<number> => {
      const { user_id, phone } = people[n] ?? fail('a phone is missing')
      const arrived = arrivals.at(phone)
      const from = performance.now()
      taken(await rp.authenticate({ user_id, username: user_id, method: 'push' }))
      return (await arrived) - from
    }
    const cpu = [cpuMs(pid)]
    const steady = await inLanes(options.phones, STEADY, push)
    cpu.push(cpuMs(pid))
    const atOnce = await Promise.all(people.map((_, n) => push(n)))
    cpu.push(cpuMs(pid))
    const perPush = (from: number | undefined, to: number | undefined): number | undefined =>
      from === undefined || to === undefined ? undefined : (to - from) / options.phones
    const mibPerPhone = before === undefined || after === undefined ? undefined : (after - before) / options.phones
    const cpuPerPush = { steady: perPush(cpu[0], cpu[1]), atOnce: perPush(cpu[1], cpu[2]) }
    return { phones: options.phones, mibPerPhone, steady, atOnce, cpuPerPush }
  } finally {
    done.abort()
    rp.close()
    await handset.stop()
  }

  async function addPhone(n: number): Promise<Person> {
    const user_id = `u-${n}`
    const account = { name: `Person ${n}`, phone: `13${String(800_000_000 + n)}` }
    const { id } = await control.call('phones.create', { body: { name: `Phone ${n}`, model: 'granite-one', account } })
    return { user_id, phone: id }
  }

  async function register({ user_id, phone }: Person): Promise<void> {
    const { url, msg_id } = taken(await rp.register({ user_id, username: user_id }))
    await control.call('phones.scan', { params: { id: phone }, body: { url } })
    await control.call('phones.approve', { params: { id: phone }, body: {} })
    const { status } = taken(await rp.registrationResult(msg_id))
    if (status !== 'success') fail(`expected success, got ${status}`)
  }
}

type Person = { readonly user_id: string; readonly phone: string }

/** Moments at which phones show a push, as the event stream tells them: never earlier than they did. */
const listen = (control: ControlClient, signal: AbortSignal) => {
  const waiting = new Map<string, (at: number) => void>()
  let heard = (): void => {}
  const listening = new Promise<void>((resolve) => {
    heard = resolve
  })
  const follow = async (): Promise<void> => {
    for await (const event of control.events({ after: 0, kind: 'phone', signal, retry: async () => false })) {
      heard()
      if (event.kind === 'phone' && event.change === 'pushed') waiting.get(event.phone_id)?.(performance.now())
    }
  }
  const following = follow()
  following.catch(() => {})
  return {
    listening: Promise.race([listening, following]),
    at: (phone: string): Promise<number> =>
      Promise.race([
        new Promise<number>((resolve) => waiting.set(phone, resolve)),
        following.then(() => fail('the event stream ended')),
      ]),
  }
}

const everyInboxIsOpen = async (control: ControlClient): Promise<void> => {
  const deadline = performance.now() + 60_000
  for (;;) {
    const { phones } = await control.call('phones.list')
    const open = phones.filter(({ inbox }) => inbox === 'open').length
    if (open === phones.length) return
    if (performance.now() > deadline) fail(`${open} of ${phones.length} inboxes are open`)
    await wait(100)
  }
}

/** Once nothing is under way any more. */
const settledMib = async (pid: number): Promise<number | undefined> => {
  await wait(2_000)
  return residentMib(pid)
}

/** The work of 0 to n − 1, some at a time, in the order of their numbers. */
const inLanes = async <T>(count: number, lanes: number, work: (n: number) => Promise<T>): Promise<readonly T[]> => {
  const results: T[] = []
  let next = 0
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (next < count) {
        const n = next++
        results[n] = await work(n)
      }
    }),
  )
  return results
}

const taken = <T>(answer: Awaited<ReturnType<RpClient['register']>> | { readonly ok: true; readonly value: T }): T => {
  if (answer.ok) return answer.value as T
  return fail(`${answer.error.code} ${answer.error.error}`)
}

const fail = (text: string): never => {
  throw new Error(text)
}

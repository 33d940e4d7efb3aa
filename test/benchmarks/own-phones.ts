import { setTimeout as wait } from 'node:timers/promises'
import { type ControlClient, createControlClient } from '../../src-main/sdk/client.ts'
import { createRpClient } from '../../src-main/sdk/rp-client.ts'
import { taken } from '../support/taken.ts'
import { startHandset } from './child.ts'

const LANES = 8

type Person = { readonly user_id: string; readonly username: string; readonly phone: string }

/** A service with its RP and people, who have phones of the bench's own. */
const openBench = async (root: string | undefined) => {
  const handset = await startHandset([], root)
  const { base_url, control_url, token, access_key_id, secret_key } = handset.ready
  const rp = createRpClient({ baseUrl: base_url, accessKeyId: access_key_id, secretKey: secret_key, now: Date.now })
  const control = createControlClient({ controlUrl: control_url, token })
  const answer = async (id: string, url: string): Promise<void> => {
    await control.call('phones.scan', { params: { id }, body: { url } })
    await control.call('phones.approve', { params: { id }, body: {} })
  }
  const expectSuccess = ({ status }: { readonly status: string }): void => {
    if (status !== 'success') fail(`expected success, got ${status}`)
  }
  return {
    rp,
    control,
    addPerson: async (n: number): Promise<Person> => {
      const account = { name: `Person ${n}`, phone: `13${800_000_000 + n}` }
      const { id } = await control.call('phones.create', {
        body: { name: `Phone ${n}`, model: 'granite-one', account },
      })
      return { user_id: `u-${n}`, username: `person-${n}`, phone: id }
    },
    register: async ({ phone, ...user }: Person): Promise<void> => {
      const { url, msg_id } = taken(await rp.register(user))
      await answer(phone, url)
      expectSuccess(taken(await rp.registrationResult(msg_id)))
    },
    signIn: async ({ phone, ...user }: Person): Promise<void> => {
      const { url, msg_id } = taken(await rp.authenticate({ ...user, method: 'qrcode' }))
      await answer(phone, url)
      expectSuccess(taken(await rp.authenticationResult(msg_id)))
    },
    close: async (): Promise<void> => {
      rp.close()
      await handset.stop()
    },
  }
}

type Measuring = { readonly phones: number; readonly root?: string }

/** Authentications a second, each from the RP's question to its reading the answer, with a phone that scans, asks and signs. */
export const authenticationsPerSecond = async ({ phones, seconds, root }: Measuring & { readonly seconds: number }) => {
  const { addPerson, register, signIn, close } = await openBench(root)
  try {
    const people = await inLanes(phones, phones, addPerson)
    await Promise.all(people.map(register))
    let count = 0
    const began = performance.now()
    const end = began + seconds * 1000
    await Promise.all(
      people.map(async (person) => {
        for (; performance.now() < end; count++) await signIn(person)
      }),
    )
    return count / ((performance.now() - began) / 1000)
  } finally {
    await close()
  }
}

/**
 * As many phones as asked for, each signed in to an account of its own with its inbox open, and a push for each in one
 * instant: milliseconds from the RP’s call to the phone’s notification.
 */
export const pushesAtOnce = async ({ phones, root }: Measuring): Promise<readonly number[]> => {
  const { rp, control, addPerson, register, close } = await openBench(root)
  const done = new AbortController()
  try {
    const people = await inLanes(phones, LANES, addPerson)
    const personAt = (n: number): Person => people[n] ?? fail('a phone is missing')
    await everyInboxIsOpen(control)
    await inLanes(phones, LANES, (n) => register(personAt(n)))

    const arrivals = listen(control, done.signal)
    await arrivals.listening
    const push = async (n: number): Promise<number> => {
      const { phone, ...user } = personAt(n)
      const arrived = arrivals.at(phone)
      const from = performance.now()
      taken(await rp.authenticate({ ...user, method: 'push' }))
      return (await arrived) - from
    }
    // A steady stream first: it warms up.
    await inLanes(phones, LANES, push)
    return await Promise.all(people.map((_, n) => push(n)))
  } finally {
    done.abort()
    await close()
  }
}

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

const fail = (text: string): never => {
  throw new Error(text)
}

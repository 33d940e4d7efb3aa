import { setTimeout as wait } from 'node:timers/promises'
import { requestBytes } from '../robustness/wire.ts'
import type { Ready } from './child.ts'
import { makePeople, type Person, signInOnce } from './people.ts'

export type PageReady = Ready & { readonly ui_url: string }

const EXCHANGES_OF_A_SIGN_IN = 4

/** Real traffic over loopback: RPs that sign, and phones that answer. None of its rows folds into another. */
export const openTraffic = async (ready: PageReady) => {
  const people = await makePeople(ready, 16)
  const personAt = (n: number): Person => people[n % people.length] as Person
  const user = (n: number): string => `person-${n % people.length}`

  const list = async (n: number): Promise<void> => {
    const { rp, callers } = personAt(n)
    const { status } = await rp.ask(callers.rp('GET', `/rp/credentials?user_id=${user(n)}`))
    if (status !== 200) throw new Error(`a list was answered with ${status}`)
  }
  const signIn = async (n: number): Promise<void> => {
    const person = personAt(n)
    const body = { user_id: user(n), username: user(n), method: 'qrcode' }
    // Signed again: a signature is good for some minutes only.
    await signInOnce(person, requestBytes(person.callers.rp('POST', '/rp/assertion/options', body)))
  }

  return {
    /** Whole sign-ins and lists of passkeys, four of a sign-in to six lists, as fast as it goes. */
    fill: async (exchanges: number): Promise<void> => {
      const rounds = Math.ceil(exchanges / (10 * people.length))
      await Promise.all(
        people.map(async (_, n) => {
          for (let round = 0; round < rounds; round++) {
            await signIn(n)
            for (let i = 0; i < 6; i++) await list(n)
          }
        }),
      )
    },
    /** So many exchanges a second, evenly, until the signal. */
    steady: async (perSecond: number, signal: AbortSignal): Promise<void> => {
      const began = performance.now()
      // One sign-in and one list by each person in turn, who is done with the one before.
      const each = EXCHANGES_OF_A_SIGN_IN + 1
      const turns = people.map(() => Promise.resolve())
      for (let n = 0; !signal.aborted; n++) {
        const due = began + ((n * each) / perSecond) * 1000
        await wait(Math.max(0, due - performance.now()))
        const turn = n % people.length
        turns[turn] = (turns[turn] ?? Promise.resolve()).then(() => signIn(n)).then(() => list(n))
      }
      await Promise.all(turns)
    },
  }
}

export type Traffic = Awaited<ReturnType<typeof openTraffic>>

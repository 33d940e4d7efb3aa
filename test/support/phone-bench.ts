import type { PhoneFact } from '../../src-main/contract/events.ts'
import { createBenchClock, realClock } from '../../src-main/harness/clock.ts'
import { createRandom } from '../../src-main/harness/random.ts'
import type { PhoneState } from '../../src-main/phone/phone-state.ts'
import { createPhones, type NewPhone, type Phones } from '../../src-main/phone/phones.ts'
import type { PhoneStorage } from '../../src-main/phone/storage/phone-storage.ts'
import type { Clock } from '../../src-main/protocol/clock.ts'
import { startPhoneService } from './phone-service.ts'
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

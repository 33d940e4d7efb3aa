import { createOwnRootTrust } from '../../src-main/bench/control/own-roots.ts'
import { realClock } from '../../src-main/bench/harness/clock.ts'
import { createRandom } from '../../src-main/bench/harness/random.ts'
import type { FaultDefinition } from '../../src-main/phones/authenticator/faults/fault.ts'
import { MODELS } from '../../src-main/phones/authenticator/models.ts'
import type { PhoneState } from '../../src-main/phones/phone/phone-state.ts'
import { createPhones } from '../../src-main/phones/phone/phones.ts'
import type { NewPhone } from '../../src-main/phones/phone/phones-interface.ts'
import { phoneStorage } from './phone-storage.ts'
import { msgIdOf, rpClient } from './service/rp-client.ts'
import { startService } from './service/start-service.ts'

/** Phones against the real service, both on a workspace clock that stands. */
export const startRealBench = async () => {
  const running = await startService({ seed: 1, wall: { now: Date.UTC(2026, 4, 1, 12) } })
  const storage = phoneStorage()
  const at = (workspace: string): string => (workspace === 'main' ? '' : `/w/${workspace}`)
  const phones = createPhones({
    appUrl: (workspace) => `http://127.0.0.1:${running.port}${at(workspace)}/app`,
    baseUrl: (workspace) => `http://localhost:${running.port}${at(workspace)}/fido`,
    clock: running.clockOf,
    wall: realClock,
    random: createRandom({ seed: 1 }),
    observe: running.recorder.observe,
    storage,
    trustMakers: async () => {
      if (trusted) await trustOwnRoots()
    },
  })
  let trusted = false
  const trustOwnRoots = async (): Promise<void> => {
    const done = await createOwnRootTrust({ admin: running.admin, phones })('main')
    if (!done.ok) throw new Error(done.error.name)
    trusted = true
  }
  running.settle.run = async () => {
    await running.admin.settled()
    await phones.idle('main')
    await running.admin.settled()
  }
  const rp = await running.makeRp()
  const client = rpClient(running, rp)
  const taken = (made: Awaited<ReturnType<typeof phones.create>>): PhoneState => {
    if (!made.ok) throw new Error(`${made.error.word}: ${made.error.word}`)
    return made.value
  }
  const ref = (phone: { readonly id: string }) => ({ workspace: 'main', phone: phone.id })

  /** A message of the RP: its id and its address. */
  const ask = async (kind: 'registration' | 'qrcode' | 'push', user = 'alice') => {
    const answer = await (kind === 'registration' ? client.register(user) : client.authenticate(user, kind))
    if (answer.json.code !== 0) throw new Error(answer.text)
    return { msgId: msgIdOf(answer), url: String(answer.json.data.url) }
  }

  const until = (phone: { readonly id: string }, such: (state: PhoneState) => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        const state = phones.get(ref(phone))
        if (state === undefined || !such(state)) return
        stop()
        resolve()
      }
      const stop = running.recorder.listen('main', look)
      look()
    })

  return {
    running,
    phones,
    ref,
    ask,
    make: async (draft: Partial<NewPhone> = {}): Promise<PhoneState> =>
      taken(
        await phones.create('main', { name: 'Phone A', account: { name: 'Alice', phone: '13812345678' }, ...draft }),
      ),
    state: (phone: { readonly id: string }): PhoneState => {
      const state = phones.get(ref(phone))
      if (state === undefined) throw new Error('no such phone')
      return state
    },
    /** What the RP would read. */
    message: async (msgId: string) => {
      const message = await running.store.messages.get('main', msgId)
      return { state: message?.state, error: message?.error }
    },
    setProfile: async (settings: Readonly<Record<string, unknown>>): Promise<void> => {
      const set = await running.admin.profile.patch('main', settings)
      if (!set.ok) throw new Error(set.error.name)
    },
    /** The service trusts the makers of these phones, as a bench's does. */
    trustOwnRoots,
    /** Resolves when the phone has no armed fault left. */
    struck: (phone: { readonly id: string }): Promise<void> => until(phone, ({ faults }) => faults.length === 0),
    /** Resolves when the push is on the phone. */
    notified: (phone: { readonly id: string }, msgId: string): Promise<void> =>
      until(phone, ({ notifications }) => notifications.some(({ msg_id }) => msg_id === msgId)),
    close: async (): Promise<void> => {
      await phones.close()
      await storage.close()
      await running.stop()
    },
  }
}

export type RealBench = Awaited<ReturnType<typeof startRealBench>>

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

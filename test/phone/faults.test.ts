import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FaultDefinition } from '../../src-main/authenticator/faults/fault.ts'
import { PHONE_ACTIONS } from '../../src-main/authenticator/faults/phone-actions.ts'
import { expectedOutcome, FAULT_NAMES, FAULTS, strikesAt } from '../../src-main/authenticator/faults.ts'
import { MODELS } from '../../src-main/authenticator/models.ts'
import { type RealBench, startRealBench } from '../support/phone-real-bench.ts'

type Ceremony = 'registration' | 'authentication'

let bench: RealBench
beforeEach(async () => {
  bench = await startRealBench()
})
afterEach(() => bench.close())

const names = Object.keys(MODELS) as (keyof typeof MODELS)[]

/** The first model that can feel the fault. */
const modelFor = ({ needs = {} }: FaultDefinition): keyof typeof MODELS => {
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

/** Everything up to the attempt that the fault strikes, and then that one. */
const attempt = async (name: (typeof FAULT_NAMES)[number], ceremony: Ceremony): Promise<string> => {
  const fault = FAULTS[name]
  const { needs = {} } = fault
  if (needs.profile !== undefined) await bench.setProfile(needs.profile)
  const phone = await bench.make({ model: modelFor(fault), behaviour: { answer: 'approve' } })
  const ref = bench.ref(phone)
  if (needs.phones === 2) await bench.phones.create('main', { name: 'Phone B' })
  const kind = ceremony === 'registration' ? 'registration' : needs.method === 'push' ? 'push' : 'qrcode'
  if (ceremony === 'authentication') {
    await bench.phones.scan(ref, { url: (await bench.ask('registration')).url })
    if (needs.signedInBefore) await bench.phones.scan(ref, { url: (await bench.ask('qrcode')).url })
  }
  if (name === 'answered-to-another-message') {
    await bench.phones.patch(ref, { behaviour: { answer: 'ignore' } })
    await bench.phones.scan(ref, { url: (await bench.ask(kind)).url })
    await bench.phones.patch(ref, { behaviour: { answer: 'approve' } })
  }
  expect(await bench.phones.arm(ref, { fault: name, parameters: quick(fault) })).toMatchObject({
    ok: true,
    value: { left: 1 },
  })
  const asked = await bench.ask(kind)
  if (kind === 'push') await bench.struck(phone)
  else await bench.phones.scan(ref, { url: asked.url })
  await bench.phones.idle('main')
  // Everything that takes time, and at last the expiry.
  await bench.running.clock.advance(300_000)
  expect(bench.state(phone).faults).toEqual([])
  return asked.msgId
}

/** Pauses of real time as short as they can be; those of the workspace's clock cost nothing. */
const quick = ({ apply }: FaultDefinition): Record<string, number> =>
  'phone' in apply && apply.phone.action === 'upload-slowly' ? { pause_ms: 1 } : {}

/** What the outcome of the table looks like from outside. */
const outcomeOf = async (msgId: string, expected: string | number): Promise<string | number> => {
  if (typeof expected === 'number') {
    const codes = bench.running
      .events('exchange')
      .filter((event) => event.interface === 'app' && event.response.code !== 0)
    return (
      codes.find((event) => event.response.code === expected)?.response.code ??
      `codes ${codes.map((event) => event.response.code)}`
    )
  }
  const { state, error = '' } = await bench.message(msgId)
  return state === 'fail' ? (error.split(':')[0] ?? '') : (state ?? 'gone')
}

const cases = FAULT_NAMES.flatMap((name) =>
  (['registration', 'authentication'] as const)
    .filter((ceremony) => strikesAt(FAULTS[name], ceremony))
    .map((ceremony) => [name, ceremony, expectedOutcome(FAULTS[name], ceremony)] as const),
)

const isPhones = (name: (typeof FAULT_NAMES)[number]): boolean => 'phone' in FAULTS[name].apply

describe('what a phone does wrong', () => {
  it('covers every action of the table', () => {
    const used = FAULT_NAMES.flatMap((name) => {
      const { apply } = FAULTS[name]
      return 'phone' in apply ? apply.phone.action : []
    })
    expect(new Set(used)).toEqual(new Set(Object.keys(PHONE_ACTIONS)))
  })

  it.each(cases.filter(([name]) => isPhones(name)))('%s at %s ends as %s', async (name, ceremony, expected) => {
    const msgId = await attempt(name, ceremony)
    if (name === 'answered-to-another-message') {
      const others = bench.running.events('message').filter(({ to, error }) => to === 'fail' && error !== undefined)
      expect(others.map(({ error }) => error?.split(':')[0])).toEqual([expected])
      return
    }
    expect(await outcomeOf(msgId, expected)).toBe(expected)
  })
})

describe('what an authenticator does wrong', () => {
  it.each(cases.filter(([name]) => !isPhones(name)))('%s at %s ends as %s', async (name, ceremony, expected) => {
    expect(await outcomeOf(await attempt(name, ceremony), expected)).toBe(expected)
  })
})

describe('arming', () => {
  const arm = async (fault: Parameters<RealBench['phones']['arm']>[1]) => {
    const phone = await bench.make()
    return bench.phones.arm(bench.ref(phone), fault)
  }

  it.each([
    [{ fault: 'no-such-fault' }, 'no_such_fault'],
    [{ fault: 'push-lost', times: 0 }, 'invalid_fault'],
    [{ fault: 'push-lost', probability: 1.1 }, 'invalid_fault'],
    [{ fault: 'push-lost', times: 1, probability: 1 }, 'invalid_fault'],
    [{ fault: 'push-late', parameters: { delay_ms: -1 } }, 'invalid_fault'],
    [{ fault: 'push-late', parameters: { speed: 1 } }, 'invalid_fault'],
  ])('refuses %j as %s', async (fault, word) => {
    expect(await arm(fault)).toMatchObject({ ok: false, error: { word } })
  })

  it('counts attempts of the ceremony that it strikes, and others not', async () => {
    const phone = await bench.make({ behaviour: { answer: 'approve' } })
    const ref = bench.ref(phone)
    await bench.phones.arm(ref, { fault: 'replayed-answer', times: 2 })
    await bench.phones.scan(ref, { url: (await bench.ask('registration')).url })
    expect(bench.state(phone).faults).toMatchObject([{ left: 2 }])
    await bench.phones.scan(ref, { url: (await bench.ask('qrcode')).url })
    expect(bench.state(phone).faults).toMatchObject([{ left: 1 }])
  })

  it('strikes with its probability, the same attempts under the same seed', async () => {
    const struck = async (): Promise<boolean[]> => {
      const phone = await bench.make({ name: 'Phone', behaviour: { answer: 'approve' } })
      await bench.phones.arm(bench.ref(phone), { fault: 'app-killed-after-scanning', probability: 0.5 })
      const outcomes: boolean[] = []
      for (let i = 0; i < 20; i++) {
        const scanned = await bench.phones.scan(bench.ref(phone), {
          url: (await bench.ask('registration', `u${i}`)).url,
        })
        outcomes.push(!scanned.ok)
      }
      return outcomes
    }
    const first = await struck()
    await bench.close()
    bench = await startRealBench()
    expect(await struck()).toEqual(first)
    expect(first.filter(Boolean).length).toBeGreaterThan(3)
    expect(first.filter(Boolean).length).toBeLessThan(17)
  })

  it('ends when it is disarmed', async () => {
    const phone = await bench.make()
    const armed = await bench.phones.arm(bench.ref(phone), { fault: 'push-lost', times: 5 })
    const id = armed.ok ? armed.value.id : ''
    expect(await bench.phones.disarm({ ...bench.ref(phone), fault_id: 'flt_no' })).toMatchObject({
      ok: false,
      error: { word: 'no_such_fault' },
    })
    expect(await bench.phones.disarm({ ...bench.ref(phone), fault_id: id })).toMatchObject({
      ok: true,
      value: { faults: [] },
    })
    expect(await bench.phones.disarm(bench.ref(phone))).toMatchObject({ ok: true, value: { faults: [] } })
  })

  it('is part of what a snapshot brings back', async () => {
    const phone = await bench.make()
    await bench.phones.arm(bench.ref(phone), { fault: 'push-lost', times: 5 })
    const kept = await bench.phones.snapshot('main')
    await bench.phones.disarm(bench.ref(phone))
    await bench.phones.restore('main', kept)
    expect(bench.state(phone).faults).toMatchObject([{ fault: 'push-lost', left: 5 }])
  })
})

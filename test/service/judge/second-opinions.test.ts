import { describe, expect, it } from 'vitest'
import { judgeAuthentication } from '../../../src-main/explain/judge-authentication.ts'
import type { Clock } from '../../../src-main/protocol/clock.ts'
import { nodeCrypto } from '../../../src-main/service/judge/node-crypto.ts'
import { createSecondOpinions, type Judged } from '../../../src-main/service/judge/second-opinions.ts'
import { authentication } from '../../support/ceremony/authentication.ts'

const AGREES = { heard: true, by: '@simplewebauthn/server' as const, accepts: true }
const ceremony = authentication()
const judged: Judged = { ceremony, verdict: await judgeAuthentication(ceremony, nodeCrypto) }

/** Real time as the test lets it pass: an alarm rings so many milliseconds late. */
const handClock = () => {
  let now = 1_000
  let alarm: { readonly time: number; readonly ring: () => void } | undefined
  const clock: Clock = {
    now: () => now,
    at: (time, ring) => {
      alarm = { time, ring }
      return () => undefined
    },
  }
  return {
    clock,
    ring: (late: number): void => {
      const due = alarm
      if (due === undefined) throw new Error('no alarm is set')
      alarm = undefined
      now = due.time + late
      due.ring()
    },
    isSet: () => alarm !== undefined,
  }
}

/** An event loop that sleeps. */
const idle = () => 0

const nextTold = (opinions: ReturnType<typeof createSecondOpinions>): Promise<readonly unknown[]> =>
  new Promise((resolve) => opinions.listen('main', (...told) => resolve(told)))

describe('a second opinion', () => {
  it('is formed and told when the alarm rings on time', async () => {
    const { clock, ring } = handClock()
    const opinions = createSecondOpinions(clock, {}, idle)
    const told = nextTold(opinions)
    opinions.later('main', 'm1', judged)
    ring(0)
    expect(await told).toEqual(['m1', AGREES])
  })

  it('waits as long as the process is busy, and is formed at once when it is looked up', async () => {
    const { clock, ring, isSet } = handClock()
    const opinions = createSecondOpinions(clock, {}, idle)
    const told: unknown[] = []
    opinions.listen('main', (id) => told.push(id))
    opinions.later('main', 'm1', judged)
    ring(200)
    await new Promise((resolve) => setImmediate(resolve))
    expect([told, isSet()]).toEqual([[], true])
    expect(await opinions.of('main', 'm1')).toEqual(AGREES)
    expect(told).toEqual(['m1'])
    expect(await opinions.of('main', 'm1')).toEqual(AGREES)
    expect(told).toEqual(['m1'])
  })

  it('waits while others are judged, and is formed when nothing was for a while', async () => {
    const { clock, ring, isSet } = handClock()
    const opinions = createSecondOpinions(clock, {}, idle)
    const told = nextTold(opinions)
    opinions.later('main', 'm1', judged)
    opinions.later('main', 'm2', judged)
    const formed: unknown[] = []
    opinions.listen('main', (id) => formed.push(id))
    ring(0)
    await new Promise((resolve) => setImmediate(resolve))
    expect([formed, isSet()]).toEqual([[], true])
    ring(0)
    expect(await told).toEqual(['m1', AGREES])
  })

  it('that another process waits for is formed a few at a time however busy this one is', async () => {
    const { clock, ring } = handClock()
    const formed: unknown[] = []
    const waits = new Map<number, () => void>()
    const opinions = createSecondOpinions(clock, {
      formed: (...told) => {
        formed.push(told)
        waits.get(formed.length)?.()
      },
    })
    /** So many are formed, and the next alarm is set. */
    const reached = async (count: number): Promise<void> => {
      await new Promise<void>((resolve) => waits.set(count, resolve))
      await new Promise((resolve) => setImmediate(resolve))
    }
    for (let n = 0; n < 9; n++) opinions.later('main', `m${n}`, judged)
    ring(200)
    await reached(8)
    expect(formed[0]).toEqual(['main', 'm0', AGREES])
    ring(200)
    await new Promise((resolve) => setImmediate(resolve))
    expect(formed).toHaveLength(8)
    ring(1_000)
    await reached(9)
  })

  it('that another process forms is asked for, waited for, and told to its listeners', async () => {
    const asked: unknown[] = []
    const opinions = createSecondOpinions(handClock().clock, { ask: (...about) => asked.push(about) })
    const told = nextTold(opinions)
    opinions.expect('main', 'm1')
    const wanted = opinions.of('main', 'm1')
    expect(asked).toEqual([['main', 'm1']])
    opinions.hear('main', 'm1', AGREES)
    expect([await wanted, await told]).toEqual([AGREES, ['m1', AGREES]])
    expect(await opinions.of('main', 'm1')).toEqual(AGREES)
    expect(asked).toHaveLength(1)
    opinions.forget('main')
    expect(await opinions.of('main', 'm1')).toBeUndefined()
  })

  it('that does not come from another process is given up, at once from then on', async () => {
    const { clock, ring } = handClock()
    const opinions = createSecondOpinions(clock)
    opinions.expect('main', 'm1')
    const wanted = opinions.of('main', 'm1')
    ring(0)
    expect(await wanted).toBeUndefined()
    expect(await opinions.of('main', 'm1')).toBeUndefined()
  })

  it('that is waited for ends with its workspace', async () => {
    const opinions = createSecondOpinions(handClock().clock)
    opinions.expect('two', 'm1')
    const wanted = opinions.of('two', 'm1')
    opinions.forget('two')
    expect(await wanted).toBeUndefined()
  })

  it('waits while the event loop works on something else, and is formed when it mostly sleeps', async () => {
    const { clock, ring, isSet } = handClock()
    let share = 0.9
    const opinions = createSecondOpinions(clock, {}, () => share)
    const told = nextTold(opinions)
    const formed: unknown[] = []
    opinions.listen('main', (id) => formed.push(id))
    opinions.later('main', 'm1', judged)
    ring(0)
    await new Promise((resolve) => setImmediate(resolve))
    expect([formed, isSet()]).toEqual([[], true])
    share = 0.1
    ring(0)
    expect(await told).toEqual(['m1', AGREES])
  })

  it('is not formed for the oldest ceremonies when too many wait', async () => {
    const opinions = createSecondOpinions(handClock().clock, {}, idle)
    for (let n = 0; n < 513; n++) opinions.later('main', `m${n}`, judged)
    expect(await opinions.of('main', 'm0')).toBeUndefined()
    expect(await opinions.of('main', 'm1')).toEqual(AGREES)
  })

  it('is forgotten with its workspace, and not told to another one of that id', async () => {
    const opinions = createSecondOpinions(handClock().clock, {}, idle)
    const told: unknown[] = []
    opinions.later('two', 'm1', judged)
    opinions.later('main', 'm1', judged)
    const underWay = opinions.of('two', 'm1')
    opinions.forget('two')
    opinions.listen('two', (id) => told.push(id))
    await underWay
    expect(told).toEqual([])
    expect(await opinions.of('two', 'm1')).toBeUndefined()
    expect(await opinions.of('main', 'm1')).toEqual(AGREES)
  })
})

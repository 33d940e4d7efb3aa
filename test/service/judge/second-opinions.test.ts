import { describe, expect, it } from 'vitest'
import { judgeAuthentication } from '../../../src-main/explain/judge-authentication.ts'
import type { Clock } from '../../../src-main/protocol/clock.ts'
import { nodeCrypto } from '../../../src-main/service/judge/node-crypto.ts'
import { createSecondOpinions, type Judged } from '../../../src-main/service/judge/second-opinions.ts'
import { authentication } from '../../support/ceremony/authentication.ts'

const AGREES = { heard: true, accepts: true }
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

const nextTold = (opinions: ReturnType<typeof createSecondOpinions>): Promise<readonly unknown[]> =>
  new Promise((resolve) => opinions.listen('main', (...told) => resolve(told)))

describe('a second opinion', () => {
  it('is formed and told when the alarm rings on time', async () => {
    const { clock, ring } = handClock()
    const opinions = createSecondOpinions(clock)
    const told = nextTold(opinions)
    opinions.later('main', 'm1', judged)
    ring(0)
    expect(await told).toEqual(['m1', AGREES])
  })

  it('waits as long as the process is busy, and is formed at once for whoever looks', async () => {
    const { clock, ring, isSet } = handClock()
    const opinions = createSecondOpinions(clock)
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
    const opinions = createSecondOpinions(clock)
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

  it('is not formed for the oldest ceremonies when too many wait', async () => {
    const opinions = createSecondOpinions(handClock().clock)
    for (let n = 0; n < 513; n++) opinions.later('main', `m${n}`, judged)
    expect(await opinions.of('main', 'm0')).toBeUndefined()
    expect(await opinions.of('main', 'm1')).toEqual(AGREES)
  })

  it('is forgotten with its workspace, and not told to another one of that id', async () => {
    const opinions = createSecondOpinions(handClock().clock)
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

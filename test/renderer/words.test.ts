import { describe, expect, it } from 'vitest'
import { foldTimeline } from '../../src-main/timeline/fold-timeline.ts'
import { type Message, newTimeline } from '../../src-main/timeline/timeline.ts'
import { conditionsName } from '../../src-renderer/bench/conditions-name.ts'
import { groupTitle, methodWord, timeTaken, verdictWord, wordsOf } from '../../src-renderer/bench/words.ts'
import { elapsed, minuteSecond, offset, took } from '../../src-renderer/ui/format.ts'
import { record, registration } from './fixture.ts'

const { groups } = record(registration()).reduce(foldTimeline, newTimeline())
const group = groups.at(0)

describe('a group of rows', () => {
  it('says what it is about and how it ended', () => {
    expect(group && groupTitle(group)).toEqual({ title: 'Register', sub: 'alice by QR code' })
    const said = (message: Message) => [verdictWord(message), methodWord(message), timeTaken(message, 0)]
    expect(group?.message && said(group.message)).toEqual(['success', 'QR code', '5.9 s'])
  })

  it('has a plain word for every row', () => {
    expect(group?.rows.map(wordsOf)).toEqual([
      'Ask to register',
      'Poll',
      'Scanned',
      'Poll',
      'Registers passkey',
      'Read the result',
    ])
  })
})

describe('numbers', () => {
  it('are written in one way', () => {
    expect([minuteSecond(144_000), minuteSecond(0), minuteSecond(3_725_000)]).toEqual(['2:24', '0:00', '1:02:05'])
    expect([elapsed(6208), elapsed(48_000), elapsed(185_000)]).toEqual(['6.2 s', '48 s', '3:05'])
    expect([offset(0), offset(5874), offset(125_874)]).toEqual(['00.000', '05.874', '2:05.9'])
    expect([took(3800), took(169_000), took(12_000_000)]).toEqual(['3.8 ms', '169 ms', '12 s'])
  })
})

describe('the sky', () => {
  const normalConditions = {
    latency_ms: 0,
    fail_next: 0,
    fail_percent: 0,
    fail_code: 50301,
    lose_next: 0,
    lose_percent: 0,
    only: [],
  }
  it.each([
    ['normal', {}],
    ['slow', { latency_ms: 200 }],
    ['unreliable', { latency_ms: 200, lose_next: 1 }],
    ['outage', { lose_percent: 5, fail_percent: 1 }],
  ])('is %s by the worst that is ordered', (name, order) => {
    expect(conditionsName({ rp: normalConditions, app: { ...normalConditions, ...order } })).toBe(name)
  })
})

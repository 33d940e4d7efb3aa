import { describe, expect, it } from 'vitest'
import { sentIn } from '../../src-main/messages/sent-and-honest.ts'
import { foldTimeline } from '../../src-main/timeline/fold-timeline.ts'
import { newTimeline } from '../../src-main/timeline/timeline.ts'
import { failedStepFrom, stillArmed } from '../../src-renderer/inspector/struck-faults.ts'
import { call, move, record } from './fixture.ts'

const MSG = 'BBBBBBBBBBBBBBBBBBBBBB'

const struck = (faults: readonly string[], phone_id = 'ph_alice', msg_id = MSG) =>
  ({ kind: 'phone', change: 'changed', phone_id, struck: { msg_id, faults } }) as const

const messageAfter = (...facts: readonly ReturnType<typeof struck>[]) =>
  record([
    [0, move({ msgId: MSG, to: 'init', cause: 'req_1', method: 'qrcode' })],
    [4, call({ id: 'req_1', line: 'POST /fido/rp/assertion/options' })],
    ...facts.map((fact) => [2000, fact] as const),
    [2100, move({ msgId: MSG, from: 'init', to: 'bind', method: 'qrcode' })],
  ])
    .reduce(foldTimeline, newTimeline())
    .groups.at(0)?.message

describe('the faults of an attempt', () => {
  it('are those that struck it, and stay known while it goes on', () => {
    expect(messageAfter(struck(['origin-wrong']))?.struck).toMatchObject({
      phoneId: 'ph_alice',
      faults: ['origin-wrong'],
    })
  })

  it('add up from its push to its answer, each named once', () => {
    const message = messageAfter(struck(['push-late']), struck(['origin-wrong', 'push-late']))
    expect(message?.struck?.faults).toEqual(['push-late', 'origin-wrong'])
  })

  it('are not those of another attempt', () => {
    expect(messageAfter(struck(['origin-wrong'], 'ph_alice', 'CCCCCCCCCCCCCCCCCCCCCC'))?.struck).toBeUndefined()
    expect(messageAfter()?.struck).toBeUndefined()
  })

  it('are those of the phone that took it over', () => {
    expect(messageAfter(struck(['push-late'], 'ph_bo'), struck(['origin-wrong']))?.struck).toMatchObject({
      phoneId: 'ph_alice',
      faults: ['origin-wrong'],
    })
  })

  it('strike again only where they are armed still', () => {
    const armed = [
      { id: 'flt_1', fault: 'origin-wrong', left: 2 },
      { id: 'flt_2', fault: 'challenge-wrong', left: 1 },
    ]
    expect(stillArmed(armed, ['origin-wrong'])).toEqual([armed[0]])
    expect(stillArmed([], ['origin-wrong'])).toEqual([])
  })
})

describe('the next failed step', () => {
  const steps = ['passed', 'failed', 'skipped', 'failed'].map((outcome) => ({ outcome }))

  it.each([
    [0, 1, 1],
    [1, 1, 3],
    [3, 1, 1],
    [3, -1, 1],
    [1, -1, 3],
    [2, -1, 1],
  ] as const)('from step %i by %i is %i', (from, by, next) => {
    expect(failedStepFrom(steps, { from, by })).toBe(next)
  })

  it('is none where none failed', () => {
    expect(failedStepFrom([{ outcome: 'passed' }], { from: 0, by: 1 })).toBeUndefined()
  })
})

describe('what a faulty phone sent', () => {
  const failed = { outcome: 'failed', received: 'evil.example', expected: 'localhost' } as const

  it('is what the first failed step that says both has, or one of its checks', () => {
    const said = { sent: 'evil.example', honest: 'localhost' }
    expect(sentIn([{ outcome: 'passed', received: 'a', expected: 'b' }, failed])).toEqual(said)
    expect(sentIn([{ outcome: 'failed', checks: [failed] }])).toEqual(said)
  })

  it('is not told where no step says both', () => {
    expect(sentIn([{ outcome: 'failed', received: 'a' }])).toBeUndefined()
  })
})

describe('what the RP made of a lie', () => {
  const lied = {
    ...call({ id: 'req_2', line: 'GET /fido/rp/assertion/result', msgId: MSG, askedBy: 'page-1' }),
    faults: [{ id: 'f', fault: 'user-of-another' }],
  }
  const decided = { kind: 'decision', rp_id: 'rp_demo', msg_id: MSG, care: 'careful', made: 'refused' } as const
  const groupAfter = (...last: readonly (typeof decided)[]) =>
    record([
      [0, move({ msgId: MSG, to: 'init', cause: 'req_1', method: 'qrcode' })],
      [4, call({ id: 'req_1', line: 'POST /fido/rp/assertion/options' })],
      [2000, lied],
      ...last.map((fact) => [2001, fact] as const),
    ])
      .reduce(foldTimeline, newTimeline())
      .groups.at(0)

  it('is what was recorded of it; a trace saved before that keeps its purple row, and guesses nothing', () => {
    expect(groupAfter(decided)?.message?.told).toMatchObject({ makes: 'refused', faults: ['user-of-another'] })
    expect(groupAfter()?.message?.told).toBeUndefined()
    expect(groupAfter()?.rows.at(-1)?.struck).toEqual(['user-of-another'])
  })
})

import { describe, expect, it } from 'vitest'
import { parseBehaviour } from '../../src-main/phone/behaviour.ts'

describe('a behaviour', () => {
  it.each([
    [{ answer: 'approve' }],
    [{ answer: 'approve', delay_ms: 1500, fingerprint_failures: 2, storage: 'chip' }],
    [{ answer: 'reject', reason: 'not_me' }],
  ])('can be %j', (behaviour) => {
    expect(parseBehaviour(behaviour)).toEqual({ ok: true, value: behaviour })
  })

  it('can be its answer alone', () => {
    expect(parseBehaviour('ignore')).toEqual({ ok: true, value: { answer: 'ignore' } })
  })

  it.each([
    [null],
    [[]],
    ['sometimes'],
    [{}],
    [{ answer: 'approve', delay: 1 }],
    [{ answer: 'approve', delay_ms: -1 }],
    [{ answer: 'approve', delay_ms: 1.5 }],
    [{ answer: 'approve', fingerprint_failures: 101 }],
    [{ answer: 'reject', reason: 'Not me!' }],
    [{ answer: 'approve', storage: 'pocket' }],
    [JSON.parse('{"answer":"approve","__proto__":1}')],
  ])('cannot be %j', (behaviour) => {
    expect(parseBehaviour(behaviour).ok).toBe(false)
  })
})

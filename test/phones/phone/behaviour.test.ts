import { describe, expect, it } from 'vitest'
import { behaviour as schema } from '../../../src-main/core/contract/control/phone-state.ts'
import { fits } from '../../../src-main/core/contract/validate.ts'

describe('a behaviour', () => {
  it.each([
    [{ answer: 'approve' }],
    [{ answer: 'approve', delay_ms: 1500, fingerprint_failures: 2, storage: 'chip' }],
    [{ answer: 'reject', reason: 'not_me' }],
  ])('can be %j', (behaviour) => {
    expect(fits(behaviour, schema)).toBe(true)
  })

  it.each([
    [null],
    [[]],
    ['ignore'],
    [{}],
    [{ answer: 'approve', delay: 1 }],
    [{ answer: 'approve', delay_ms: -1 }],
    [{ answer: 'approve', delay_ms: 1.5 }],
    [{ answer: 'approve', fingerprint_failures: 101 }],
    [{ answer: 'reject', reason: 'Not me!' }],
    [{ answer: 'approve', storage: 'pocket' }],
    [JSON.parse('{"answer":"approve","__proto__":1}')],
  ])('cannot be %j', (behaviour) => {
    expect(fits(behaviour, schema)).toBe(false)
  })
})

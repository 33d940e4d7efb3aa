import { expect, test } from 'vitest'
import { addSentences, findingsText, suiteProgress } from '../../../src-main/cli/suite/findings-text.ts'
import { SERVICE_FAULT_NAMES } from '../../../src-main/core/contract/service-faults.ts'
import {
  carefulAct,
  type FaultFinding,
  type Proof,
  ruleNumber,
} from '../../../src-main/core/contract/suite-findings.ts'
import { RpBroken } from '../../../src-main/testing/suite/rp-driver.ts'
import { endingOfBroken } from '../../../src-main/testing/suite/stage.ts'
import { listTrials } from '../../../src-main/testing/suite/walk.ts'
import { suiteJunit } from '../../../src-main/views/report/suite-junit.ts'
import { BROKE, HELD, LET_IN, NOT_OFFERED, walk } from './made-walk.ts'

const TERMINAL = { width: 120, out: () => undefined, error: () => undefined, color: false } as never

test('an RP that answers wrongly is accused, and one whose browser fails is not', () => {
  const crashed = new RpBroken({ code: 'crashed', params: { where: 'GET /', text: '' } })
  const noPicture = new RpBroken({ code: 'no_picture', params: { error: 'Timeout 5000ms exceeded.' } })
  expect([crashed, noPicture].map((error) => endingOfBroken(error).verdict)).toEqual(['broke', 'unplayable'])
})

const WAITS = { code: 'waits_for_ever', params: { seconds: 10 } } as const

test.each<readonly [Partial<FaultFinding>, string, number]>([
  [LET_IN, 'user', 1],
  [{ fault: 'success-for-another-unscanned', story: 'sign-in-ignored', reason: WAITS }, 'user', 1],
  [{ fault: 'success-for-another-unscanned', story: 'registration-ignored', reason: WAITS }, 'registered', 3],
  [{ fault: 'gateway-page-for-good', reason: WAITS }, 'expiry', 7],
  [{ fault: 'gateway-page-for-good', reason: { code: 'rp_silent', params: { url: '' } } }, 'stands', 12],
  [{ fault: 'final-answer-lost', reason: WAITS }, 'lost', 6],
  [{ fault: 'final-answer-lost' }, 'stands', 12],
  [{ ...HELD, fault: 'redirect' }, 'redirect', 9],
])('what a careful RP does, and the rule, fit what was found: %j', (finding, act, rule) => {
  const whole = { ...BROKE, ...finding }
  expect([carefulAct(whole), ruleNumber(whole)]).toEqual([act, rule])
})

const struck = { seq: 1, call: 'GET /x', status: 500, sent: '{"code":0}', honest: '{"code":0}' }
const proof: Proof = { struck }
const REFUSED = { ...BROKE, fault: 'http-error-with-success', proof } as const

test('each report has the rule and the status line of the answer that was changed', () => {
  const report = walk([REFUSED, HELD])
  expect(addSentences(report).findings.map(({ rule }) => rule)).toEqual([12, 8])
  for (const text of [findingsText(report, TERMINAL), suiteJunit(report, () => '')]) {
    expect(text).toContain('HTTP 500')
    expect(text).toMatch(/rule 12/i)
  }
})

test('in JUnit what was played has its time, and what was not has none', () => {
  const junit = suiteJunit(walk([HELD, { ...NOT_OFFERED, took_ms: 0 }]), () => '')
  const played = junit.matchAll(/<testcase name="(\S+),.*?( time="[\d.]+")?>/g)
  const times = [...played].map((found) => found.slice(1))
  expect(times).toEqual([
    ['list-null', undefined],
    ['not-http', ' time="0.005"'],
  ])
})

test('what ran beside a crash is an error in JUnit, and each is played again by its command', () => {
  const beside = { ...BROKE, verdict: 'skipped', reason: { code: 'stopped_beside' } } as const
  const report = walk([beside, HELD])
  expect(suiteJunit(report, () => '')).toMatch(/<testsuites .*failures="0" errors="1" skipped="0"/)
  expect(findingsText(report, TERMINAL)).toContain(addSentences(report).findings[0]?.again)
})

test('one cause is one finding with its places, and another cause is not among them', () => {
  const cause = { error: 'TypeError: x', frame: 'poll (/srv/rp.mjs:1:2)' }
  const crashed = (fault: FaultFinding['fault'], frame = cause.frame) => {
    const params = { ...BROKE.reason.params, cause: { ...cause, frame } }
    return { ...BROKE, fault, reason: { code: 'crashed', params } } as const
  }
  const other = crashed('html-page', 'other (/srv/rp.mjs:9:9)')
  const report = walk([crashed('data-null'), other, crashed('data-missing'), HELD])
  const places = ['data-null', 'data-missing'].map((fault) => ({ fault, story: 'sign-in-approved' }))
  expect(addSentences(report).causes).toEqual([{ ...cause, places }])
  expect(findingsText(report, TERMINAL).match(/TypeError: x at|^ *at poll/gm)?.length).toBe(2)
})

test('the progress says how long the faults will take at this pace, and nothing from too few', () => {
  let now = 0
  const trials = listTrials(['polls-end', ...SERVICE_FAULT_NAMES])
  const progress = suiteProgress(trials, () => now)
  const left = (): number | undefined => Number(/about (\d+)/.exec(progress.text())?.[1]) || undefined
  const texts = trials.slice(0, 20).map((trial) => {
    progress.add(trial)
    if (trial.fault !== 'polls-end') now += 60_000
    return left()
  })
  const faults = trials.filter(({ fault }) => fault !== 'polls-end').length
  expect([texts[5], texts[19]]).toEqual([undefined, faults - 16])
})

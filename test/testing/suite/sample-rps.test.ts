import { expect, test } from 'vitest'
import { monotonicMicros } from '../../../src-main/bench/harness/clock.ts'
import { isRpCheckName } from '../../../src-main/core/contract/rp-checks.ts'
import type { Trial } from '../../../src-main/core/contract/suite-findings.ts'
import { listTrials } from '../../../src-main/testing/suite/walk.ts'
import { admits, ofFaults, visitorWith, walked } from './walked.ts'

/** One of each kind of story and stage; test/long/service-faults.test.ts walks all. */
const SOME: readonly Trial[] = listTrials([
  ...['nobody-unapproved', 'polls-end', 'user-told', 'secret-kept'],
  ...['user-in-other-case', 'members-twice', 'gzip-unasked'],
] as Parameters<typeof listTrials>[0])

const verdicts = (findings: Awaited<ReturnType<typeof walked>>) =>
  findings.map(({ fault, story, verdict }) => ({ fault, story, verdict }))

test('a careful RP holds, whatever the service says', async () => {
  const some = SOME.filter(({ story }) => !story.startsWith('push-'))
  expect(verdicts(await walked('careful', { trials: some }))).toEqual(
    some.map((trial) => ({ ...trial, verdict: 'held' })),
  )
})

test('a careless RP falls for lies, and each verdict shows the answer that was changed', async () => {
  const some = ofFaults(SOME)
  const findings = await walked('careless', { trials: some })
  expect(verdicts(findings)).toEqual(some.map((trial) => ({ ...trial, verdict: admits(trial) ? 'let_in' : 'broke' })))
  for (const { proof, behaviour } of findings) {
    expect(proof).toMatchObject({
      struck: { seq: expect.any(Number), call: expect.stringContaining('/result?'), sent: expect.any(String) },
      shown: { text: expect.any(String) },
    })
    expect(behaviour).toMatchObject({ polls: expect.any(Number), begun: 1 })
  }
})

test('the times of all stories, one after the other, are together no more than the walk took', async () => {
  const trials = listTrials(undefined, ['sign-in-approved']).filter(
    ({ fault }) => isRpCheckName(fault) || fault === 'html-page',
  )
  const began = monotonicMicros()
  const findings = await walked('careful', { trials, parallel: 1 })
  const sum = findings.reduce((all, { took_ms }) => all + took_ms, 0)
  expect(sum).toBeLessThanOrEqual((monotonicMicros() - began) / 1000)
  expect(findings.filter(({ took_ms }) => took_ms === 0)).toEqual([])
})

test('what was looked for in vain has the time that it took', async () => {
  const driven = visitorWith(() => ({ who: async () => 'alike' }))
  const findings = await walked('careful', { trials: listTrials(['html-page']), driven })
  expect(findings).toMatchObject([{ verdict: 'vacuous' }, { verdict: 'vacuous' }])
  expect(findings.filter(({ took_ms }) => took_ms === 0)).toEqual([])
})

test('an RP that forgot its users in the middle is tried again with a user whom it knows', async () => {
  const [known, forgotten] = [new Set<string>(), new Set<string>()]
  let signIns = 0
  const driven = visitorWith((own) => ({
    signIn: async (user) => {
      known.add(user.name)
      // Two users are made, and one of them plays the story without the fault.
      if (++signIns === 4) for (const name of known) forgotten.add(name)
      return forgotten.has(user.name) ? { ok: false, refusal: 'unknown' } : own.signIn(user)
    },
  }))
  const findings = await walked('careful', {
    trials: listTrials(['html-page'], ['sign-in-approved']),
    parallel: 1,
    driven,
  })
  expect(verdicts(findings)).toEqual([{ fault: 'html-page', story: 'sign-in-approved', verdict: 'held' }])
  expect(forgotten.size).toBe(2)
})

import { expect, test } from 'vitest'
import type { Trial } from '../../src-main/contract/suite-findings.ts'
import { trialsOf } from '../../src-main/suite/walk.ts'
import { admits, ofFaults, walked } from './walked.ts'

/** One of each kind of story and stage; test/long/service-faults.test.ts walks all. */
const SOME: readonly Trial[] = trialsOf([
  ...['nobody-unapproved', 'polls-end', 'user-told', 'secret-kept'],
  ...['user-in-other-case', 'members-twice', 'gzip-unasked'],
] as Parameters<typeof trialsOf>[0])

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

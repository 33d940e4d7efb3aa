import { expect, test } from 'vitest'
import { listTrials } from '../../src-main/testing/suite/walk.ts'
import { walked } from '../testing/suite/walked.ts'

/** One of each way in which a fault meets an RP. */
const SOME = listTrials([
  ...(['nobody-unapproved', 'polls-end', 'final-read-once', 'pause-between-polls', 'user-told'] as const),
  ...(['user-of-another', 'success-unscanned', 'fail-in-capitals', 'status-goes-back', 'timeout-too-early'] as const),
  ...(['url-empty', 'url-of-another-message', 'expires-in-past', 'data-null', 'html-page', 'redirect'] as const),
  ...(['final-answer-lost', 'success-again'] as const),
]).filter(({ story }) => !story.startsWith('push-'))

const RUNS = Number(process.env.HANDSET_SUITE_RUNS ?? '3')

const verdictsOf = async (pace: 'quick' | 'slow') => {
  const findings = await walked(pace, { trials: SOME })
  return findings.map(({ fault, story, verdict, reason }) => [fault, story, verdict, reason?.code])
}

test.each(['quick', 'slow'] as const)(
  'the same story ends in the same verdict and reason, run after run: an RP that polls at a %s pace',
  { timeout: 3_000_000 },
  async (pace) => {
    const first = await verdictsOf(pace)
    expect(first.filter(([, , verdict]) => verdict !== 'held' && verdict !== 'not_struck')).toEqual([])
    for (let run = 1; run < RUNS; run++) expect(await verdictsOf(pace)).toEqual(first)
  },
)

import type { BenchEvent } from '../../core/contract/events.ts'
import type { JudgedStep } from '../../core/contract/judge/verdict.ts'

type Verdict = Extract<BenchEvent, { readonly kind: 'verdict' }>

/** The judge’s steps that failed, of a message that failed with this event. */
export const failedSteps = (events: readonly BenchEvent[], seq: number): readonly JudgedStep[] => {
  const ended = events.find((event) => event.seq === seq)
  if (ended?.kind !== 'message') return []
  const judged = events.findLast(
    (event): event is Verdict => event.kind === 'verdict' && event.msg_id === ended.msg_id && !event.accepted,
  )
  return judged?.steps.filter(({ outcome }) => outcome === 'failed') ?? []
}

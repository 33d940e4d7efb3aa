import type { ControlPhone } from '../../src-main/core/contract/control/states.ts'

/** The armed faults that would be triggered again by the next attempt. */
export const stillArmed = (
  armed: ControlPhone['faults'],
  struck: readonly string[],
): readonly ControlPhone['faults'][number][] => armed.filter(({ fault }) => struck.includes(fault))

/** The failed step before or after this one, going round at the ends; undefined when none failed. */
export const failedStepFrom = (
  steps: readonly { readonly outcome: string }[],
  { from, by }: { readonly from: number; readonly by: 1 | -1 },
): number | undefined => {
  const failed = steps.flatMap(({ outcome }, i) => (outcome === 'failed' ? [i] : []))
  return by === 1 ? (failed.find((i) => i > from) ?? failed[0]) : (failed.findLast((i) => i < from) ?? failed.at(-1))
}

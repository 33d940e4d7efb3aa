import type { StepTold } from '../../contract/scenario/outcomes.ts'

/** How often what was armed will strike. */
export const armedOf = ({
  left,
  probability,
}: {
  readonly left?: number
  readonly probability?: number
}): StepTold => ({
  code: 'armed',
  params: { ...(left === undefined ? {} : { left }), ...(probability === undefined ? {} : { probability }) },
})

import type { StepTold } from '../../../core/contract/scenario/outcomes.ts'

/** How often what was armed will strike. */
export const armedOf = ({
  left,
  probability,
  strikes,
}: {
  readonly left?: number
  readonly probability?: number
  readonly strikes?: { readonly begun: readonly string[] }
}): StepTold => ({
  code: 'armed',
  params: {
    ...(left === undefined ? {} : { left }),
    ...(probability === undefined ? {} : { probability }),
    ...(strikes === undefined || strikes.begun.length === 0 ? {} : { begun: strikes.begun.length }),
  },
})

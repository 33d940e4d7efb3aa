import type { ServiceFault } from '../../contract/service-fault.ts'
import { serviceFaultOf } from '../../contract/service-faults.ts'
import type { Finding } from '../../contract/suite-findings.ts'
import type { AttemptState, Begun, Visitor } from '../rp-driver.ts'
import { broke, codeOf, HELD, polled, type Stage } from '../stage.ts'

export const notBegun = (refusal: string): Finding => broke({ code: 'not_begun', params: { refusal } })

type Begin = () => Promise<Begun>

/** What the service answers cannot be used: the RP says so at once. */
export const mustRefuse = async (stage: Stage, begin: Begin): Promise<Finding> => {
  await stage.arm()
  const started = await begin()
  if (stage.fault === undefined) return started.ok ? HELD : notBegun(started.refusal)
  return started.ok ? broke({ code: 'begun_with_unusable_address' }) : HELD
}

type Approved = {
  readonly finding?: undefined
  readonly begun: Begun
  /** What the RP said before the user approved. */
  readonly states: readonly AttemptState[]
  readonly careful: ServiceFault['careful']
}

/** A request that is begun, scanned and approved, with the fault armed from where it can strike. */
export const untilApproved = async (
  stage: Stage,
  visitor: Visitor,
  begin: Begin,
): Promise<Approved | { readonly finding: Finding }> => {
  const { fault, phone } = stage
  const { when, careful } =
    fault === undefined ? ({ when: 'any', careful: 'completes' } as const) : serviceFaultOf(fault)
  if (when !== 'bind') await stage.arm()
  const begun = await begin()
  if (!begun.ok) return { finding: careful === 'completes' ? notBegun(begun.refusal) : HELD }
  const states = [...(await polled(visitor, begun, 1))]
  await phone.scan(await codeOf(stage, begun))
  states.push(...(await polled(visitor, begun, 1)))
  if (when === 'bind') {
    await stage.arm()
    states.push(...(await polled(visitor, begun, 1)))
  }
  if (careful === 'completes' && states.includes('failed')) return { finding: broke({ code: 'gave_up' }) }
  await phone.approve()
  return { begun, states, careful }
}

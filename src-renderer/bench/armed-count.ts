import type { ControlPhone } from '../../src-main/core/contract/control/states.ts'
import { groupOf, type Timeline } from '../../src-main/views/timeline/timeline.ts'

/** The faults that a phone has: those armed, and those that an open request has taken and that strike when it is answered. */
export const faultsOn = (timeline: Timeline, { id, faults, prompts }: ControlPhone): number => {
  const taken = prompts.flatMap(({ msg_id }) => {
    const struck = groupOf(timeline, msg_id)?.message?.struck
    return struck?.phoneId === id ? struck.faults : []
  })
  return faults.length + taken.filter((name) => !faults.some(({ fault }) => fault === name)).length
}

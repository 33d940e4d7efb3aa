import type { ConditionsState, ControlPhone } from '../../src-main/core/contract/control/states.ts'
import { groupText, messageTime, methodText, rowText, VERDICT_MARKS } from '../../src-main/views/timeline/said.ts'
import { type Group, groupOf, type Look, type Message, type Timeline } from '../../src-main/views/timeline/timeline.ts'
import type { Tone } from '../ui/primitives.tsx'
import { texts } from '../ui/texts.ts'
import type { Selection } from './selection.ts'

export const rowWords = (row: Look): string => rowText(row, texts.timeline)

export const groupTitle = (group: Pick<Group, 'message'>) => groupText(group, texts.timeline)

export const timeTaken = (message: Message, benchNow: number): string => messageTime(message, benchNow, texts.timeline)

export const methodWord = (message: Pick<Message, 'ceremony' | 'method'>): string => methodText(message, texts.timeline)

/** Title of the browser tab. */
export const selectionTitle = ({ row, message }: Pick<Selection, 'row' | 'message'>): string => {
  if (message === undefined) return rowWords(row)
  const { title, sub } = groupTitle({ message })
  return `${VERDICT_MARKS[message.state]}${title} ${sub} · ${rowWords(row)}`
}

export const stateTone = {
  init: 'neutral',
  bind: 'accent',
  success: 'ok',
  fail: 'fail',
  timeout: 'warn',
} as const satisfies Record<Message['state'], Tone>

export type ConditionsName = 'normal' | 'slow' | 'unreliable' | 'outage'

/** Name of the conditions: `slow` for late answers, `unreliable` for lost ones, `outage` for refusals. */
export const conditionsName = (conditions: ConditionsState): ConditionsName => {
  const sides = [conditions.rp, conditions.app]
  if (sides.some((side) => side.fail_next > 0 || side.fail_percent > 0)) return 'outage'
  if (sides.some((side) => side.lose_next > 0 || side.lose_percent > 0)) return 'unreliable'
  return sides.some((side) => side.latency_ms > 0) ? 'slow' : 'normal'
}

export type RpOutcome = 'success' | 'fail' | 'timeout' | 'refused' | 'broke'

/** How a request ended as the RP sees it, from the answers that it received; undefined while it waits. */
export const rpOutcome = ({ state, delivered, told }: Message): RpOutcome | undefined => {
  if (told !== undefined && told.made !== 'waits') return told.made
  // A success counts once the RP has read it; a failure or a timeout the page may show immediately.
  if (state === 'init' || state === 'bind' || (state === 'success' && !delivered)) return undefined
  return state
}

/** Number of a phone's faults: armed ones, and those already assigned to an open request. */
export const countPhoneFaults = (timeline: Timeline, { id, faults, prompts }: ControlPhone): number => {
  const taken = prompts.flatMap(({ msg_id }) => {
    const struck = groupOf(timeline, msg_id)?.message?.struck
    return struck?.phoneId === id ? struck.faults : []
  })
  return faults.length + taken.filter((name) => !faults.some(({ fault }) => fault === name)).length
}

/** The position in the list chooses the RP's invented logo; `id` may be either of its ids. */
export const rpVariant = (
  rps: readonly { readonly id: string; readonly rp_id: string }[],
  id: string | undefined,
): number =>
  Math.max(
    0,
    rps.findIndex((rp) => rp.id === id || rp.rp_id === id),
  )

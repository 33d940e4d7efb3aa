import type { EventOf, Message, Row, Timeline } from './timeline.ts'
import { findRow, groupOf } from './timeline.ts'

/** One row, or one of the exchanges folded into it. */
export type Choice = { readonly row: number; readonly index?: number }

export type Selection = {
  readonly row: Row
  /** What the row's group is about. */
  readonly message?: Message
  /** Which of the folded exchanges is shown. */
  readonly index: number
  readonly exchange?: EventOf<'exchange'>
  /** The judge's verdict, when it was reached in this exchange. */
  readonly verdict?: EventOf<'verdict'>
}

/** The events that a chosen row is shown from, by their numbers. */
export const eventsOf = (
  row: Row,
  message: Message | undefined,
  chosen: Choice,
): { readonly index: number; readonly exchange: number; readonly verdict: number | undefined } => {
  const index = Math.min(chosen.index ?? row.seqs.length - 1, row.seqs.length - 1)
  const verdict = message?.judgedIn === row.id ? message.verdict : undefined
  return { index, exchange: row.seqs.at(index) ?? row.id, verdict }
}

/** The row of an event; of one that has none, the row of what came next. */
export const rowOfEvent = ({ groups }: Timeline, seq: number): Row | undefined => {
  let next: Row | undefined
  for (let place = groups.first; place < groups.end; place++) {
    for (const row of groups.get(place)?.rows ?? []) {
      if (row.id === seq || [...row.seqs].includes(seq)) return row
      if (row.id > seq && row.id < (next?.id ?? Number.POSITIVE_INFINITY)) next = row
    }
  }
  return next
}

/** The row in which a message was judged. */
export const judgedRow = (timeline: Timeline, msgId: string): Row | undefined => {
  const judgedIn = groupOf(timeline, msgId)?.message?.judgedIn
  return judgedIn === undefined ? undefined : findRow(timeline, judgedIn)?.row
}

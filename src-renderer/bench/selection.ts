import type { BenchEvent } from '../../src-main/contract/events.ts'
import { type EventOf, findRow, type Group, groupOf, type Row, type Timeline } from './timeline.ts'

export type Selection = {
  readonly group: Group
  readonly row: Row
  /** Which of the folded exchanges is shown. */
  readonly index: number
  readonly exchange?: EventOf<'exchange'>
  /** The judge's verdict, when it was reached in this exchange. */
  readonly verdict?: EventOf<'verdict'>
  /** The events it is made of, whether the page has them or not. */
  readonly seqs: readonly number[]
}

type LookUp = (seq: number) => BenchEvent | undefined

export const selectionOf = (
  timeline: Timeline,
  chosen: { readonly row: number; readonly index?: number } | undefined,
  lookUp: LookUp,
): Selection | undefined => {
  const found = chosen === undefined ? undefined : findRow(timeline, chosen.row)
  if (chosen === undefined || found === undefined) return undefined
  const { group, row } = found
  const index = Math.min(chosen.index ?? row.seqs.length - 1, row.seqs.length - 1)
  const seq = row.seqs.at(index) ?? row.id
  const judged = group.message?.judgedIn === row.id ? group.message.verdict : undefined
  const event = lookUp(seq)
  const verdict = judged === undefined ? undefined : lookUp(judged)
  return {
    group,
    row,
    index,
    ...(event?.kind === 'exchange' ? { exchange: event } : {}),
    ...(verdict?.kind === 'verdict' ? { verdict } : {}),
    seqs: judged === undefined ? [seq] : [seq, judged],
  }
}

/** The row in which a message was judged. */
export const judgedRow = (timeline: Timeline, msgId: string): Row | undefined => {
  const judgedIn = groupOf(timeline, msgId)?.message?.judgedIn
  return judgedIn === undefined ? undefined : findRow(timeline, judgedIn)?.row
}

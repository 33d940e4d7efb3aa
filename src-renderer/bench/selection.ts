import type { ExchangeEvent } from '../../src-main/protocol/exchange-event.ts'
import type { Group, Row, Timeline } from './timeline.ts'

type EventOf<K extends ExchangeEvent['kind']> = Extract<ExchangeEvent, { kind: K }>

export type Selection = {
  readonly group: Group
  readonly row: Row
  /** Which of the folded exchanges is shown. */
  readonly index: number
  readonly exchange?: EventOf<'exchange'>
  /** The judge's verdict, when it was reached in this exchange. */
  readonly verdict?: EventOf<'verdict'>
}

type LookUp = (seq: number) => ExchangeEvent | undefined

export const selectionOf = (
  timeline: Timeline,
  chosen: { readonly row: number; readonly index?: number } | undefined,
  lookUp: LookUp,
): Selection | undefined => {
  if (chosen === undefined) return undefined
  for (const group of timeline.groups) {
    const row = group.rows.find(({ id }) => id === chosen.row)
    if (row === undefined) continue
    const index = Math.min(chosen.index ?? row.seqs.length - 1, row.seqs.length - 1)
    const event = lookUp(row.seqs[index] ?? row.id)
    const exchange = event?.kind === 'exchange' ? event : undefined
    const verdict = group.message?.verdict === undefined ? undefined : lookUp(group.message.verdict)
    const judged = verdict?.kind === 'verdict' && verdict.cause !== undefined && verdict.cause === exchange?.request.id
    return {
      group,
      row,
      index,
      ...(exchange === undefined ? {} : { exchange }),
      ...(judged ? { verdict } : {}),
    }
  }
  return undefined
}

/** The row in which a message was judged. */
export const judgedRow = (timeline: Timeline, msgId: string, lookUp: LookUp): Row | undefined => {
  const group = timeline.groups.findLast(({ id }) => id === msgId)
  if (group?.message?.verdict === undefined) return undefined
  const cause = lookUp(group.message.verdict)?.cause
  return group.rows.find((row) =>
    row.seqs.some((seq) => {
      const event = lookUp(seq)
      return event?.kind === 'exchange' && event.request.id === cause
    }),
  )
}

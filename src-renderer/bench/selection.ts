import { useEffect, useMemo } from 'react'
import { findRow, groupOf, type Message, type Row, type Timeline } from '../../src-main/views/timeline/timeline.ts'
import type { About, InspectorTab } from '../ui/address.ts'
import { useBenchPart, useTools } from './use-bench.ts'

/** One row, or one of the exchanges folded into it. `byAddress`: an address selected it and also sets the search. */
export type RowChoice = { readonly row: number; readonly index?: number; readonly byAddress?: true }

export type Selection = NonNullable<ReturnType<typeof useSelection>>

export const eventsOf = (
  row: Row,
  message: Message | undefined,
  chosen: RowChoice,
): { readonly index: number; readonly exchange: number; readonly verdict: number | undefined } => {
  const index = Math.min(chosen.index ?? row.seqs.length - 1, row.seqs.length - 1)
  const verdict = message?.judgedIn === row.id ? message.verdict : undefined
  return { index, exchange: row.seqs.at(index) ?? row.id, verdict }
}

/** For an event without a row, the row of the next event. */
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

export const judgedRow = (timeline: Timeline, msgId: string): Row | undefined => {
  const judgedIn = groupOf(timeline, msgId)?.message?.judgedIn
  return judgedIn === undefined ? undefined : findRow(timeline, judgedIn)?.row
}

/** The most informative row of a ceremony: with a faulted answer to its RP, else with its verdict, else the last. */
const bestRow = (timeline: Timeline, msgId: string): Row | undefined => {
  const group = groupOf(timeline, msgId)
  const told = group?.message?.told
  return (told && findRow(timeline, told.seq)?.row) ?? judgedRow(timeline, msgId) ?? group?.rows.findLast(() => true)
}

export const findChoice = (timeline: Timeline, about: About): RowChoice | undefined => {
  if ('msgId' in about) {
    const row = bestRow(timeline, about.msgId)
    return row === undefined ? undefined : { row: row.id }
  }
  const row = findRow(timeline, about.seq)?.row ?? rowWith(timeline, about.seq)
  return row === undefined ? undefined : { row: row.id, index: [...row.seqs].indexOf(about.seq) }
}

/** A link without a tab opens the one that explains a failed ceremony, if the judge gives a reason. */
export const openingTab = (timeline: Timeline, about: About): InspectorTab => {
  if (about.tab !== undefined) return about.tab
  const message = 'msgId' in about ? groupOf(timeline, about.msgId)?.message : undefined
  return message?.state === 'fail' && message.told === undefined && message.judgedIn !== undefined
    ? 'steps'
    : 'overview'
}

const rowWith = (timeline: Timeline, seq: number): Row | undefined => {
  const row = rowOfEvent(timeline, seq)
  return row !== undefined && [...row.seqs].includes(seq) ? row : undefined
}

/** A finished ceremony is addressed by its message, anything else by its exchange. */
export const inspectedAddress = (timeline: Timeline, { row: id, index }: RowChoice): About | undefined => {
  const found = findRow(timeline, id)
  if (found === undefined) return undefined
  const { row, group } = found
  const { message } = group
  return message?.endedWall !== undefined && index === undefined && bestRow(timeline, message.msgId) === row
    ? { msgId: message.msgId }
    : { seq: row.seqs.at(index ?? -1) ?? row.id }
}

/** The same object until the row, its message or its events change. */
export const useSelection = (chosen: RowChoice | undefined) => {
  const { store } = useTools()
  const found = chosen?.row ?? 0
  const row = useBenchPart(({ timeline }) => findRow(timeline, found)?.row)
  const message = useBenchPart(({ timeline }) => findRow(timeline, found)?.group.message)
  const events = chosen === undefined || row === undefined ? undefined : eventsOf(row, message, chosen)
  const exchange = useBenchPart(() => (events === undefined ? undefined : store.lookUp(events.exchange)))
  const verdict = useBenchPart(() => (events?.verdict === undefined ? undefined : store.lookUp(events.verdict)))

  // Events that were evicted from the page are fetched.
  const missing = [
    exchange === undefined ? events?.exchange : undefined,
    verdict === undefined ? events?.verdict : undefined,
  ].filter((seq) => seq !== undefined)
  const wanted = missing.join()
  useEffect(() => {
    if (wanted !== '') store.want(wanted.split(',').map(Number))
  }, [wanted, store])

  const index = events?.index ?? 0
  return useMemo(
    () =>
      row === undefined
        ? undefined
        : {
            row,
            /** Index of the shown exchange among those folded into the row. */
            index,
            ...(message === undefined ? {} : { message }),
            ...(exchange?.kind === 'exchange' ? { exchange } : {}),
            /** The judge's verdict, when it was reached in this exchange. */
            ...(verdict?.kind === 'verdict' ? { verdict } : {}),
          },
    [row, message, index, exchange, verdict],
  )
}

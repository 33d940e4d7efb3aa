import { useEffect, useMemo } from 'react'
import { findRow } from '../../src-main/views/timeline/timeline.ts'
import { type Choice, eventsOf, type Selection } from './selection.ts'
import { useBenchPart, useTools } from './use-bench.ts'

/** The inspector's content for a chosen row. It changes only when that row, its message or its events do. */
export const useSelection = (chosen: Choice | undefined): Selection | undefined => {
  const { store } = useTools()
  const found = chosen?.row ?? 0
  const row = useBenchPart(({ timeline }) => findRow(timeline, found)?.row)
  const message = useBenchPart(({ timeline }) => findRow(timeline, found)?.group.message)
  const events = chosen === undefined || row === undefined ? undefined : eventsOf(row, message, chosen)
  const exchange = useBenchPart(() => (events === undefined ? undefined : store.lookUp(events.exchange)))
  const verdict = useBenchPart(() => (events?.verdict === undefined ? undefined : store.lookUp(events.verdict)))

  // Events that left the page are asked for.
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
            index,
            ...(message === undefined ? {} : { message }),
            ...(exchange?.kind === 'exchange' ? { exchange } : {}),
            ...(verdict?.kind === 'verdict' ? { verdict } : {}),
          },
    [row, message, index, exchange, verdict],
  )
}

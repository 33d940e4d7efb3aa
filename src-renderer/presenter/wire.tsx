import { Unplug } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { RowName } from '../../src-main/core/messages/timeline-words.ts'
import { isRow } from '../../src-main/views/timeline/look.ts'
import { isPoll, type Message, type Row, type Timeline } from '../../src-main/views/timeline/timeline.ts'
import { useBenchPart, useTools } from '../bench/use-bench.ts'
import { HandsetMark } from '../ui/marks.tsx'
import { texts } from '../ui/texts.ts'
import styles from './wire.module.css'

type WireProps = {
  /** The last event before the chapter. */
  readonly after: number
  /** The current exchanges are not for the audience. */
  readonly still: boolean
  /** The answer did not get through: why. */
  readonly cut?: string | undefined
}

/** A wire joins page, service and phone, and the recorded exchanges run along it. */
export const Wire = ({ after, still, cut }: WireProps) => {
  const { pulses, drop } = usePulses(still)
  const timeline = useBenchPart((state) => state.timeline)
  const said = still ? undefined : lastSaid(timeline, after)
  return (
    <div className={`${styles.wire} grid`} data-part="wire" aria-hidden="true">
      <p className={styles.words} data-refused={cut !== undefined || said?.refused || undefined}>
        {cut ?? said?.words}
      </p>
      {(['page', 'phone'] as const).map((half) => (
        <div
          key={half}
          className={styles.half}
          data-half={half}
          data-toward={said?.half === half ? said.toward : undefined}
          data-refused={(said?.half === half && said.refused) || undefined}
          data-cut={(cut !== undefined && half === 'phone') || undefined}
        >
          {cut !== undefined && half === 'phone' ? <Unplug className={styles.plug} strokeWidth={1.75} /> : null}
          {pulses
            .filter((pulse) => pulse.half === half)
            .map((pulse) => (
              <i
                key={pulse.seq}
                className={styles.pulse}
                data-from={pulse.toward === 'phone' ? 'service' : half}
                data-oneway={pulse.toward === 'phone' || undefined}
                data-quiet={pulse.quiet || undefined}
                data-refused={pulse.refused || undefined}
                onAnimationEnd={() => drop(pulse.seq)}
              />
            ))}
        </div>
      ))}
      <div className={`${styles.service} centred`}>
        <HandsetMark size={40} />
      </div>
      <p className={`${styles.name} muted`}>{texts.presenter.service}</p>
    </div>
  )
}

/** More of them together are only a blur. */
const MOST = 12

const usePulses = (still: boolean) => {
  const { store } = useTools()
  const [pulses, setPulses] = useState<readonly Pulse[]>([])
  const seen = useRef(0)
  useEffect(() => {
    const leave = store.subscribe(() => {
      const { timeline, newAfter } = store.getState()
      const fresh = pulsesAfter(timeline, Math.max(seen.current, newAfter))
      seen.current = Math.max(seen.current, fresh.at(-1)?.seq ?? 0)
      if (fresh.length > 0 && !still) setPulses((before) => [...before, ...fresh].slice(-MOST))
    })
    return () => {
      leave()
      setPulses([])
    }
  }, [store, still])
  return { pulses, drop: (seq: number) => setPulses((before) => before.filter((pulse) => pulse.seq !== seq)) }
}

/** One recorded exchange, as it runs along the wire. */
type Pulse = {
  readonly seq: number
  /** Which half of the wire: between page and service, or between service and phone. */
  readonly half: 'page' | 'phone'
  /** The end with its point: a call's at the service, a push's at the phone, a read result's back at the page. */
  readonly toward: 'service' | 'page' | 'phone'
  /** A poll, or a call that belongs to no request. */
  readonly quiet: boolean
  readonly refused: boolean
  readonly words: string
}

/** Pulses that were recorded after an event, oldest first. */
export const pulsesAfter = (timeline: Timeline, seq: number): readonly Pulse[] =>
  pulsesOf(timeline)
    .filter((pulse) => pulse.seq > seq)
    .sort((a, b) => a.seq - b.seq)

/** The last exchange since an event that was not a poll. */
export const lastSaid = (timeline: Timeline, after: number): Pulse | undefined =>
  pulsesOf(timeline).findLast(({ quiet, seq }) => !quiet && seq > after)

/** Older rows have no pulse. */
const MOST_GROUPS = 50
const MOST_ROWS = 200

/** In the timeline's order: a call is before the push that it caused, though the push may be recorded first. */
const pulsesOf = ({ groups }: Timeline): readonly Pulse[] =>
  groups
    .latest(MOST_GROUPS)
    .flatMap(({ rows, message }) =>
      rows
        .latest(MOST_ROWS)
        .flatMap((row) => row.seqs.latest(MOST_ROWS).flatMap((seq) => pulseOf({ row, seq, message }) ?? [])),
    )

type PulseInput = { readonly row: Row; readonly seq: number; readonly message: Message | undefined }

const pulseOf = ({ row, seq, message }: PulseInput): Pulse | undefined => {
  const said = texts.presenter
  if (row.kind === 'push') {
    if (!isRow(row, 'push sent')) return undefined
    return {
      seq,
      half: 'phone',
      toward: 'phone',
      quiet: false,
      refused: false,
      words: said.wire[row.route as RowName] ?? '',
    }
  }
  if (row.kind !== 'exchange') return undefined
  // A push is not scanned.
  const opened = message?.method === 'push' && row.route.endsWith('/bind')
  const read = row.route.endsWith('/result') && !isPoll(row)
  // A sign-in that the judge refuses is answered like any other.
  const wrong = row.route.endsWith('/reject') || (message?.state === 'fail' && row.route.endsWith('/assertion'))
  return {
    seq,
    half: row.from === 'rp' ? 'page' : 'phone',
    toward: read ? 'page' : 'service',
    quiet: !read && (isPoll(row) || said.wire[row.route as RowName] === undefined),
    refused: wrong || (row.code !== undefined && row.code !== 0),
    words: read ? said.answered : opened ? said.opened : (said.wire[row.route as RowName] ?? ''),
  }
}

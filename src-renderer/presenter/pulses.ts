import { isPoll, type Row, type Timeline } from '../bench/timeline.ts'
import { wordsOf } from '../bench/words.ts'
import { texts } from '../ui/texts.ts'

/** One recorded exchange, as it runs along the wire. */
export type Pulse = {
  readonly seq: number
  /** Which half of the wire: between page and service, or between service and phone. */
  readonly half: 'page' | 'phone'
  /** Where its point is: a call's at the service, a push's at the phone, a read result's back at the page. */
  readonly toward: 'service' | 'page' | 'phone'
  /** A poll, or a call that belongs to no request. */
  readonly quiet: boolean
  readonly refused: boolean
  readonly words: string
}

/** What was recorded after an event, oldest first. */
export const pulsesAfter = (timeline: Timeline, seq: number): readonly Pulse[] =>
  timeline.groups
    .flatMap(({ rows, message }) =>
      rows.flatMap((row) => row.seqs.flatMap((each) => (each > seq ? pulseOf(row, each, message === undefined) : []))),
    )
    .sort((a, b) => a.seq - b.seq)

/** What the wire says: the last exchange that was more than a question whether there is news. */
export const lastSaid = (timeline: Timeline): Pulse | undefined =>
  pulsesAfter(timeline, 0).findLast(({ quiet }) => !quiet)

const pulseOf = (row: Row, seq: number, loose: boolean): readonly Pulse[] => {
  const words = wordsOf(row)
  if (row.kind === 'push') {
    if (row.route !== 'push sent') return []
    return [{ seq, half: 'phone', toward: 'phone', quiet: false, refused: false, words }]
  }
  if (row.kind !== 'exchange') return []
  const read = words === texts.timeline.read
  return [
    {
      seq,
      half: row.from === 'rp' ? 'page' : 'phone',
      toward: read ? 'page' : 'service',
      quiet: loose || isPoll(row),
      refused: row.code !== undefined && row.code !== 0,
      words,
    },
  ]
}

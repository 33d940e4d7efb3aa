import { Zap } from 'lucide-react'
import { memo, useState } from 'react'
import { type Group, isPoll, isRefused, type Row } from '../../src-main/views/timeline/timeline.ts'
import { rowWords } from '../bench/words.ts'
import { hourMinuteSecond, offset, took } from '../ui/format.ts'
import { anyFaultText } from '../ui/messages.ts'
import { texts } from '../ui/texts.ts'
import styles from './exchange-row.module.css'
import { Lanes } from './lanes.tsx'

type ExchangeRowProps = {
  readonly row: Row
  /** Distance from the top of its group. */
  readonly top: number
  readonly start: Group['wall']
  /** True if the row belongs to no ceremony, so only its status shows the result. */
  readonly plain: boolean
  readonly selected: boolean
  readonly reachable: boolean
  readonly fresh: boolean
  readonly onSelect: (row: Row, opened?: true) => void
}

/** Compares all properties except those that only matter at the first rendering. */
const looksTheSame = (a: ExchangeRowProps, b: ExchangeRowProps): boolean =>
  a.row === b.row && a.top === b.top && a.selected === b.selected && a.reachable === b.reachable && a.start === b.start

export const ExchangeRow = memo(
  ({ row, top, start, plain, selected, reachable, fresh, onSelect }: ExchangeRowProps) => {
    // Only the first rendering decides whether the row counts as new.
    const [arrived] = useState(fresh)
    const words = texts.timeline
    const what = rowWords(row)
    const count = row.seqs.length
    const refused = isRefused(row)
    const status = row.code === undefined || row.code === 0 ? row.status : row.code
    const outcome = row.status === undefined ? (row.moved ?? '') : [...new Set([row.status, status])].join(' ')
    const lanes = texts.timeline.lanes
    const label = words.rowLabel({ what, from: lanes[row.from], to: lanes[row.to], outcome })
    return (
      <button
        type="button"
        id={`row-${row.id}`}
        className={`${styles.exchange} ${styles.columns} choosable absolute middle grid small wide text-left inset-focus h-28`}
        aria-pressed={selected}
        aria-label={[label, ...(count > 1 ? [`×${count}`] : []), ...(row.struck ?? [])].join(', ')}
        title={[hourMinuteSecond(row.bench), ...(row.path === '' ? [] : [`${row.method} ${row.path}`])].join(' · ')}
        data-fresh={arrived || undefined}
        data-struck={row.struck !== undefined || undefined}
        style={{ top }}
        tabIndex={reachable ? 0 : -1}
        onClick={() => onSelect(row, true)}
      >
        <span className={styles.time}>
          <span className={styles.moment}>{hourMinuteSecond(row.bench)} </span>
          {offset(row.wall - start)}
        </span>
        <Lanes row={row} selected={selected} refused={refused} poll={isPoll(row)} />
        <span className={styles.what}>
          <b className="weight-530 ink">{what}</b>
          {row.struck === undefined ? null : (
            <span
              className={`${styles.struck} inline-flex middle gap-3 tiny fault weight-540`}
              title={row.struck.map(anyFaultText).join(' · ')}
            >
              <Zap size={11} strokeWidth={2} />
              <span className="cut ellipsis">{row.struck.join(' ')}</span>
            </span>
          )}
          {count > 1 ? <i className="muted upright digits">×{count}</i> : null}
          {row.kind === 'exchange' ? (
            <code className="flex narrows tiny faint">
              <em className="upright">{row.method} </em>
              <span className="narrows cut ellipsis">
                <bdi>{row.path}</bdi>
              </span>
            </code>
          ) : null}
        </span>
        <span
          className={`${styles.status} faint text-right pl-8`}
          data-refused={(refused && (plain || row.code === 0)) || undefined}
        >
          {refused && row.code === 0 ? words.refusedAnswer : status}
        </span>
        <span className={`${styles.took} text-right`}>{row.tookUs === undefined ? '' : took(row.tookUs)}</span>
      </button>
    )
  },
  looksTheSame,
)

import { type MouseEvent, memo } from 'react'
import type { Range } from '../../src-main/views/inspect/parts.ts'
import { texts } from '../ui/texts.ts'
import styles from './hex-view.module.css'

type HexViewProps = {
  readonly bytes: Uint8Array
  readonly marked?: Range | undefined
  /** One byte in the marked range that is the one at fault. */
  readonly hot?: number | undefined
  readonly look?: 'accent' | 'fail'
  readonly onByte?: (byte: number) => void
  readonly onHover?: (byte: number | undefined) => void
}

const WIDTH = 16

/** Sixteen bytes a row, with their printable characters. */
export const HexView = memo(({ bytes, marked, hot, look = 'accent', onByte, onHover }: HexViewProps) => {
  const rows = Array.from({ length: Math.ceil(bytes.length / WIDTH) }, (_, i) => i * WIDTH)
  const byteUnder = (event: MouseEvent): number | undefined => {
    const at = event.target instanceof HTMLElement ? event.target.dataset.at : undefined
    return at === undefined ? undefined : Number(at)
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree beside it is the same choice for the keyboard.
    // biome-ignore lint/a11y/noStaticElementInteractions: clicking a byte is a short cut to its row in the tree.
    <div
      className={styles.hex}
      data-part="hex"
      data-look={look}
      onClick={(event) => {
        const at = byteUnder(event)
        if (at !== undefined) onByte?.(at)
      }}
      onMouseOver={(event) => onHover?.(byteUnder(event))}
      onFocus={() => undefined}
      onMouseLeave={() => onHover?.(undefined)}
    >
      <span className="unseen">{texts.inspector.hexLabel(bytes.length)}</span>
      {rows.map((row) => (
        <div key={row} className={`${styles.row} flex`}>
          <span className={`${styles.offset} rigid tiny faint`}>{row.toString(16).padStart(4, '0')}</span>
          <span className={styles.bytes}>
            {cellsOf(bytes, row).map(({ at, byte }) => (
              <Cell key={at} at={at} marked={marked} hot={hot}>
                {byte.toString(16).padStart(2, '0')}
              </Cell>
            ))}
          </span>
          <span className={styles.text} data-part="hex-text" aria-hidden="true">
            {cellsOf(bytes, row).map(({ at, byte }) => (
              <Cell key={at} at={at} faint={!isPrintable(byte)} marked={marked} hot={hot}>
                {isPrintable(byte) ? String.fromCharCode(byte) : '·'}
              </Cell>
            ))}
          </span>
        </div>
      ))}
    </div>
  )
})

const cellsOf = (bytes: Uint8Array, row: number) =>
  [...bytes.subarray(row, row + WIDTH)].map((byte, i) => ({ at: row + i, byte }))

const isPrintable = (byte: number): boolean => byte > 0x20 && byte < 0x7f

type CellProps = {
  readonly at: number
  readonly children: string
  readonly marked: Range | undefined
  readonly hot: number | undefined
  readonly faint?: boolean
}

const Cell = ({ at, children, marked, hot, faint = false }: CellProps) => {
  const on = marked !== undefined && at >= marked.start && at < marked.end
  return (
    <b
      data-at={at}
      data-on={on || undefined}
      data-first={(on && (at === marked.start || at % WIDTH === 0)) || undefined}
      data-last={(on && (at === marked.end - 1 || at % WIDTH === WIDTH - 1)) || undefined}
      data-hot={at === hot || undefined}
      data-faint={faint || undefined}
    >
      {children}
    </b>
  )
}

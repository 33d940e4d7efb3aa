import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import styles from './splitter.module.css'

type SplitterProps = {
  readonly name: string
  readonly size: number
  readonly min: number
  readonly max: number
  readonly onSize: (size: number) => void
  readonly onReset: () => void
}

/** The upper edge of a pane below: dragging up makes it taller, arrow keys move by 8 (with Shift by 32). */
export const Splitter = ({ name, size, min, max, onSize, onReset }: SplitterProps) => {
  const [drag, setDrag] = useState<{ readonly y: number; readonly size: number }>()
  const within = (value: number) => onSize(Math.round(Math.min(max, Math.max(min, value))))
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    within(size + step * (event.shiftKey ? 32 : 8))
  }
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    setDrag({ y: event.clientY, size })
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a window splitter is a focusable separator; hr cannot be one.
    <div
      className={styles.splitter}
      role="separator"
      aria-orientation="horizontal"
      aria-label={name}
      aria-valuenow={size}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={(event) => {
        if (drag !== undefined) within(drag.size + drag.y - event.clientY)
      }}
      onPointerUp={() => setDrag(undefined)}
      onPointerCancel={() => setDrag(undefined)}
      onDoubleClick={onReset}
    />
  )
}

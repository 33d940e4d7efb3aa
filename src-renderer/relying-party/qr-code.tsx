import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { encode } from 'uqr'
import styles from './qr-code.module.css'

/** ISO/IEC 18004: four modules of quiet all around. */
const QUIET = 4
const SMALLEST = 3
const LARGEST = 8

type QrCodeProps = {
  readonly text: string
  /** The purpose of the code, never its content. */
  readonly label: string
  readonly canvas: RefObject<HTMLCanvasElement | null>
  /** A camera is reading it. */
  readonly watched: boolean
  /** The fewest and the most pixels that a module may have. */
  readonly smallest?: number
  readonly largest?: number
}

/** As large as fits with whole pixels for every module, so that its edges stay sharp. */
export const QrCode = ({ text, label, canvas, watched, smallest = SMALLEST, largest = LARGEST }: QrCodeProps) => {
  const room = useRef<HTMLDivElement>(null)
  const [space, setSpace] = useState(0)
  const code = useMemo(() => encode(text, { ecc: 'M', border: QUIET }), [text])
  const module = Math.min(largest, Math.max(smallest, Math.floor(space / code.size)))
  const side = module * code.size

  useEffect(() => {
    const element = room.current
    if (element === null) return
    const observer = new ResizeObserver(() => {
      // A pane that is hidden on a narrow screen keeps the size it had.
      if (element.clientWidth > 0) setSpace(Math.min(element.clientWidth, element.clientHeight))
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  // Before anybody looks: a camera may read the canvas in the very moment in which it got its size.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new size empties a canvas.
  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (context === null || context === undefined) return
    const style = getComputedStyle(document.documentElement)
    const scale = context.canvas.width / code.size
    context.fillStyle = style.getPropertyValue('--qr-paper')
    context.fillRect(0, 0, context.canvas.width, context.canvas.height)
    context.fillStyle = style.getPropertyValue('--qr-ink')
    for (const [y, row] of code.data.entries()) {
      for (const [x, dark] of row.entries()) {
        if (dark) context.fillRect(x * scale, y * scale, scale, scale)
      }
    }
  }, [canvas, code, module])

  const pixels = code.size * module * Math.max(1, Math.round(devicePixelRatio))
  return (
    <div className={`${styles.room} centred grow`} data-part="qr-room" ref={room}>
      <div
        className={styles.qr}
        data-part="qr"
        data-watched={watched || undefined}
        style={{ width: side, height: side }}
      >
        <canvas ref={canvas} width={pixels} height={pixels} role="img" aria-label={label} />
      </div>
    </div>
  )
}

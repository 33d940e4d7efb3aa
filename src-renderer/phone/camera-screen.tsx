import { type RefObject, useEffect, useRef } from 'react'
import { texts } from '../ui/texts.ts'

type CameraScreenProps = {
  readonly canvas: RefObject<HTMLCanvasElement | null>
  readonly seeing: 'looking' | 'reading' | 'nothing'
  readonly onClose: () => void
}

/** The viewfinder shows the very pixels of the code on the RP's page that the phone is about to read. */
export const CameraScreen = ({ canvas, seeing, onClose }: CameraScreenProps) => {
  const finder = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const code = canvas.current
    const context = finder.current?.getContext('2d')
    if (code === null || context === null || context === undefined) return
    context.canvas.width = code.width
    context.canvas.height = code.height
    context.drawImage(code, 0, 0)
  }, [canvas])
  const words = texts.phone.camera
  const says = { looking: words.looking, reading: words.reading, nothing: words.nothing }
  return (
    <div className="camera">
      <h3>{words.title}</h3>
      <div className="camera-view" data-empty={seeing !== 'reading' || undefined}>
        <canvas ref={finder} />
        {seeing === 'reading' ? <i className="camera-sweep" /> : null}
      </div>
      <p role="status">{says[seeing]}</p>
      {seeing === 'nothing' ? (
        <button type="button" className="phone-button" onClick={onClose}>
          {texts.phone.done}
        </button>
      ) : null}
    </div>
  )
}

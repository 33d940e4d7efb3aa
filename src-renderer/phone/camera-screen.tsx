import { type RefObject, useEffect, useRef } from 'react'
import { texts } from '../ui/texts.ts'

type CameraScreenProps = {
  readonly canvas: RefObject<HTMLCanvasElement | null>
  readonly nothing: boolean
  readonly onClose: () => void
}

/** The viewfinder shows the very pixels of the code on the RP's page that the phone is about to read. */
export const CameraScreen = ({ canvas, nothing, onClose }: CameraScreenProps) => {
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
  return (
    <div className="camera">
      <h3>{words.title}</h3>
      <div className="camera-view" data-empty={nothing || undefined}>
        <canvas ref={finder} />
        {nothing ? null : <i className="camera-sweep" />}
      </div>
      <p role="status">{nothing ? words.nothing : words.reading}</p>
      {nothing ? (
        <button type="button" className="phone-button" onClick={onClose}>
          {texts.phone.done}
        </button>
      ) : null}
    </div>
  )
}

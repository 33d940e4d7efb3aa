import { useEffect, useEffectEvent, useRef } from 'react'
import { type Photo, photoOf } from './camera-source.ts'

/** Between two looks at what moves before the camera. */
const GLANCE_MS = 400

type LiveViewProps = {
  readonly stream: MediaStream
  /** Reads what is in the picture; true: there was something, and the camera is done. */
  readonly onGlance: (photo: Photo) => Promise<boolean>
  readonly onEnd: () => void
}

/** The viewfinder while the camera is held over the screen or before the webcam. */
export const LiveView = ({ stream, onGlance, onEnd }: LiveViewProps) => {
  const video = useRef<HTMLVideoElement>(null)
  const glance = useEffectEvent(onGlance)
  const ended = useEffectEvent(onEnd)
  useEffect(() => {
    const view = video.current
    if (view === null) return
    view.srcObject = stream
    let timer: ReturnType<typeof setTimeout> | undefined
    let gone = false
    const look = async (): Promise<void> => {
      const photo = photoOf(view)
      const done = photo !== undefined && (await glance(photo))
      if (!done && !gone) timer = setTimeout(() => void look(), GLANCE_MS)
    }
    void look()
    const end = (): void => ended()
    for (const track of stream.getTracks()) track.addEventListener('ended', end)
    return () => {
      gone = true
      clearTimeout(timer)
      view.srcObject = null
    }
  }, [stream])
  return <video ref={video} autoPlay muted playsInline />
}

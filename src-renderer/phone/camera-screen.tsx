import { Image, Monitor, Video } from 'lucide-react'
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { FileInput } from '../ui/primitives.tsx'
import { texts } from '../ui/texts.ts'
import styles from './camera-screen.module.css'
import { capturePhoto, liveSources, type Photo } from './camera-source.ts'
import { PhoneButton } from './phone-button.tsx'
import type { PhoneActions } from './use-phone-actions.ts'

type CameraScreenProps = { readonly canvas: RefObject<HTMLCanvasElement | null>; readonly actions: PhoneActions }

/** The viewfinder shows exactly the pixels that the phone will read. */
export const CameraScreen = ({ canvas, actions }: CameraScreenProps) => {
  const { camera, live } = actions
  const words = texts.phone.camera
  const says = camera === 'off' ? '' : words[camera]
  return (
    <div className={`${styles.camera} column middle grow shortens scrolls-y bar-less p-6-16-12`}>
      <h3 className="rigid text-15 weight-600 leading-20">{words.title}</h3>
      {camera === 'nothing' ? null : (
        <div className={`${styles.view} rigid relative rounded-16`} data-empty={camera === 'looking' || undefined}>
          {live === undefined ? (
            <CodeView key={camera} canvas={canvas} />
          ) : (
            <LiveView stream={live} onGlance={actions.glance} onEnd={actions.closeCamera} />
          )}
          {camera === 'reading' ? <i className={`${styles.sweep} absolute cut`} /> : null}
        </div>
      )}
      <p className="rigid" role="status">
        {actions.trouble === undefined ? says : words[actions.trouble]}
      </p>
      {camera === 'nothing' ? <Sources actions={actions} /> : null}
      {camera === 'nothing' || camera === 'watching' ? (
        <PhoneButton onClick={actions.closeCamera} text={texts.phone.done} />
      ) : null}
    </div>
  )
}

const CodeView = ({ canvas }: { readonly canvas: RefObject<HTMLCanvasElement | null> }) => {
  const finder = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const code = canvas.current
    const context = finder.current?.getContext('2d')
    if (code === null || context === null || context === undefined) return
    context.canvas.width = code.width
    context.canvas.height = code.height
    context.drawImage(code, 0, 0)
  }, [canvas])
  return <canvas className="absolute rounded-6" ref={finder} />
}

const ICONS = { screen: Monitor, webcam: Video } as const

const Sources = ({ actions }: { readonly actions: PhoneActions }) => {
  const input = useRef<HTMLInputElement>(null)
  const words = texts.phone.camera
  return (
    <div className={`${styles.sources} column rigid gap-8 wide`}>
      {liveSources().map((source) => (
        <PhoneButton key={source} Icon={ICONS[source]} onClick={() => actions.watch(source)} text={words[source]} />
      ))}
      <PhoneButton Icon={Image} onClick={() => input.current?.click()} text={words.file} />
      <FileInput ref={input} name={words.file} accept="image/*" onFile={actions.read} />
    </div>
  )
}

/** Pause between two reads of a live picture. */
const GLANCE_MS = 400

type LiveViewProps = {
  readonly stream: MediaStream
  /** Reads the picture; true if it contained a code, so that the camera stops. */
  readonly onGlance: (photo: Photo) => Promise<boolean>
  readonly onEnd: () => void
}

const LiveView = ({ stream, onGlance, onEnd }: LiveViewProps) => {
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
      const photo = capturePhoto(view)
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
  return <video className="absolute wide tall rounded-16" ref={video} autoPlay muted playsInline />
}

import { type DragEvent, type ReactNode, useState } from 'react'
import styles from './phone-body.module.css'

type PhoneBodyProps = { readonly onPicture?: (file: File) => void; readonly children: ReactNode }

/** At the right the power key, at the left the keys for the volume. */
const KEYS = [
  { top: 118, right: -2.5, height: 48 },
  { top: 104, left: -2.5, height: 30 },
  { top: 142, left: -2.5, height: 30 },
] as const

export const PhoneBody = ({ onPicture, children }: PhoneBodyProps) => {
  const [over, setOver] = useState(false)
  const isFile = ({ dataTransfer }: DragEvent): boolean =>
    onPicture !== undefined && dataTransfer.types.includes('Files')
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: without a mouse, a button chooses the picture.
    <div
      className={`${styles.body} shortens relative tall p-2 rounded-38`}
      data-part="phone-body"
      data-over={over || undefined}
      onDragOver={(event) => {
        if (!isFile(event)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        if (!isFile(event)) return
        setOver(false)
        const [file] = event.dataTransfer.files
        // A dropped trace is left to the page.
        if (file?.name.endsWith('.handset') === true) return
        event.preventDefault()
        if (file !== undefined) onPicture?.(file)
      }}
    >
      {KEYS.map((at) => (
        <i key={at.top} className={`${styles.key} absolute rounded-2`} style={at} />
      ))}
      <div className={`${styles.bezel} relative tall p-6 rounded-36`}>{children}</div>
    </div>
  )
}

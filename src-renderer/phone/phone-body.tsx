import { type DragEvent, type ReactNode, useState } from 'react'
import styles from './phone-body.module.css'

type PhoneBodyProps = { readonly onPicture?: (file: File) => void; readonly children: ReactNode }

export const PhoneBody = ({ onPicture, children }: PhoneBodyProps) => {
  const [over, setOver] = useState(false)
  const isFile = ({ dataTransfer }: DragEvent): boolean =>
    onPicture !== undefined && dataTransfer.types.includes('Files')
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: without a mouse, a button chooses the picture.
    <div
      className={`${styles.body} shortens relative tall`}
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
      <i className={styles.key} data-key="power" />
      <i className={styles.key} data-key="up" />
      <i className={styles.key} data-key="down" />
      <div className={`${styles.bezel} relative tall`}>{children}</div>
    </div>
  )
}

import { type DragEvent, type ReactNode, useState } from 'react'

type PhoneBodyProps = {
  /** A picture that was let fall on the phone: its camera reads it. */
  readonly onPicture?: (file: File) => void
  readonly children: ReactNode
}

/** The case around the glass. */
export const PhoneBody = ({ onPicture, children }: PhoneBodyProps) => {
  const [over, setOver] = useState(false)
  const isFile = ({ dataTransfer }: DragEvent): boolean =>
    onPicture !== undefined && dataTransfer.types.includes('Files')
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: whoever has no mouse chooses the picture with a button.
    <div
      className="phone-body"
      data-over={over || undefined}
      onDragOver={(event) => {
        if (!isFile(event)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        if (!isFile(event)) return
        event.preventDefault()
        setOver(false)
        const [file] = event.dataTransfer.files
        if (file !== undefined) onPicture?.(file)
      }}
    >
      <i className="phone-key" data-key="power" />
      <i className="phone-key" data-key="up" />
      <i className="phone-key" data-key="down" />
      <div className="phone-bezel">{children}</div>
    </div>
  )
}

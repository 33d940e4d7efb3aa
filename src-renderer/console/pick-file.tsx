import { type ReactNode, useRef } from 'react'
import { Button } from '../ui/button.tsx'

type PickFileProps = {
  readonly name: string
  readonly accept: string
  readonly onText: (text: string, fileName: string) => void
  readonly children: ReactNode
}

export const PickFile = ({ name, accept, onText, children }: PickFileProps) => {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button onClick={() => input.current?.click()}>{children}</Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={name}
        accept={accept}
        onChange={async (event) => {
          const field = event.currentTarget
          const file = field.files?.[0]
          if (file === undefined) return
          const text = await file.text()
          // Without this, choosing the same file again would cause no event.
          field.value = ''
          onText(text, file.name)
        }}
      />
    </>
  )
}

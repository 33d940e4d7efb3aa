import { FileUp } from 'lucide-react'
import { useRef } from 'react'
import { Button, FileInput } from '../ui/primitives.tsx'

type PickFileProps = {
  readonly name: string
  readonly text: string
  readonly accept: string
  readonly onText: (text: string, fileName: string) => void
}

export const PickFile = ({ name, text, accept, onText }: PickFileProps) => {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button Icon={FileUp} onClick={() => input.current?.click()} text={text} />
      <FileInput
        ref={input}
        name={name}
        accept={accept}
        onFile={async (file) => onText(await file.text(), file.name)}
      />
    </>
  )
}

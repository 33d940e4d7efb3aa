import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { IconButton } from './button.tsx'
import { texts } from './texts.ts'

export const ShortcutList = ({ onClose }: { readonly onClose: () => void }) => {
  const words = texts.shortcuts
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className="shortcuts" aria-label={words.title} onClose={onClose}>
      <header>
        <h2>{words.title}</h2>
        <IconButton small name={words.close} onClick={() => dialog.current?.close()}>
          <X size={15} strokeWidth={1.75} aria-hidden="true" />
        </IconButton>
      </header>
      <dl>
        {words.keys.map(({ keys, text }) => (
          <div key={text}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </dialog>
  )
}

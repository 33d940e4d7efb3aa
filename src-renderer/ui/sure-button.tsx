import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'

type SureButtonProps = {
  /** Said in place of the children once it was clicked. */
  readonly question: string
  readonly disabled?: boolean
  readonly onSure: () => void
  readonly children: ReactNode
}

/** For actions that cannot be undone: the second click does it, leaving the button cancels the first one. */
export const SureButton = ({ question, disabled = false, onSure, children }: SureButtonProps) => {
  const [asked, setAsked] = useState(false)
  return (
    <Button
      small
      look={asked ? 'danger' : 'default'}
      disabled={disabled}
      onBlur={() => setAsked(false)}
      onClick={() => {
        if (asked) onSure()
        setAsked(!asked)
      }}
    >
      {asked ? question : children}
    </Button>
  )
}

import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button, IconButton } from './button.tsx'
import { texts } from './texts.ts'

type CopyButtonProps = {
  readonly name: string
  readonly text: string | (() => string | Promise<string>)
  readonly iconOnly?: boolean
  readonly Icon?: typeof Copy
  /** By which a command finds it. */
  readonly mark?: string
}

/** Says for a moment that it has copied. */
export const CopyButton = ({ name, text, iconOnly = false, Icon = Copy, mark }: CopyButtonProps) => {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 1600)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = () =>
    void Promise.resolve(typeof text === 'string' ? text : text())
      .then((copied) => navigator.clipboard.writeText(copied))
      .then(
        () => setCopied(true),
        () => undefined,
      )
  const icon = copied ? (
    <Check size={14} strokeWidth={1.75} aria-hidden="true" />
  ) : (
    <Icon size={14} strokeWidth={1.75} aria-hidden="true" />
  )
  if (iconOnly) {
    return (
      <IconButton small data-do={mark} name={copied ? texts.inspector.copied : name} onClick={copy}>
        {icon}
      </IconButton>
    )
  }
  return (
    <Button look="ghost" className="copy" title={name} data-do={mark} onClick={copy}>
      {icon}
      <span aria-live="polite">{copied ? texts.inspector.copied : name}</span>
    </Button>
  )
}

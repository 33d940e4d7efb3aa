import { Bug, Check, Copy } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTools } from '../bench/use-bench.ts'
import { useAction } from '../palette/actions.ts'
import type { CommandId } from '../palette/desk.ts'
import { runAfter } from './effects.ts'
import { saveFile } from './files.ts'
import { Button, IconButton } from './primitives.tsx'
import { texts } from './texts.ts'

type CopyButtonProps = {
  readonly name: string
  readonly text: string | (() => string | Promise<string>)
  readonly iconOnly?: boolean
  readonly Icon?: typeof Copy
  readonly command?: CommandId
  readonly said?: Readonly<Record<Done, string>>
}

/** `failed`: the text could not be produced. */
type Done = 'copied' | 'uncopied' | 'failed'

export const CopyButton = ({ name, text, iconOnly = false, Icon = Copy, command, said }: CopyButtonProps) => {
  const [done, setDone] = useState<Done>()
  useEffect(() => {
    return done === undefined ? undefined : runAfter(done === 'copied' ? 1600 : 6000, () => setDone(undefined))
  }, [done])
  const usual = done === 'copied' ? texts.inspector.copied : texts.inspector.copyFailed
  const shown = done === undefined ? name : (said?.[done] ?? usual)
  const copy = () =>
    void Promise.resolve(typeof text === 'string' ? text : text())
      .then(copyText)
      .then(
        (copied) => setDone(copied ? 'copied' : 'uncopied'),
        () => setDone('failed'),
      )
  const place = useRef<HTMLButtonElement>(null)
  // Keeps the width, so that the next element does not move under the pointer between two clicks.
  const [width, setWidth] = useState<number>()
  useAction(command, place, copy)
  const icon = done === 'copied' ? <Check /> : <Icon />
  if (iconOnly) {
    return (
      <IconButton ref={place} data-do={command} name={shown} onClick={copy}>
        {icon}
      </IconButton>
    )
  }
  return (
    <Button
      look="ghost"
      data-part="copy"
      title={name}
      ref={place}
      data-do={command}
      style={done === undefined ? undefined : { minWidth: width }}
      onClick={({ currentTarget }) => {
        if (done === undefined) setWidth(currentTarget.offsetWidth)
        copy()
      }}
    >
      {icon}
      <span aria-live="polite">{shown}</span>
    </Button>
  )
}

type BugReportButtonProps = Pick<CopyButtonProps, 'name' | 'iconOnly' | 'command'> & {
  readonly about: { readonly msg_id: string } | { readonly seq: number }
}

export const BugReportButton = ({ about, ...more }: BugReportButtonProps) => {
  const { api } = useTools()
  const report = async (): Promise<string> => {
    const made = await api.call((client) => client.call('events.agent-report', { query: about }))
    if (!made.ok) return Promise.reject(made.error)
    saveFile(made.value.file, made.value.markdown, 'text/markdown')
    return made.value.markdown
  }
  return <CopyButton {...more} text={report} Icon={Bug} said={texts.bugReport.said} />
}

/** False if the browser forbids it. */
export const copyText = async (text: string): Promise<boolean> => {
  // Browsers provide a clipboard only on localhost or over HTTPS.
  const written = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  )
  return written === true || copySelected(text)
}

/** Fallback without the clipboard API. */
const copySelected = (text: string): boolean => {
  const focused = document.activeElement
  const holder = document.createElement('textarea')
  holder.value = text
  holder.readOnly = true
  holder.className = 'unseen'
  // While a dialog is open, only its content can be selected.
  const place = document.querySelector('dialog[open]') ?? document.body
  place.append(holder)
  holder.select()
  const copied = document.execCommand('copy')
  holder.remove()
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  return copied
}

import { useEffect, useRef, useState } from 'react'
import { useBench, useTools } from '../bench/use-bench.ts'
import { pageName } from '../session.ts'
import { copyText } from '../ui/copy-text.ts'
import { texts } from '../ui/texts.ts'
import type { Screen } from '../ui/title-bar.tsx'
import type { Desk } from './desk.ts'
import { HelpSheet } from './help-sheet.tsx'
import { type Note, Notice } from './notice.tsx'
import { currentUser, focusPane, focusPhone, marked, placeOf } from './page.ts'
import { Palette } from './palette.tsx'
import { commandFor } from './shortcuts.ts'

export type Overlay = 'palette' | 'help'

type CommandsHostProps = {
  readonly presenting: boolean
  readonly overlay: Overlay | undefined
  readonly onOverlay: (overlay: Overlay | undefined) => void
  readonly onScreen: (screen: Screen) => void
}

/** Where keys, palette and the list of keys meet what they work on. */
export const CommandsHost = ({ presenting, overlay, onOverlay, onScreen }: CommandsHostProps) => {
  const { api } = useTools()
  const bench = useBench()
  const [note, setNote] = useState<Note>()

  const ask: Desk['ask'] = (ask) => {
    void api.call(ask).then((result) => {
      if (result.ok) setNote(result.value === undefined ? undefined : { tone: 'ok', text: result.value })
      else setNote({ tone: 'fail', problem: result.error })
    })
    return true
  }
  const desk: Desk = {
    bench,
    user: currentUser(),
    page: pageName(),
    has: (mark) => {
      const control = marked(mark)
      return control !== undefined && !(control instanceof HTMLButtonElement && control.disabled)
    },
    press: (mark) => {
      const control = marked(mark)
      control?.click()
      return control !== undefined
    },
    focus: (mark) => {
      const control = marked(mark)
      control?.focus()
      return control !== undefined
    },
    focusPhone,
    focusPane,
    go: (screen) => {
      onScreen(screen)
      return true
    },
    open: (wanted) => {
      onOverlay(wanted)
      return true
    },
    ask,
    copy: (text) =>
      ask(async (client) => {
        const copied = await text(client)
        if (copied === undefined) return texts.palette.said.noKey
        return (await copyText(copied)) ? texts.palette.said.copied(copied) : texts.palette.said.noClipboard
      }),
  }

  const latest = useRef(desk)
  latest.current = desk
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return
      const hit = commandFor(event, placeOf(event.target, presenting))
      if (hit?.command.run?.({ ...latest.current, user: currentUser() }, hit.nth) === true) event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [presenting])

  return (
    <>
      {overlay === 'palette' ? <Palette desk={desk} onClose={() => onOverlay(undefined)} /> : null}
      {overlay === 'help' ? <HelpSheet presenting={presenting} onClose={() => onOverlay(undefined)} /> : null}
      {note === undefined ? null : <Notice note={note} onGone={() => setNote(undefined)} />}
    </>
  )
}

import { Check, CircleAlert, X } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { runAfter } from '../ui/effects.ts'
import { IconButton } from '../ui/primitives.tsx'
import { texts } from '../ui/texts.ts'
import styles from './notice.module.css'

export type NoticeText = { readonly tone: 'ok' | 'fail'; readonly text: ReactNode }

type NoticeProps = { readonly note: NoticeText; readonly onGone: () => void }

const STAYS_MS = { ok: 4000, fail: 9000 } as const

/** Shows the result of a command that is visible nowhere else. It disappears after a while. */
export const Notice = ({ note, onGone }: NoticeProps) => {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each note has its own time.
  useEffect(() => runAfter(STAYS_MS[note.tone], onGone), [note])
  const Icon = note.tone === 'ok' ? Check : CircleAlert
  return (
    <div
      className={`floating ${styles.notice}`}
      data-part="notice"
      data-tone={note.tone}
      role={note.tone === 'ok' ? 'status' : 'alert'}
    >
      <Icon className="tone" size={15} strokeWidth={2} />
      <p className="breaks">{note.text}</p>
      <IconButton Icon={X} name={texts.errors.dismiss} onClick={onGone} />
    </div>
  )
}

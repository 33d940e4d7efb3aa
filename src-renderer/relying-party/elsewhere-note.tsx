import { Unplug, X } from 'lucide-react'
import { useState } from 'react'
import { refusedElsewhere } from '../bench/rp-view.ts'
import { useBenchPart } from '../bench/use-bench.ts'
import { IconButton } from '../ui/button.tsx'
import { refusalWords } from '../ui/messages.ts'
import { texts } from '../ui/texts.ts'
import styles from './elsewhere-note.module.css'
import rpPartsStyles from './rp-parts.module.css'

type ElsewhereNoteProps = {
  readonly rpId: string
  /** Look into one call. */
  readonly onLook: (seq: number) => void
}

/** A refused call that no page made stands beside the RP's page, never in it, until it is put away. Its reason stands in the inspector. */
export const ElsewhereNote = ({ rpId, onLook }: ElsewhereNoteProps) => {
  const words = texts.rp.elsewhere
  const newAfter = useBenchPart((state) => state.newAfter)
  const [dismissed, setDismissed] = useState(0)
  const refused = useBenchPart(({ timeline }) => refusedElsewhere(timeline, rpId))
  if (refused === undefined || refused.seq <= Math.max(newAfter, dismissed)) return null
  return (
    <aside className={styles.elsewhere} aria-label={words.title} aria-live="polite">
      <Unplug size={14} strokeWidth={1.75} aria-hidden="true" />
      <p>
        {words.lead} <code>{refused.code}</code> {refusalWords({ code: refused.code })}
      </p>
      <button type="button" className={rpPartsStyles.why} onClick={() => onLook(refused.seq)}>
        {texts.rp.failed.why}
      </button>
      <IconButton small name={words.dismiss} onClick={() => setDismissed(refused.seq)}>
        <X size={13} strokeWidth={1.75} aria-hidden="true" />
      </IconButton>
    </aside>
  )
}

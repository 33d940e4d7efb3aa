import { RotateCcw } from 'lucide-react'
import { useEffect, useState } from 'react'
import { waitForAnotherTab } from '../session.ts'
import { useDroppedFile } from '../trace/use-dropped-file.ts'
import { Button } from './button.tsx'
import { Door } from './door.tsx'
import styles from './gate.module.css'
import { HandsetMark } from './marks.tsx'
import { texts } from './texts.ts'

type GateProps = { readonly state: 'opening' | 'none' | 'refused' | 'unreachable' | 'lockedOut' | 'closed' }

/** Where a token or a new code opens the page. */
const HAS_DOOR: ReadonlySet<string> = new Set(['none', 'refused', 'lockedOut'])

/** What the page says while it is not connected to a bench, and what to do about it. */
export const Gate = ({ state }: GateProps) => {
  const hasDoor = HAS_DOOR.has(state)
  useEffect(() => (hasDoor ? waitForAnotherTab() : undefined), [hasDoor])
  if (state === 'opening') {
    return (
      <main className={styles.gate}>
        <p className="unseen">{texts.gate.opening}</p>
      </main>
    )
  }
  const words = texts.gate[state]
  return (
    <main className={styles.gate}>
      <div>
        <HandsetMark size={44} />
        <h1>{words.title}</h1>
        <p>{words.body}</p>
        {'command' in words ? <code>{words.command}</code> : null}
        <Dropped />
        {hasDoor ? <Door /> : null}
        {state === 'closed' ? (
          <Button onClick={() => location.assign('/')}>{texts.gate.toMain}</Button>
        ) : (
          <Button onClick={() => location.reload()}>
            <RotateCcw size={14} strokeWidth={1.75} aria-hidden="true" />
            {texts.gate.retry}
          </Button>
        )}
      </div>
    </main>
  )
}

/** Says what to do with a file. Not while the page opens: the user can drop it again a moment later. */
const Dropped = () => {
  const [dropped, setDropped] = useState(false)
  useDroppedFile(() => setDropped(true))
  return dropped ? <p role="alert">{texts.gate.dropped}</p> : null
}

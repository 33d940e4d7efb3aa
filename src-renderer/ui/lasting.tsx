import { useEffect, useState } from 'react'
import styles from './lasting.module.css'
import { texts } from './texts.ts'

const SHOWN_MS = 300
const SAID_MS = 2000

/** Progress of a slow call: first nothing, then a bar at the element's upper edge, and after two seconds a sentence. */
export const Lasting = ({ busy }: { readonly busy: boolean }) => {
  const [stage, setStage] = useState<'quick' | 'shown' | 'said'>('quick')
  useEffect(() => {
    if (!busy) return
    const shown = setTimeout(() => setStage('shown'), SHOWN_MS)
    const said = setTimeout(() => setStage('said'), SAID_MS)
    return () => {
      clearTimeout(shown)
      clearTimeout(said)
      setStage('quick')
    }
  }, [busy])
  if (!busy || stage === 'quick') return null
  return (
    <div className={styles.lasting} data-part="lasting">
      <div role="progressbar" aria-label={texts.lasting.label} />
      {stage === 'said' ? <p role="status">{texts.lasting.still}</p> : null}
    </div>
  )
}

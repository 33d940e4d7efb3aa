import { ArrowLeft, FileUp } from 'lucide-react'
import { useActions } from '../palette/actions.ts'
import { Button } from '../ui/button.tsx'
import { texts } from '../ui/texts.ts'
import { useTitle } from '../ui/use-address.ts'
import styles from './trace-wanted.module.css'

type TraceWantedProps = { readonly name: string; readonly onLeave: () => void }

/** A link to a trace names a file. The author of the link has that file. */
export const TraceWanted = ({ name, onLeave }: TraceWantedProps) => {
  const words = texts.trace
  const actions = useActions()
  useTitle(`${name} · ${words.one}`)
  return (
    <main className={styles.wanted}>
      <h1>{words.wanted(name)}</h1>
      <p>{words.wantedHelp}</p>
      <div>
        <Button look="primary" autoFocus onClick={() => actions.run('open-trace')}>
          <FileUp size={14} strokeWidth={1.75} aria-hidden="true" />
          {words.choose}
        </Button>
        <Button onClick={onLeave}>
          <ArrowLeft size={14} strokeWidth={1.75} aria-hidden="true" />
          {words.leave}
        </Button>
      </div>
    </main>
  )
}

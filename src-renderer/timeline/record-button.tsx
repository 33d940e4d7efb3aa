import { Circle, Square } from 'lucide-react'
import { useRef, useState } from 'react'
import { useBenchPart } from '../bench/use-bench.ts'
import { useAction } from '../palette/actions.ts'
import { IconButton } from '../ui/button.tsx'
import { saveFile, scenarioFileName } from '../ui/files.ts'
import { language } from '../ui/language.ts'
import { Problem } from '../ui/problem.tsx'
import { texts } from '../ui/texts.ts'
import { useAct } from '../ui/use-asked.ts'
import styles from './record-button.module.css'

/** Records what happens in the workspace, on this page or elsewhere, as a scenario that does it again. */
export const RecordButton = () => {
  const words = texts.timeline.recording
  const workspace = useBenchPart((state) => state.overview?.workspace) ?? 'main'
  const { act, problem } = useAct()
  const [after, setAfter] = useState<number>()
  const button = useRef<HTMLButtonElement>(null)
  const begin = () =>
    act(async (client) => {
      const { last_seq } = await client.call('events.list', { query: { limit: 1, latest: true, brief: true } })
      setAfter(last_seq)
    })
  const save = (from: number) =>
    act(async (client) => {
      const { scenario } = await client.call('events.scenario', { query: { after: from, language } })
      saveFile(scenarioFileName(workspace), scenario, 'application/yaml')
      setAfter(undefined)
    })
  const records = after !== undefined
  const toggle = () => void (records ? save(after) : begin())
  useAction('record', button, toggle)
  useAction('save-scenario', button, () => void save(0))
  const Icon = records ? Square : Circle
  return (
    <>
      <IconButton
        small
        ref={button}
        className={styles.record}
        name={records ? words.save : words.begin}
        aria-pressed={records}
        onClick={toggle}
      >
        <Icon size={13} strokeWidth={1.75} aria-hidden="true" />
      </IconButton>
      {problem === undefined ? null : (
        <div className={styles.problem}>
          <Problem problem={problem} />
        </div>
      )}
    </>
  )
}

import { Download, FileUp } from 'lucide-react'
import { useState } from 'react'
import { useBenchNow, useBenchPart, useTools } from '../bench/use-bench.ts'
import { Button } from '../ui/button.tsx'
import { readWorkspaceFile, saveFile, workspaceFileName } from '../ui/files.ts'
import { Problem } from '../ui/problem.tsx'
import { SectionHead } from '../ui/section-head.tsx'
import { texts } from '../ui/texts.ts'
import { useAct } from '../ui/use-asked.ts'
import consolePageStyles from './console-page.module.css'
import { PickFile } from './pick-file.tsx'
import styles from './workspace-file.module.css'

/** This workspace as one file, to keep or to hand on. */
export const WorkspaceFile = () => {
  const words = texts.console.workspaceFile
  const { api } = useTools()
  const overview = useBenchPart((state) => state.overview)
  const now = useBenchNow()
  const { act, problem } = useAct()
  const [chosen, setChosen] = useState<{ readonly name: string; readonly text: string }>()
  const [said, setSaid] = useState<string>()
  const save = async () => {
    const document = await api.call((client) => client.call('workspace.export'))
    if (!document.ok) return
    const name = workspaceFileName(overview?.workspace ?? 'main', now)
    saveFile(name, JSON.stringify(document.value), 'application/json')
    setSaid(words.saved(name))
  }
  const load = async () => {
    const document = readWorkspaceFile(chosen?.text ?? '')
    if (document === undefined) setSaid(words.notOne)
    else if (await act((client) => client.call('workspace.import', { body: document }))) setSaid(words.loaded)
    else setSaid(undefined)
    setChosen(undefined)
  }
  return (
    <section className={styles.file} aria-label={words.title}>
      <SectionHead title={words.title} />
      <p className={consolePageStyles.lead}>{words.lead}</p>
      <div className={styles.acts}>
        <Button onClick={() => void save()}>
          <Download size={14} strokeWidth={1.75} aria-hidden="true" />
          {words.save}
        </Button>
        <PickFile
          name={words.file}
          accept=".json,.handset"
          onText={(text, name) => {
            setSaid(undefined)
            setChosen({ name, text })
          }}
        >
          <FileUp size={14} strokeWidth={1.75} aria-hidden="true" />
          {words.load}
        </PickFile>
        {chosen === undefined ? null : (
          <Button look="danger" onClick={() => void load()}>
            {words.sure(chosen.name)}
          </Button>
        )}
      </div>
      <Problem problem={problem} />
      {said === undefined ? null : (
        <p className="note" role="status">
          {said}
        </p>
      )}
    </section>
  )
}

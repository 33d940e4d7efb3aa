import { ArrowLeft, FileUp } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useBenchPart, useTools } from '../bench/use-bench.ts'
import { useAction, useActions } from '../palette/actions.ts'
import { Notice, type NoticeText } from '../palette/notice.tsx'
import { saveFile, traceFileName } from '../ui/files.ts'
import { pageNow } from '../ui/page-clock.ts'
import { Button, FileInput, ProblemText } from '../ui/primitives.tsx'
import { texts } from '../ui/texts.ts'
import { useTitle } from '../ui/use-address.ts'
import type { OpenedTrace, OpenProblem } from './open-trace.ts'
import styles from './trace-host.module.css'
import { useDroppedFile } from './use-dropped-file.ts'

type TraceHostProps = {
  /** True during a presentation; files opened meanwhile are shown when it has ended. */
  readonly busy: boolean
  /** The address names a trace that is not open. */
  readonly wanted: { readonly trace: string; readonly name: string } | undefined
  readonly onOpened: (opened: OpenedTrace) => void
  /** Called if the trace cannot be read further, or if the user leaves it. */
  readonly onLeave: () => void
}

export const TraceHost = ({ busy, wanted, onOpened, onLeave }: TraceHostProps) => {
  const words = texts.trace
  const { api } = useTools()
  const workspace = useBenchPart((state) => state.overview?.workspace)
  const input = useRef<HTMLInputElement>(null)
  const anywhere = useRef(document.body)
  const [note, setNote] = useState<NoticeText>()
  const [working, setWorking] = useState<string>()

  const during = async (text: string, work: () => Promise<NoticeText | undefined>) => {
    setNote(undefined)
    setWorking(text)
    setNote(await work())
    setWorking(undefined)
  }
  /** The last file that was opened: only this one is shown, however long each takes to read. */
  const opening = useRef<File>(undefined)
  const open = (file: File) =>
    during(texts.viewer.opening, async () => {
      opening.current = file
      const { openTraceFile } = await import('./open-trace.ts')
      const refused = (problem: OpenProblem): NoticeText => ({
        tone: 'fail',
        text: `${file.name}: ${words.problems[problem]}`,
      })
      const opened = await openTraceFile(file, (problem) => {
        if (opening.current !== file) return
        onLeave()
        setNote(refused(problem))
      })
      if (opening.current !== file) return undefined
      if (!opened.ok) return refused(opened.error)
      onOpened(opened.value)
      const isAnother = wanted !== undefined && wanted.trace !== opened.value.digest
      return isAnother ? { tone: 'fail', text: words.anotherFile(file.name, wanted.name) } : undefined
    })
  // Finds a trace that was opened in this browser before, after a reload or by the history.
  const [missing, setMissing] = useState<string>()
  const digest = wanted?.trace
  const found = useEffectEvent((trace: string, file: File | undefined) => {
    // A newer file was opened meanwhile, or the page was left.
    if (trace !== digest) return
    if (file === undefined) setMissing(trace)
    else void open(file)
  })
  useEffect(() => {
    if (digest === undefined) return
    void import('./kept-traces.ts')
      .then(({ findTrace }) => findTrace(digest, pageNow()))
      .catch(() => undefined)
      .then((file) => found(digest, file))
  }, [digest])
  const save = (id: string) =>
    during(words.saving, async () => {
      const { saveTrace } = await import('../../src-main/sdk/save-trace.ts')
      const saved = Math.round(pageNow())
      const bytes = await api.call((client) => saveTrace(client, { workspace: id, saved }))
      if (!bytes.ok) return { tone: 'fail', text: <ProblemText problem={bytes.error} /> }
      const name = traceFileName(id, saved)
      saveFile(name, bytes.value, 'application/gzip')
      return { tone: 'ok', text: words.saved(name) }
    })
  const idle = working === undefined && !busy
  useAction('open-trace', anywhere, idle ? () => input.current?.click() : undefined)
  useAction('save-trace', anywhere, idle && workspace !== undefined ? () => void save(workspace) : undefined)
  const over = useDroppedFile((file) => void open(file))

  return (
    <>
      {wanted !== undefined && missing === digest ? <TraceWanted name={wanted.name} onLeave={onLeave} /> : null}
      <FileInput ref={input} name={words.file} accept=".handset" onFile={(file) => void open(file)} />
      {over && !busy ? <Hint>{words.drop}</Hint> : null}
      {working === undefined || busy ? null : <Hint>{working}</Hint>}
      {note === undefined || busy ? null : <Notice note={note} onGone={() => setNote(undefined)} />}
    </>
  )
}

const Hint = ({ children }: { readonly children: ReactNode }) => (
  <p className={`floating ${styles.hint}`} role="status">
    {children}
  </p>
)

type TraceWantedProps = { readonly name: string; readonly onLeave: () => void }

/** Asks for the file that a link to a trace names. The author of the link has that file. */
const TraceWanted = ({ name, onLeave }: TraceWantedProps) => {
  const words = texts.trace
  const actions = useActions()
  useTitle(`${name} · ${words.one}`)
  return (
    <main className="column middle gap-8 centre text-center whole-window p-24">
      <h1 className="page-title breaks balanced max-w-560 leading-26">{words.wanted(name)}</h1>
      <p className="muted balanced max-w-460">{words.wantedHelp}</p>
      <div className="flex wraps gap-8 centre mt-12">
        <Button Icon={FileUp} look="primary" autoFocus onClick={() => actions.run('open-trace')} text={words.choose} />
        <Button Icon={ArrowLeft} onClick={onLeave} text={texts.palette.names['leave-trace']} />
      </div>
    </main>
  )
}

import { useEffect, useState } from 'react'
import type { Result } from '../../src-main/protocol/result.ts'
import type { TraceProblem } from '../../src-main/trace/read-trace.ts'
import type { Trace } from '../../src-main/trace/trace.ts'
import { type Choice, judgedRow } from '../bench/selection.ts'
import type { Row } from '../bench/timeline.ts'
import { BenchContext, type BenchTools } from '../bench/use-bench.ts'
import { useSelection } from '../bench/use-selection.ts'
import { InspectorPane, type InspectorTab } from '../inspector/inspector-pane.tsx'
import { ActionsContext, createActions } from '../palette/actions.ts'
import { TimelinePane } from '../timeline/timeline-pane.tsx'
import { texts } from '../ui/texts.ts'
import { Screens } from './screens.tsx'
import { openTraceBench } from './trace-store.ts'
import styles from './trace-view.module.css'

type Opened = { readonly trace: Trace; readonly tools: BenchTools }

/** A trace with the page's own timeline and inspector. */
export const TraceView = ({ load }: { readonly load: () => Promise<Result<Trace, TraceProblem>> }) => {
  const [opened, setOpened] = useState<Opened | TraceProblem>()
  const [actions] = useState(createActions)
  // biome-ignore lint/correctness/useExhaustiveDependencies: who shows another trace shows another view.
  useEffect(() => {
    let current = true
    void load().then((read) => {
      if (!current) return
      setOpened(read.ok ? { trace: read.value, tools: openTraceBench(read.value) } : read.error)
    })
    return () => {
      current = false
    }
  }, [])
  if (opened === undefined) return <p className={styles.note}>{texts.viewer.opening}</p>
  if ('code' in opened) return <p className={styles.note}>{texts.viewer.problems[opened.code]}</p>
  return (
    <ActionsContext value={actions}>
      <BenchContext value={opened.tools}>
        <Screens events={opened.trace.events} />
        <Panes tools={opened.tools} />
      </BenchContext>
    </ActionsContext>
  )
}

const Panes = ({ tools: { store } }: { readonly tools: BenchTools }) => {
  const [chosen, setChosen] = useState<Choice | undefined>(() => firstTrouble(store.getState().timeline))
  const [tab, setTab] = useState<InspectorTab>('steps')
  const selection = useSelection(chosen)
  const select = (row: Row): void => setChosen({ row: row.id })
  const explain = (msgId: string): void => {
    const row = judgedRow(store.getState().timeline, msgId)
    if (row === undefined) return
    select(row)
    setTab('steps')
  }
  return (
    <div className={styles.panes}>
      <TimelinePane
        chosen={chosen}
        onSelect={select}
        onWhy={explain}
        inspecting={chosen !== undefined}
        onInspect={() => setChosen(undefined)}
      />
      {chosen === undefined ? null : (
        <InspectorPane
          selection={selection}
          tab={tab}
          onTab={setTab}
          onIndex={(index) => setChosen({ ...chosen, index })}
          onClose={() => setChosen(undefined)}
          dock="right"
          onDock={() => undefined}
          onRetried={() => undefined}
        />
      )}
    </div>
  )
}

type Timeline = ReturnType<BenchTools['store']['getState']>['timeline']

/** What a reader looks for: the latest answer that was judged bad, else the latest call that was refused. */
const firstTrouble = (timeline: Timeline): Choice | undefined => {
  const rows = [...timeline.groups].flatMap((group) => [...group.rows].map((row) => ({ row, group })))
  const bad = rows.findLast(({ row, group }) => group.message?.judgedIn === row.id && group.message.state === 'fail')
  const found = bad ?? rows.findLast(({ row }) => row.code !== undefined && row.code !== 0)
  return found === undefined ? undefined : { row: found.row.id }
}

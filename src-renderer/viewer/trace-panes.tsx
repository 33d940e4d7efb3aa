import { useContext, useEffect, useRef, useState } from 'react'
import type { BenchEvent } from '../../src-main/core/contract/events.ts'
import type { Row } from '../../src-main/views/timeline/timeline.ts'
import type { BenchState } from '../bench/bench-state.ts'
import { type Choice, choiceOf, judgedRow, rowOfEvent } from '../bench/selection.ts'
import { useTools } from '../bench/use-bench.ts'
import { type Step, useBenchAddress } from '../bench/use-bench-address.ts'
import { useSelection } from '../bench/use-selection.ts'
import { InspectorPane } from '../inspector/inspector-pane.tsx'
import { TimelinePane } from '../timeline/timeline-pane.tsx'
import type { InspectorTab } from '../ui/address.ts'
import { LinkContext } from '../ui/use-address.ts'
import { Screens } from './screens.tsx'
import styles from './trace-view.module.css'

/** The panes of a trace: its screens, timeline and inspector. */
export const TracePanes = ({ screens }: { readonly screens: readonly BenchEvent[] }) => {
  const { store } = useTools()
  useEffect(() => store.start(), [store])
  const [chosen, setChosen] = useState<Choice | undefined>(() => firstTrouble(store.getState().timeline))
  const [tab, setTab] = useState<InspectorTab>('steps')
  const [inspecting, setInspecting] = useState(chosen !== undefined)
  const selection = useSelection(chosen)
  // A first look has no address: it opens the first failure.
  const first = useRef(true)
  const { lost, step } = useBenchAddress({
    screen: useContext(LinkContext),
    shown: inspecting ? chosen : undefined,
    tab,
    onAddress: (choice, part) => {
      if (choice === undefined && first.current) return
      setInspecting(choice !== undefined)
      if (choice !== undefined) setChosen(choice)
      if (part !== undefined) setTab(part)
    },
  })
  useEffect(() => {
    first.current = false
  }, [])
  const select = (row: Row, how: Step = 'push'): void => {
    step(how)
    setChosen({ row: row.id })
    setInspecting(true)
  }
  const panes = useRef<HTMLDivElement>(null)
  // The words above the viewer link to events: `#e12`.
  useEffect(() => {
    const follow = (): void => {
      const seq = /^#e(\d+)$/.exec(location.hash)?.[1]
      const row = seq && rowOfEvent(store.getState().timeline, Number(seq))
      if (!row) return
      setChosen({ row: row.id })
      setInspecting(true)
      panes.current?.scrollIntoView()
    }
    follow()
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [store])
  const explain = (msgId: string): void => {
    const row = judgedRow(store.getState().timeline, msgId)
    if (row === undefined) return
    select(row)
    setTab('steps')
  }
  return (
    <>
      <Screens events={screens} />
      <div ref={panes} className={styles.panes} data-inspecting={inspecting || undefined}>
        <TimelinePane
          chosen={chosen}
          // Rows passed by the arrow keys are no steps of the history.
          onSelect={(row, opened) => select(row, opened ? 'push' : 'replace')}
          onWhy={explain}
          inspecting={inspecting}
          onInspect={() => setInspecting(!inspecting)}
        />
        {inspecting || lost ? (
          <InspectorPane
            lost={lost}
            selection={lost ? undefined : selection}
            tab={tab}
            onTab={setTab}
            onIndex={(index) => chosen !== undefined && setChosen({ ...chosen, index })}
            onClose={() => {
              step('push')
              setInspecting(false)
            }}
            onLook={(seq, part) => {
              const choice = choiceOf(store.getState().timeline, { seq })
              if (choice === undefined) return
              step('push')
              setChosen(choice)
              setTab(part)
            }}
            dock="right"
            onDock={() => undefined}
            onRetried={() => undefined}
          />
        ) : null}
      </div>
    </>
  )
}

/** The first row to show: the latest request that failed, where it did, else the latest refused call. */
const firstTrouble = ({ groups }: BenchState['timeline']): Choice | undefined => {
  let refused: Choice | undefined
  for (let place = groups.end - 1; place >= groups.first; place--) {
    const group = groups.get(place)
    if (group?.message?.state === 'fail') {
      const row = group.message.judgedIn ?? group.rows.findLast(({ moved }) => moved === 'fail')?.id
      if (row !== undefined) return { row }
    }
    if (refused !== undefined) continue
    const row = group?.rows.findLast(({ code }) => code !== undefined && code !== 0)
    if (row !== undefined) refused = { row: row.id }
  }
  return refused
}

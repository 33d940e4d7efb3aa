import { FileSearch, Landmark, RadioTower, Smartphone } from 'lucide-react'
import { useRef, useState } from 'react'
import { InspectorPane, type InspectorTab } from '../inspector/inspector-pane.tsx'
import { Phones } from '../phone/phones.tsx'
import { RpWindow } from '../relying-party/rp-window.tsx'
import { TimelinePane } from '../timeline/timeline-pane.tsx'
import { texts } from '../ui/texts.ts'
import { judgedRow, selectionOf } from './selection.ts'
import { useBench, useTools } from './use-bench.ts'

/** What is shown on a narrow screen, where there is room for one thing at a time. */
type Pane = 'rp' | 'phones' | 'timeline' | 'inspect'

const PANES = [
  { pane: 'rp', Icon: Landmark },
  { pane: 'phones', Icon: Smartphone },
  { pane: 'timeline', Icon: RadioTower },
  { pane: 'inspect', Icon: FileSearch },
] as const satisfies readonly { readonly pane: Pane; readonly Icon: typeof Landmark }[]

export const BenchScreen = () => {
  const { timeline, rps, phones } = useBench()
  const { store } = useTools()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [watched, setWatched] = useState(false)
  const [rpId, setRpId] = useState<string>()
  const [chosen, setChosen] = useState<{ readonly row: number; readonly index?: number }>()
  const [tab, setTab] = useState<InspectorTab>('request')
  const [inspecting, setInspecting] = useState(false)
  const [pane, setPane] = useState<Pane>('rp')
  const rp = rps.find(({ id }) => id === rpId) ?? rps[0]
  const selection = selectionOf(timeline, chosen, store.lookUp)

  const select = (row: number, part?: InspectorTab) => {
    setChosen({ row })
    setInspecting(true)
    if (part !== undefined) setTab(part)
  }
  const explain = (msgId: string) => {
    const row = judgedRow(timeline, msgId, store.lookUp)
    if (row === undefined) return
    select(row.id, 'steps')
    setPane('inspect')
    document.getElementById(`row-${row.id}`)?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <>
      <main className="body" data-pane={pane}>
        <h1 className="unseen">{texts.frame.bench}</h1>
        <div className="bench">
          {rp === undefined ? (
            <p className="empty">{rps.length === 0 ? '' : texts.rp.none}</p>
          ) : (
            <RpWindow
              key={rp.id}
              rp={rp}
              rps={rps}
              onPickRp={setRpId}
              canvas={canvas}
              watched={watched}
              onWhy={explain}
            />
          )}
          <Phones canvas={canvas} onWatch={setWatched} />
        </div>
        <TimelinePane
          selected={chosen?.row}
          onSelect={(row) => select(row.id)}
          onWhy={explain}
          inspecting={inspecting}
          onInspect={() => setInspecting((open) => !open)}
        />
        {inspecting || pane === 'inspect' ? (
          <InspectorPane
            selection={selection}
            tab={tab}
            onTab={setTab}
            onIndex={(index) => chosen !== undefined && setChosen({ ...chosen, index })}
            onClose={() => setInspecting(false)}
          />
        ) : null}
      </main>
      <nav className="mobile-tabs" aria-label={texts.frame.panes}>
        {PANES.map(({ pane: each, Icon }) => (
          <button
            key={each}
            type="button"
            aria-current={each === pane ? 'page' : undefined}
            onClick={() => setPane(each)}
          >
            <Icon size={21} strokeWidth={1.6} aria-hidden="true" />
            {texts.frame.mobile[each]}
            {each === 'phones' && phones.some((phone) => phone.notifications.length > 0 || phone.prompts.length > 0) ? (
              <i />
            ) : null}
          </button>
        ))}
      </nav>
    </>
  )
}

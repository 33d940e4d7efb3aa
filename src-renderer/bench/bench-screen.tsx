import { FileSearch, Landmark, RadioTower, Smartphone } from 'lucide-react'
import { useRef, useState } from 'react'
import type { ExchangeEvent } from '../../src-main/protocol/exchange-event.ts'
import { type Dock, InspectorPane, type InspectorTab } from '../inspector/inspector-pane.tsx'
import { Phones } from '../phone/phones.tsx'
import { RpWindow } from '../relying-party/rp-window.tsx'
import { TimelinePane } from '../timeline/timeline-pane.tsx'
import { texts } from '../ui/texts.ts'
import { judgedRow, selectionOf } from './selection.ts'
import { useBench, useTools } from './use-bench.ts'

/** The RP's signature is what such a row is about. */
const wasSignedWrong = (event: ExchangeEvent | undefined): boolean =>
  event?.kind === 'exchange' && event.response.code === 40104

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
  const [dock, setDock] = useState<Dock>('bottom')
  const [explaining, setExplaining] = useState(false)
  const [pane, setPane] = useState<Pane>('rp')
  const rp = rps.find(({ id }) => id === rpId) ?? rps[0]
  const selection = selectionOf(timeline, chosen, store.lookUp)

  const select = (row: number, part?: InspectorTab) => {
    setChosen({ row })
    setInspecting(true)
    if (part !== undefined) setTab(part)
    else if (wasSignedWrong(store.lookUp(row))) {
      setTab('signature')
      setExplaining(true)
    }
  }
  const close = () => {
    setInspecting(false)
    setExplaining(false)
  }
  const explain = (msgId: string) => {
    const row = judgedRow(timeline, msgId, store.lookUp)
    if (row === undefined) return
    select(row.id, 'steps')
    setExplaining(true)
    setPane('inspect')
    document.getElementById(`row-${row.id}`)?.scrollIntoView({ block: 'nearest' })
  }
  const look = (seq: number) => {
    const row = timeline.groups.flatMap(({ rows }) => rows).find(({ seqs }) => seqs.includes(seq))
    if (row === undefined) return
    select(row.id)
    setPane('inspect')
  }
  // Explanations stand beside the bench, whatever the inspector's usual place is.
  const shownDock: Dock = explaining ? 'right' : dock
  return (
    <>
      <main className="body" data-pane={pane} data-dock={inspecting ? shownDock : undefined}>
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
              onLook={look}
            />
          )}
          <Phones canvas={canvas} onWatch={setWatched} />
        </div>
        <TimelinePane
          selected={chosen?.row}
          onSelect={(row) => select(row.id)}
          onWhy={explain}
          inspecting={inspecting}
          onInspect={() => (inspecting ? close() : setInspecting(true))}
        />
        {inspecting || pane === 'inspect' ? (
          <InspectorPane
            selection={selection}
            tab={tab}
            onTab={setTab}
            onIndex={(index) => chosen !== undefined && setChosen({ ...chosen, index })}
            onClose={close}
            dock={shownDock}
            onDock={(wanted) => {
              setDock(wanted)
              setExplaining(false)
            }}
            onRetried={({ rpId: asked }) => {
              close()
              setRpId(asked)
              setPane('rp')
            }}
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

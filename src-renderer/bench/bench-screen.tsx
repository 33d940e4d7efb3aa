import { FileSearch, Landmark, RadioTower, Smartphone } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { type Dock, InspectorPane, type InspectorTab } from '../inspector/inspector-pane.tsx'
import { Phones } from '../phone/phones.tsx'
import { RpWindow } from '../relying-party/rp-window.tsx'
import { TimelinePane } from '../timeline/timeline-pane.tsx'
import { texts } from '../ui/texts.ts'
import { judgedRow, selectionOf } from './selection.ts'
import { findRow, type Row } from './timeline.ts'
import { useBench, useTools } from './use-bench.ts'

/** The RP's signature is what a row with this code is about. */
const SIGNED_WRONG = 40104

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

  // What the page does not have any more is asked for.
  const missing = selection?.seqs.filter((seq) => store.lookUp(seq) === undefined).join() ?? ''
  useEffect(() => {
    if (missing !== '') store.want(missing.split(',').map(Number))
  }, [missing, store])

  const cameFrom = useRef<Element>(null)
  const select = (row: Row, part?: InspectorTab) => {
    if (!inspecting) cameFrom.current = document.activeElement
    setChosen({ row: row.id })
    setInspecting(true)
    if (part !== undefined) setTab(part)
    else if (row.code === SIGNED_WRONG) {
      setTab('signature')
      setExplaining(true)
    } else if (row.code !== undefined && row.code !== 0) setTab('overview')
  }
  // What had the focus before the inspector opened has it again, once the inspector is gone.
  useEffect(() => {
    if (inspecting || document.activeElement !== document.body) return
    if (cameFrom.current instanceof HTMLElement && cameFrom.current.isConnected) cameFrom.current.focus()
  }, [inspecting])
  const close = () => {
    setInspecting(false)
    setExplaining(false)
  }
  const explain = (msgId: string) => {
    const row = judgedRow(timeline, msgId)
    if (row === undefined) return
    select(row, 'steps')
    setExplaining(true)
    setPane('inspect')
  }
  const look = (seq: number) => {
    const row = findRow(timeline, seq)?.row
    if (row === undefined) return
    select(row)
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
          <Phones
            canvas={canvas}
            onWatch={setWatched}
            about={explaining ? selection?.group.message?.deviceId : undefined}
          />
        </div>
        <TimelinePane
          chosen={chosen}
          onSelect={(row) => select(row)}
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
            data-tab={each}
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

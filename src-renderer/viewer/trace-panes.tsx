import { useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { encode } from 'uqr'
import type { BenchEvent, PhoneFact } from '../../src-main/core/contract/events.ts'
import { phoneText } from '../../src-main/core/contract/phone-trouble.ts'
import type { TraceHeader } from '../../src-main/core/contract/trace.ts'
import type { Row } from '../../src-main/views/timeline/timeline.ts'
import type { BenchState } from '../bench/bench-state.ts'
import { findChoice, judgedRow, type RowChoice, rowOfEvent, useSelection } from '../bench/selection.ts'
import { useTools } from '../bench/use-bench.ts'
import { type Step, useBenchAddress } from '../bench/use-bench-address.ts'
import { InspectorPane } from '../inspector/inspector-pane.tsx'
import { TimelinePane } from '../timeline/timeline-pane.tsx'
import type { InspectorTab } from '../ui/address.ts'
import { onWindow } from '../ui/effects.ts'
import { messages } from '../ui/messages.ts'
import { texts } from '../ui/texts.ts'
import { LinkContext } from '../ui/use-address.ts'
import styles from './trace-panes.module.css'

export const TracePanes = ({ screens }: { readonly screens: readonly BenchEvent[] }) => {
  const { store } = useTools()
  useEffect(() => store.start(), [store])
  const [chosen, setChosen] = useState<RowChoice | undefined>(() => firstTrouble(store.getState().timeline))
  const [tab, setTab] = useState<InspectorTab>('steps')
  const [inspecting, setInspecting] = useState(chosen !== undefined)
  const selection = useSelection(chosen)
  // Without an address, the page opens with the first failure.
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
  // The text above the viewer links to events, e.g. `#e12`.
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
    return onWindow('hashchange', follow)
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
      <div
        ref={panes}
        className={`${styles.panes} grid grow shortens line-above`}
        data-inspecting={inspecting || undefined}
      >
        <TimelinePane
          chosen={chosen}
          // Rows selected with the arrow keys add no history entries.
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
              const choice = findChoice(store.getState().timeline, { seq })
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

/** The first row to show: where the latest failed request failed, otherwise the latest refused call. */
const firstTrouble = ({ groups }: BenchState['timeline']): RowChoice | undefined => {
  let refused: RowChoice | undefined
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

/** Maximum number of screens shown; users do not look through more. */
const MAX_SCREENS = 60

type Shown = { readonly seq: number; readonly wall: number } & (
  | { readonly code: string; readonly of: string }
  | { readonly phone: NonNullable<PhoneFact['phone']> }
)

const Screens = ({ events }: { readonly events: readonly BenchEvent[] }) => {
  const shown = useMemo(() => shownIn(events).slice(-MAX_SCREENS), [events])
  const began = events[0]?.wall ?? 0
  const section = useRef<HTMLElement>(null)
  // The last screen shows the failure.
  useLayoutEffect(() => {
    // A current Chromium returns a promise, which must not become the effect's cleanup.
    section.current?.scrollTo({ left: section.current.scrollWidth })
  }, [])
  if (shown.length === 0) return null
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
    <section ref={section} className={styles.screens} aria-label={texts.viewer.screens} tabIndex={0}>
      {shown.map((one) => (
        <figure className={`column rigid ${'code' in one ? 'w-128' : 'w-184'}`} key={one.seq}>
          {'code' in one ? <Code text={one.code} /> : <PhoneCard phone={one.phone} />}
          <figcaption className="tiny muted breaks">
            {'code' in one ? one.of : one.phone.name} · +{((one.wall - began) / 1000).toFixed(2)} s
          </figcaption>
        </figure>
      ))}
    </section>
  )
}

const shownIn = (events: readonly BenchEvent[]): readonly Shown[] => {
  const screens = new Map<string, string>()
  return events.flatMap((event): readonly Shown[] => {
    const { seq, wall } = event
    if (event.kind === 'message' && event.from === undefined && event.method !== 'push') {
      return [{ seq, wall, code: event.url, of: event.username }]
    }
    if (event.kind !== 'phone' || event.phone === undefined) return []
    const { phone } = event
    const look = JSON.stringify(phone.screen)
    if (screens.get(phone.id) === look || phone.screen.kind === 'lock') return []
    screens.set(phone.id, look)
    return [{ seq, wall, phone }]
  })
}

const Code = ({ text }: { readonly text: string }) => {
  const { size, data } = encode(text, { ecc: 'M', border: 4 })
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg
      className="rounded-8 bg-qr-paper w-128 h-112"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={texts.viewer.code}
      shapeRendering="crispEdges"
    >
      <path d={path} fill="var(--qr-ink)" />
    </svg>
  )
}

const PhoneCard = ({ phone: { screen } }: { readonly phone: NonNullable<PhoneFact['phone']> }) => {
  const prompt = 'prompt' in screen ? screen.prompt : undefined
  const bad = screen.kind === 'problem' || screen.kind === 'refused'
  return (
    <div className={`${styles.phone} column grow small breaks rounded-8 px-10 py-8`} data-bad={bad || undefined}>
      <b>{texts.viewer.screen[screen.kind]}</b>
      {prompt === undefined ? null : (
        <>
          <span>{prompt.rp.name}</span>
          <span>{prompt.user.username}</span>
        </>
      )}
      {bad ? <span>{phoneText(messages, screen)}</span> : null}
    </div>
  )
}

export const TraceNotes = ({ header: { began_earlier, note } }: { readonly header: TraceHeader }) => {
  if ((began_earlier ?? note) === undefined) return null
  return (
    <div className="grid rigid line-below muted gap-2 px-16 py-6" role="note">
      {began_earlier === undefined ? null : <p className="row gap-6 breaks">{messages.traceNotes.began_earlier}</p>}
      {note === undefined ? null : <p className="row gap-6 breaks">{note}</p>}
    </div>
  )
}

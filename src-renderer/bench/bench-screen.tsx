import { FileSearch, Landmark, RadioTower, Smartphone, X, Zap } from 'lucide-react'
import { lazy, type ReactNode, type RefObject, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import type { ArmedServiceFault } from '../../src-main/core/contract/control/service-fault-routes.ts'
import type { ControlPhone } from '../../src-main/core/contract/control/states.ts'
import type { ControlClient } from '../../src-main/sdk/client.ts'
import { findRow, groupOf, type Row } from '../../src-main/views/timeline/timeline.ts'
import { type Dock, InspectorPane } from '../inspector/inspector-pane.tsx'
import { useAction } from '../palette/actions.ts'
import { connectingNow, currentUser, focusPhone } from '../palette/page.ts'
import { Phones } from '../phone/phones.tsx'
import { RpWindow } from '../relying-party/rp-window.tsx'
import { pageName } from '../session.ts'
import { Direction } from '../timeline/direction.tsx'
import { TimelinePane } from '../timeline/timeline-pane.tsx'
import type { InspectorTab } from '../ui/address.ts'
import { decimalNumber } from '../ui/format.ts'
import { faultText, serviceFaultText } from '../ui/messages.ts'
import { Problem, QuietButton } from '../ui/primitives.tsx'
import { texts } from '../ui/texts.ts'
import { navigateTo, useAddress, useTitle } from '../ui/use-address.ts'
import { useRunAction } from '../ui/use-asked.ts'
import styles from './bench-screen.module.css'
import { findChoice, judgedRow, type RowChoice, useSelection } from './selection.ts'
import { useBenchPart, useTools } from './use-bench.ts'
import { type Step, useBenchAddress } from './use-bench-address.ts'
import { selectionTitle } from './words.ts'

type FirstSteps = {
  /** The bench's element: commands are offered while it is visible. */
  readonly place: RefObject<HTMLElement | null>
  /** Directs the user to the RP’s page and the phone. */
  readonly onTry: () => void
}

/** Three ways to begin: shown over the timeline until an RP calls, or when opened from the palette. */
const useFirstSteps = ({ place, onTry }: FirstSteps): ReactNode => {
  const fresh = useBenchPart(
    ({ connection, timeline }) => connection === 'live' && timeline.from === undefined && !timeline.own.any,
  )
  const phones = useBenchPart((state) => state.phones.length)
  const [wanted, setWanted] = useState(false)
  const { act, problem } = useRunAction()
  useAction('first-steps', place, () => {
    setWanted(true)
    navigateTo({ screen: 'bench' })
  })
  if (!fresh && !wanted) return undefined
  const tryIt = async () => {
    const user = currentUser()
    if (user === undefined) return
    const done = await act(async (client) => {
      if (phones === 0) await client.call('phones.create', { body: { name: texts.phone.names[0] } })
      await client.call('simulator.register', {
        params: { rp: user.rpId },
        body: { user_id: user.userId, username: user.username, asked_by: pageName() },
      })
    })
    if (!done) return
    setWanted(false)
    onTry()
    focusPhone(0)
  }
  return (
    <>
      <Direction
        onTry={() => void tryIt()}
        onConnect={() => navigateTo({ screen: 'bench', connect: connectingNow() })}
        onShow={() => navigateTo({ screen: 'presenter', chapter: 'key', opening: true })}
        onHide={fresh ? undefined : () => setWanted(false)}
      />
      <Problem problem={problem} />
    </>
  )
}

type Lie = ReturnType<typeof lieOfService> | ReturnType<typeof faultsOfPhone>[number]

/** Above the panes, so that users expect wrong answers. */
const ArmedFaults = () => {
  const words = texts.frame.lies
  const ofService = useBenchPart((state) => state.armedFaults)
  const phones = useBenchPart((state) => state.phones)
  const { act, problem } = useRunAction()
  const faults = [...ofService.map(lieOfService), ...phones.flatMap(faultsOfPhone)]
  if (faults.length === 0) return null
  const disarm = (which: readonly Lie[]) =>
    void act(async (client) => {
      for (const each of which) await each.disarm(client)
    })
  return (
    <section
      className={`${styles.lies} whole-row small fault scrolls bg-fault-soft rounded-9 max-h-92 mt-10`}
      data-part="armed-lies"
      aria-label={words.title}
    >
      {faults.map((lie) => (
        <p key={lie.id}>
          <Zap size={13} strokeWidth={2} />
          <span className="fill clip" title={`${lie.what} (${lie.fault})`}>
            {lie.often} <b className="weight-560">{lie.what}</b> {lie.whom}
          </span>
          <QuietButton
            Icon={X}
            size={13}
            aria-label={texts.phone.armed.disarm(lie.fault)}
            onClick={() => disarm([lie])}
            text={words.disarm}
          />
        </p>
      ))}
      {faults.length < 2 ? null : (
        <p>
          <QuietButton className="push-right" onClick={() => disarm(faults)} text={words.disarmAll(faults.length)} />
        </p>
      )}
      <Problem problem={problem} />
    </section>
  )
}

const lieOfService = (lie: ArmedServiceFault) => ({
  id: lie.id,
  fault: lie.fault,
  often: howOften(texts.frame.lies.service, lie),
  what: serviceFaultText(lie.fault),
  whom: Object.values(lie.scope ?? {}).join(' '),
  disarm: (client: ControlClient) => client.call('service.disarm', { params: { id: lie.id } }),
})

const faultsOfPhone = ({ id, name, faults }: ControlPhone) =>
  faults.map((lie) => ({
    id: lie.id,
    fault: lie.fault,
    often: howOften(texts.frame.lies.phone(name), lie),
    what: faultText(lie.fault),
    whom: '',
    disarm: (client: ControlClient) => client.call('phones.disarm', { params: { id, fault_id: lie.id } }),
  }))

const howOften = (who: string, { left, probability = 1 }: Pick<ArmedServiceFault, 'left' | 'probability'>): string => {
  const words = texts.frame.lies
  if (left === undefined)
    return probability === 1 ? words.always(who) : words.chance(who, decimalNumber(probability * 100))
  return left === 1 ? words.once(who) : words.more(who, left)
}

const ResendView = lazy(async () => ({ default: (await import('../resend/resend-view.tsx')).ResendView }))

/** Error code for an invalid RP signature. */
const SIGNED_WRONG = 40104

/** Loaded on demand: few users open it, and it contains programs in seven languages. */
const ConnectPane = lazy(() => import('../connect/connect-pane.tsx').then((part) => ({ default: part.ConnectPane })))

const PANES = [
  { pane: 'rp', Icon: Landmark },
  { pane: 'phones', Icon: Smartphone },
  { pane: 'timeline', Icon: RadioTower },
  { pane: 'inspect', Icon: FileSearch },
] as const

/** The pane shown on a narrow screen, which has room for one. */
type Pane = (typeof PANES)[number]['pane']

export const BenchScreen = ({ shown }: { readonly shown: boolean }) => {
  const rps = useBenchPart((state) => state.rps)
  const { store } = useTools()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [watched, setWatched] = useState(false)
  const [rpId, setRpId] = useState<string>()
  const [chosen, setChosen] = useState<RowChoice>()
  const [tab, setTab] = useState<InspectorTab>('request')
  const [inspecting, setInspecting] = useState(false)
  const [dock, setDock] = useState<Dock>('bottom')
  const [explaining, setExplaining] = useState(false)
  const [pane, setPane] = useState<Pane>('rp')
  const main = useRef<HTMLElement>(null)
  const address = useAddress()
  const connect = address.screen === 'bench' ? address.connect : undefined
  const connecting = connect !== undefined
  const [wasConnecting, setWasConnecting] = useState(false)
  if (connecting !== wasConnecting) {
    setWasConnecting(connecting)
    if (connecting) setPane('timeline')
  }
  const firstSteps = useFirstSteps({ place: main, onTry: () => setPane('rp') })
  const rp = rps.find(({ id }) => id === rpId) ?? rps[0]
  const selection = useSelection(chosen)
  const { lost, step } = useBenchAddress({
    screen: 'bench',
    shown: inspecting ? chosen : undefined,
    tab,
    onAddress: (choice, part = 'overview') => {
      setInspecting(choice !== undefined)
      setExplaining(choice !== undefined && part === 'steps')
      if (choice === undefined) return
      setChosen(choice)
      setTab(part)
      setPane('inspect')
    },
  })
  const title = connecting
    ? texts.connect.title
    : inspecting && selection !== undefined
      ? selectionTitle(selection)
      : texts.frame.bench
  useTitle(shown ? title : undefined)

  // When the inspector closes, the focus returns to this element.
  const cameFrom = useRef<Element>(null)
  useEffect(() => {
    if (inspecting) cameFrom.current = document.activeElement
    else if (document.activeElement !== document.body) return
    else if (cameFrom.current instanceof HTMLElement && cameFrom.current.isConnected) cameFrom.current.focus()
  }, [inspecting])
  const select = useCallback(
    (row: Row, part?: InspectorTab, how: Step = 'push') => {
      step(how)
      setChosen({ row: row.id })
      setInspecting(true)
      if (part !== undefined) setTab(part)
      else if (row.code === SIGNED_WRONG) {
        setTab('signature')
        setExplaining(true)
      } else if (row.code !== undefined && row.code !== 0) setTab('overview')
    },
    [step],
  )
  const selectRow = useCallback(
    (row: Row, opened?: true) => {
      // Rows selected with the arrow keys add no history entries.
      select(row, undefined, opened ? 'push' : 'replace')
      if (opened) setPane('inspect')
    },
    [select],
  )
  const close = () => {
    step('push')
    if (pane === 'inspect') setPane('timeline')
    setInspecting(false)
    setExplaining(false)
  }
  const explain = useCallback(
    (msgId: string) => {
      const { timeline } = store.getState()
      const reaction = groupOf(timeline, msgId)?.message?.told
      const row = reaction === undefined ? judgedRow(timeline, msgId) : findRow(timeline, reaction.seq)?.row
      if (row === undefined) return
      select(row, reaction === undefined ? 'steps' : 'overview')
      setExplaining(true)
      setPane('inspect')
    },
    [store, select],
  )
  const look = (seq: number) => {
    const row = findRow(store.getState().timeline, seq)?.row
    if (row === undefined) return
    select(row)
    setPane('inspect')
  }
  const lookInto = (seq: number, part: InspectorTab) => {
    const choice = findChoice(store.getState().timeline, { seq })
    // An event that the page does not have is fetched by its address.
    if (choice === undefined) return navigateTo({ screen: 'bench', about: { seq, tab: part } })
    step('push')
    setChosen(choice)
    setTab(part)
  }
  const shownDock: Dock = explaining ? 'right' : dock
  return (
    <>
      <main
        ref={main}
        className={`${styles.body} grid shortens`}
        data-pane={pane}
        data-dock={inspecting || lost ? shownDock : undefined}
        data-connecting={connecting || undefined}
      >
        <h1 className="unseen">{texts.frame.bench}</h1>
        <div className={`${styles.bench} grid shrinks cut bg-bench`}>
          <ArmedFaults />
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
          <Phones canvas={canvas} onWatch={setWatched} about={explaining ? selection?.message?.deviceId : undefined} />
        </div>
        {connect === undefined ? (
          <TimelinePane
            chosen={chosen}
            onSelect={selectRow}
            onWhy={explain}
            direction={firstSteps}
            inspecting={inspecting}
            onInspect={() => (inspecting ? close() : setInspecting(true))}
          />
        ) : (
          <Suspense fallback={<section className="pane" data-part="timeline" aria-label={texts.connect.title} />}>
            <ConnectPane
              connect={connect}
              onClose={() => navigateTo({ screen: 'bench' })}
              onWhy={explain}
              onLook={look}
            />
          </Suspense>
        )}
        {inspecting || lost || pane === 'inspect' ? (
          <InspectorPane
            lost={lost}
            selection={lost ? undefined : selection}
            tab={tab}
            onTab={setTab}
            onIndex={(index) => chosen !== undefined && setChosen({ ...chosen, index })}
            onClose={close}
            dock={shownDock}
            onLook={lookInto}
            edit={(exchange, links) => (
              <Suspense>
                <ResendView exchange={exchange} {...links} />
              </Suspense>
            )}
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
      <nav className={styles.mobileTabs} data-part="mobile-tabs" aria-label={texts.frame.panes}>
        {PANES.map(({ pane: each, Icon }) => (
          <button
            key={each}
            className="column middle centre gap-4 small muted weight-530 relative"
            type="button"
            data-tab={each}
            aria-current={each === pane ? 'page' : undefined}
            onClick={() => setPane(each)}
          >
            <Icon size={21} strokeWidth={1.6} />
            {texts.frame.mobile[each]}
            {each === 'phones' ? <PhonesAsked /> : null}
            {each === 'rp' ? <ArmedMark /> : null}
          </button>
        ))}
      </nav>
    </>
  )
}

/** Shows that a phone is waiting for its user. */
const PhonesAsked = () => {
  const asked = useBenchPart(({ phones }) =>
    phones.some(({ notifications, prompts }) => notifications.length > 0 || prompts.length > 0),
  )
  return asked ? <i /> : null
}

/** Shows that an armed fault will change an answer; the strip above this pane names the fault. */
const ArmedMark = () => {
  const armed = useBenchPart(
    ({ armedFaults, phones }) => armedFaults.length > 0 || phones.some(({ faults }) => faults.length > 0),
  )
  return armed ? <i data-tone="fault" role="img" aria-label={texts.frame.lies.title} /> : null
}

import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import styles from './app.module.css'
import { BenchScreen } from './bench/bench-screen.tsx'
import { useBenchPart, useTools } from './bench/use-bench.ts'
import { ConsoleScreen } from './console/console-screen.tsx'
import { useBreakTarget } from './faults/breaking.ts'
import { InspectHost } from './inspect/inspect-host.tsx'
import { usePasted } from './inspect/use-pasted.ts'
import { ActionsContext, createActions, useAction } from './palette/actions.ts'
import { CommandsHost, type Overlay } from './palette/commands-host.tsx'
import { TraceHost } from './trace/trace-host.tsx'
import { TraceScreen } from './trace/trace-screen.tsx'
import { useOpenedTrace } from './trace/use-opened-trace.ts'
import type { Address } from './ui/address.ts'
import { DeletionsHost } from './ui/deletions.tsx'
import { Gate } from './ui/gate.tsx'
import { Lasting } from './ui/primitives.tsx'
import { StatusBar, Stopped } from './ui/status-bar.tsx'
import { type Screen, TitleBar } from './ui/title-bar.tsx'
import { navigateTo, useAddress } from './ui/use-address.ts'
import { useIsBusy } from './ui/use-asked.ts'

const PresenterScreen = lazy(async () => ({
  default: (await import('./presenter/presenter-screen.tsx')).PresenterScreen,
}))
const NotesScreen = lazy(async () => ({ default: (await import('./presenter/notes-screen.tsx')).NotesScreen }))

export const App = () => {
  const { store } = useTools()
  const connection = useBenchPart((state) => state.connection)
  const asking = useIsBusy()
  const [actions] = useState(createActions)
  const address = useAddress()
  useEffect(() => store.start(), [store])
  const [overlay, setOverlay] = useState<Overlay>()
  const presenting = address.screen === 'presenter'
  // Leaving the presentation returns to this address.
  const [before, setBefore] = useState(address)
  if (!presenting && before !== address) setBefore(address)
  const screen: Screen = address.screen === 'console' || address.screen === 'inspect' ? address.screen : 'bench'
  const [bench, setBench] = useState<Address>({ screen: 'bench' })
  if (address.screen === 'bench' && bench !== address) setBench(address)
  // The workspace's last address, kept while a trace is open.
  const [below, setBelow] = useState<Address>(bench)
  // An open trace stays open while Inspect is shown over it.
  const [traced, setTraced] = useState<Address>()
  const tracing = address.screen === 'trace'
  const inspecting = address.screen === 'inspect'
  if (tracing && traced !== address) setTraced(address)
  if (!tracing && !inspecting && !presenting && traced !== undefined) setTraced(undefined)
  const overTrace = inspecting && traced !== undefined
  if (!presenting && !tracing && !overTrace && below !== address) setBelow(address)
  const leave = () => traces.goToWaiting() || navigateTo(before.screen === 'presenter' ? bench : before)
  const present = () => navigateTo({ screen: 'presenter', chapter: 'key', opening: true })
  const show = (wanted: Screen) => navigateTo(wanted === 'bench' ? bench : { screen: wanted })
  const { trace, wanted: wantedTrace, ...traces } = useOpenedTrace(address)
  // An audience must not see what the presenter copied.
  usePasted(!presenting, () => show('inspect'))
  if (presenting && address.notes === true) {
    return (
      <Suspense>
        <NotesScreen chapter={address.chapter} />
      </Suspense>
    )
  }
  // A trace needs no bench.
  if (!tracing && connection === 'locked-out') return <Gate state="lockedOut" />
  if (!tracing && connection === 'closed') return <Gate state="closed" />
  return (
    <ActionsContext value={actions}>
      <DeletionsHost>
        {(deletions) => (
          <>
            {/* The bench stays as it was, with its choices, while the console is open or something is presented. */}
            <div className={`${styles.app} grid`} hidden={presenting || tracing}>
              <TitleBar screen={screen} onScreen={show} onPalette={() => setOverlay('palette')} onPresent={present} />
              <div className={styles.screen} hidden={screen !== 'bench'}>
                <BenchScreen shown={address.screen === 'bench'} />
              </div>
              {address.screen === 'console' ? <ConsoleScreen place={address.place} /> : null}
              {inspecting ? <InspectHost {...(overTrace ? { onTrace: () => navigateTo(traced) } : {})} /> : null}
              <Lasting busy={asking} />
              {deletions}
              <StatusBar />
              {connection === 'lost' ? <Stopped onRetry={store.retryNow} /> : null}
            </div>
            {presenting ? (
              <Suspense fallback={<LeaveOpening onLeave={leave} />}>
                <PresenterScreen chapter={address.chapter} opening={address.opening === true} onLeave={leave} />
              </Suspense>
            ) : null}
            <TraceHost
              busy={presenting}
              wanted={wantedTrace}
              onOpened={traces.opened}
              onLeave={() => navigateTo(below)}
            />
            <BreakHost />
            <CommandsHost
              scene={presenting ? 'presenter' : tracing ? 'trace' : 'bench'}
              recorded={trace?.tools.store}
              overlay={overlay}
              onOverlay={setOverlay}
              onScreen={show}
              onPresent={present}
            />
          </>
        )}
      </DeletionsHost>
      {trace === undefined ? null : <TraceScreen key={trace.digest} opened={trace} onLeave={() => navigateTo(below)} />}
    </ActionsContext>
  )
}

const LeaveOpening = ({ onLeave }: { readonly onLeave: () => void }) => {
  const anywhere = useRef(document.body)
  useAction('presenter-leave', anywhere, onLeave)
  return null
}

const BreakPopover = lazy(() => import('./faults/break-popover.tsx').then((part) => ({ default: part.BreakPopover })))

const BreakHost = () => {
  const breaking = useBreakTarget()
  return breaking === undefined ? null : (
    <Suspense>
      <BreakPopover breaking={breaking} />
    </Suspense>
  )
}

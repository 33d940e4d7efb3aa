import { useCallback, useEffect, useState } from 'react'
import styles from './app.module.css'
import { BenchScreen } from './bench/bench-screen.tsx'
import { useBenchPart, useTools } from './bench/use-bench.ts'
import { ConsoleScreen } from './console/console-screen.tsx'
import { ActionsContext, createActions } from './palette/actions.ts'
import { CommandsHost, type Overlay } from './palette/commands-host.tsx'
import { PresenterScreen } from './presenter/presenter-screen.tsx'
import type { OpenedTrace } from './trace/open-trace.ts'
import { TraceHost } from './trace/trace-host.tsx'
import { TraceScreen } from './trace/trace-screen.tsx'
import { useAsking } from './ui/asking.ts'
import { DeletionsHost } from './ui/deletions.tsx'
import { Gate } from './ui/gate.tsx'
import { type ConsolePlace, type GoTo, GoToContext } from './ui/go-to.ts'
import { Lasting } from './ui/lasting.tsx'
import { StatusBar } from './ui/status-bar.tsx'
import { Stopped } from './ui/stopped.tsx'
import { type Screen, TitleBar } from './ui/title-bar.tsx'

export const App = () => {
  const { store } = useTools()
  const connection = useBenchPart((state) => state.connection)
  const asking = useAsking()
  const [actions] = useState(createActions)
  const [screen, setScreen] = useState<Screen>('bench')
  useEffect(() => store.start(), [store])
  const [overlay, setOverlay] = useState<Overlay>()
  const [presenting, setPresenting] = useState(false)
  const [trace, setTrace] = useState<OpenedTrace>()
  const showTrace = (next: OpenedTrace | undefined): void => {
    trace?.close()
    setTrace(next)
  }
  const [place, setPlace] = useState<ConsolePlace>()
  const [phoneId, setPhoneId] = useState<string>()
  const goTo = useCallback<GoTo>((wanted, phone) => {
    setPhoneId(phone)
    // Clock, conditions and snapshots stand beside every place.
    setPlace(wanted === 'time' ? undefined : wanted)
    setScreen('console')
  }, [])
  // A trace needs no bench.
  if (trace === undefined && connection === 'locked-out') return <Gate state="lockedOut" />
  if (trace === undefined && connection === 'closed') return <Gate state="closed" />
  return (
    <ActionsContext value={actions}>
      <GoToContext value={goTo}>
        <DeletionsHost>
          {(deletions) => (
            <>
              {/* The bench stays as it was, with its choices, while the console is open or something is presented. */}
              <div className={styles.app} hidden={presenting || trace !== undefined}>
                <TitleBar
                  screen={screen}
                  onScreen={(wanted) => {
                    setPlace(undefined)
                    setPhoneId(undefined)
                    setScreen(wanted)
                  }}
                  onPalette={() => setOverlay('palette')}
                  onPresent={() => setPresenting(true)}
                />
                <div className={styles.screen} hidden={screen !== 'bench'}>
                  <BenchScreen />
                </div>
                {screen === 'console' ? <ConsoleScreen start={place} phoneId={phoneId} key={place} /> : null}
                <Lasting busy={asking} />
                {deletions}
                <StatusBar />
                {connection === 'lost' ? <Stopped onRetry={store.retryNow} /> : null}
              </div>
              {presenting ? <PresenterScreen onLeave={() => setPresenting(false)} /> : null}
              <TraceHost busy={presenting} onOpened={showTrace} />
              <CommandsHost
                scene={presenting ? 'presenter' : trace === undefined ? 'bench' : 'trace'}
                overlay={overlay}
                onOverlay={setOverlay}
                onScreen={setScreen}
                onPresent={() => setPresenting(true)}
              />
            </>
          )}
        </DeletionsHost>
      </GoToContext>
      {trace === undefined || presenting ? null : (
        <TraceScreen key={trace.openedAt} opened={trace} onLeave={() => showTrace(undefined)} />
      )}
    </ActionsContext>
  )
}

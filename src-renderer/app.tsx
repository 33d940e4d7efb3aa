import { useEffect, useState } from 'react'
import { BenchScreen } from './bench/bench-screen.tsx'
import { useBench, useTools } from './bench/use-bench.ts'
import { ConsoleScreen } from './console/console-screen.tsx'
import { PresenterScreen } from './presenter/presenter-screen.tsx'
import { Gate } from './ui/gate.tsx'
import { ShortcutList } from './ui/shortcut-list.tsx'
import { StatusBar } from './ui/status-bar.tsx'
import { Stopped } from './ui/stopped.tsx'
import { type Screen, TitleBar } from './ui/title-bar.tsx'
import { useShortcuts } from './ui/use-shortcuts.ts'

export const App = () => {
  const { store } = useTools()
  const { connection } = useBench()
  const [screen, setScreen] = useState<Screen>('bench')
  useEffect(() => store.start(), [store])
  const [help, setHelp] = useState(false)
  const [presenting, setPresenting] = useState(false)
  useShortcuts({ onScreen: setScreen, onHelp: () => setHelp((open) => !open) })
  if (connection === 'locked-out') return <Gate state="lockedOut" />
  if (presenting) return <PresenterScreen onLeave={() => setPresenting(false)} />
  return (
    <div className="app">
      <TitleBar screen={screen} onScreen={setScreen} onPresent={() => setPresenting(true)} />
      {/* The bench stays as it was, with its choices, while the console is open. */}
      <div className="screen" hidden={screen !== 'bench'}>
        <BenchScreen />
      </div>
      {screen === 'console' ? <ConsoleScreen /> : null}
      <StatusBar />
      {help ? <ShortcutList onClose={() => setHelp(false)} /> : null}
      {connection === 'lost' ? <Stopped onRetry={store.retryNow} /> : null}
    </div>
  )
}

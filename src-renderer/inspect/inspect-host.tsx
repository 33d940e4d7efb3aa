import { useEffect, useState } from 'react'
import { whenDone } from '../ui/effects.ts'
import { Button } from '../ui/primitives.tsx'
import { texts } from '../ui/texts.ts'
import type { InspectScreen, InspectScreenProps } from './inspect-screen.tsx'

export const InspectHost = (over: InspectScreenProps) => {
  const [Screen, setScreen] = useState<typeof InspectScreen>()
  const [attempt, setAttempt] = useState(1)
  const [failed, setFailed] = useState(0)
  useEffect(() => {
    const loading = import('./inspect-screen.tsx').catch(() => undefined)
    return whenDone(loading, (loaded) => {
      if (loaded === undefined) setFailed(attempt)
      else setScreen(() => loaded.InspectScreen)
    })
  }, [attempt])
  if (Screen !== undefined) return <Screen {...over} />
  return (
    <main className="flex bg-surface" data-part="inspect" data-place="loading">
      <h1 className="unseen">{texts.frame.inspect}</h1>
      {failed === attempt ? (
        <div className="empty" role="alert">
          <p>{texts.inspect.notLoaded}</p>
          <Button onClick={() => setAttempt(attempt + 1)} text={texts.frame.retry} />
        </div>
      ) : null}
    </main>
  )
}

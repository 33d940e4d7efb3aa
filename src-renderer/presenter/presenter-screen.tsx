import { useEffect, useRef, useState } from 'react'
import type { ControlPhone, RpState } from '../../src-main/contract/control/states.ts'
import type { Api, ApiProblem } from '../api.ts'
import { createBenchStore } from '../bench/bench-store.ts'
import { BenchContext, type BenchTools, useBenchPart, useTools } from '../bench/use-bench.ts'
import { useAction } from '../palette/actions.ts'
import { usePhoneActions } from '../phone/use-phone-actions.ts'
import { Button } from '../ui/button.tsx'
import { pageNow } from '../ui/page-clock.ts'
import { Problem } from '../ui/problem.tsx'
import { Stopped } from '../ui/stopped.tsx'
import { texts } from '../ui/texts.ts'
import { Controls } from './controls.tsx'
import { DEMO, openDemo } from './demo.ts'
import styles from './presenter-screen.module.css'
import { StagePhone } from './stage-phone.tsx'
import { StageWindow } from './stage-window.tsx'
import { EYES, STEPS } from './story.ts'
import { useFullScreen } from './use-full-screen.ts'
import { useIdle } from './use-idle.ts'
import { useStory } from './use-story.ts'
import { Wire } from './wire.tsx'

type PresenterProps = { readonly onLeave: () => void }

/** Registration and sign-in told to a room, on a bench of their own: everything in it really happens there. */
export const PresenterScreen = ({ onLeave }: PresenterProps) => {
  const { api } = useTools()
  const [tools, setTools] = useState<BenchTools>()
  const [problem, setProblem] = useState<ApiProblem>()
  const [attempt, setAttempt] = useState(0)
  useFullScreen(onLeave)
  // At any moment, while the stage is set up, too.
  const anywhere = useRef(document.body)
  useAction('presenter-leave', anywhere, onLeave)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt opens the demo again.
  useEffect(() => {
    let current = true
    let stop: (() => void) | undefined
    const open = async () => {
      setProblem(undefined)
      const opened = await api.call(openDemo)
      if (!current) return
      if (!opened.ok) {
        setProblem(opened.error)
        return
      }
      const demo = api.workspace(DEMO)
      const store = createBenchStore(demo, pageNow)
      stop = store.start()
      setTools({ api: demo, store })
    }
    // In its own turn, so that one that is given up at once opens nothing.
    const timer = setTimeout(() => void open())
    return () => {
      current = false
      clearTimeout(timer)
      stop?.()
    }
  }, [api, attempt])
  if (tools === undefined) {
    return (
      <main className={styles.presenter} data-part="presenter" data-opening>
        {problem === undefined ? (
          <p className="unseen" role="status">
            {texts.presenter.opening}
          </p>
        ) : (
          <div className={styles.problem}>
            <Problem problem={problem} />
            <Button onClick={() => setAttempt(attempt + 1)}>{texts.presenter.tryAgain}</Button>
          </div>
        )}
        <Button look="ghost" className="unseen" onClick={onLeave}>
          {texts.presenter.leave}
        </Button>
      </main>
    )
  }
  return (
    <BenchContext value={tools}>
      <Stage page={api} onLeave={onLeave} />
    </BenchContext>
  )
}

type StageProps = PresenterProps & { readonly page: Api }

const Stage = ({ page, onLeave }: StageProps) => {
  const rps = useBenchPart((state) => state.rps)
  const phones = useBenchPart((state) => state.phones)
  const connection = useBenchPart((state) => state.connection)
  const { store } = useTools()
  // While the demo is set up anew, what stood on the stage stays in sight.
  const rp = useKept(rps[0])
  const phone = useKept(phones[0])
  if (rp === undefined || phone === undefined || connection === 'connecting') {
    return <main className={styles.presenter} data-part="presenter" data-opening />
  }
  return (
    <>
      <Story page={page} rp={rp} phone={phone} onLeave={onLeave} />
      {connection === 'lost' ? <Stopped onRetry={store.retryNow} /> : null}
    </>
  )
}

const useKept = <T,>(value: T | undefined): T | undefined => {
  const [kept, keep] = useState(value)
  if (value !== undefined && value !== kept) keep(value)
  return value ?? kept
}

type StoryProps = StageProps & { readonly rp: RpState; readonly phone: ControlPhone }

/** So long after the last movement the controls go. */
const FADE_MS = 3000

const Story = ({ page, rp, phone, onLeave }: StoryProps) => {
  const main = useRef<HTMLElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const [watched, setWatched] = useState(false)
  const actions = usePhoneActions(phone, canvas, setWatched)
  const message = useBenchPart(
    ({ timeline }) => timeline.groups.findLast(({ message }) => message?.askedBy !== undefined)?.message,
  )
  const story = useStory({ page, rp, phone, actions, message })
  const idle = useIdle(FADE_MS)
  useEffect(() => main.current?.focus({ preventScroll: true }), [])
  return (
    <main
      className={styles.presenter}
      data-part="presenter"
      ref={main}
      tabIndex={-1}
      data-idle={idle || undefined}
      data-rewinding={story.rewinding || undefined}
      data-eye={EYES[STEPS[story.told] ?? 'meet']}
    >
      <h1 className="unseen">{texts.presenter.title}</h1>
      <div className={styles.stage}>
        <StageWindow rp={rp} message={message} canvas={canvas} watched={watched} onStart={story.next} />
        <Wire still={story.rewinding} />
        <StagePhone key={phone.id} phone={phone} actions={actions} canvas={canvas} />
      </div>
      <div className={styles.story} data-part="story">
        <p role="status">{story.sentence}</p>
        {story.problem === undefined ? null : <Problem problem={story.problem} />}
      </div>
      <Controls story={story} onLeave={onLeave} />
    </main>
  )
}

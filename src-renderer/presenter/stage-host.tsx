import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ApiProblem } from '../api.ts'
import { useBenchPart, useTools } from '../bench/use-bench.ts'
import { useAction } from '../palette/actions.ts'
import { Button } from '../ui/button.tsx'
import { Problem } from '../ui/problem.tsx'
import { Stopped } from '../ui/stopped.tsx'
import { texts } from '../ui/texts.ts'
import { ChapterStage, type Stage, type StageDirections } from './chapter-stage.tsx'
import { type Chapter, SCRIPTS } from './chapters.ts'
import { keepRun, type Run, readRuns } from './run.ts'
import { rewindStage, stillStands } from './set-stage.ts'
import styles from './stage-host.module.css'

type StageHostProps = Omit<StageDirections, 'onRewind'> & {
  readonly chapter: Chapter
  /** Where a new chapter begins: at its end for a user who goes back to it. */
  readonly from: 'start' | 'end'
  /** The workspace is gone, with all that was on the stage. */
  readonly onGone: () => void
}

/** Sets the stage of a chapter, and shows it when it is ready. Until then the one before stays in sight. */
export const StageHost = ({ chapter, from, onGone, ...directions }: StageHostProps) => {
  const { api, store } = useTools()
  const first = from === 'end' ? SCRIPTS[chapter].beats.length - 1 : 0
  const [runs, setRuns] = useState<{ readonly chapter: Chapter; readonly run: Run }>()
  const [setting, setSetting] = useState<number | undefined>(first)
  const [problem, setProblem] = useState<ApiProblem>()
  const connection = useBenchPart((state) => state.connection)
  const set = useCallback(
    async (step: number, isCurrent: () => boolean = () => true) => {
      setProblem(undefined)
      setSetting(step)
      const done = await api.call((demo) => rewindStage(demo, chapter, step))
      if (!isCurrent()) return
      setSetting(undefined)
      if (!done.ok) return setProblem(done.error)
      keepRun(chapter, done.value)
      setRuns({ chapter, run: done.value })
    },
    [api, chapter],
  )
  const begin = useEffectEvent(async (isCurrent: () => boolean) => {
    const known = readRuns()[chapter]?.at(-1)
    const stands = known === undefined ? undefined : await api.call((demo) => stillStands(demo, known))
    if (!isCurrent()) return
    if (known === undefined || stands?.ok !== true || !stands.value) return set(first, isCurrent)
    setSetting(undefined)
    setRuns({ chapter, run: known })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each chapter begins once.
  useEffect(() => {
    let current = true
    // In its own turn, so that a chapter that is passed over is not set.
    const timer = setTimeout(() => void begin(() => current))
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [api, chapter])
  const stage = useStage(runs)
  /** Without its workspace there is nothing to set. */
  const rewind = (step: number) => {
    if (connection === 'live') void set(step)
    else onGone()
  }
  if (connection === 'closed' || connection === 'locked-out') {
    return <StageProblem said={texts.presenter.trouble.gone} onReset={onGone} />
  }
  if (stage === undefined)
    return problem === undefined ? null : <StageProblem problem={problem} onReset={() => rewind(0)} />
  const late = runs?.chapter !== chapter || runs.run !== stage.run
  return (
    <>
      <ChapterStage
        {...directions}
        key={stage.run.rp}
        stage={stage}
        setting={
          problem === undefined && (setting !== undefined || late) ? { chapter, step: setting ?? first } : undefined
        }
        problem={problem}
        onRewind={rewind}
      />
      {connection === 'lost' ? <Stopped onRetry={store.retryNow} /> : null}
    </>
  )
}

/** The stage as the page knows it: its events come a moment after it was set. */
const useStage = (set: { readonly chapter: Chapter; readonly run: Run } | undefined): Stage | undefined => {
  const rps = useBenchPart((state) => state.rps)
  const phones = useBenchPart((state) => state.phones)
  const [kept, keep] = useState<Stage>()
  if (set === undefined) return kept
  const rp = rps.find(({ id }) => id === set.run.rp)
  const old = phones.find(({ id }) => id === set.run.phone)
  if (rp === undefined || old === undefined) return kept
  const fresh = phones.find(({ id }) => id !== old.id)
  const same = kept?.rp === rp && kept.old === old && kept.fresh === fresh && kept.run === set.run
  if (same) return kept
  const now = { ...set, rp, old, fresh }
  keep(now)
  return now
}

type StageProblemProps = { readonly problem?: ApiProblem; readonly said?: string; readonly onReset: () => void }

/** There is no stage: why, and the key that sets it up. */
export const StageProblem = ({ problem, said, onReset }: StageProblemProps) => {
  const place = useRef<HTMLDivElement>(null)
  useAction('presenter-repeat', place, onReset)
  return (
    <div className={`${styles.problem} grid`} ref={place}>
      {said === undefined ? null : <p role="alert">{said}</p>}
      <Problem problem={problem} />
      <Button aria-keyshortcuts="R" onClick={onReset}>
        {texts.presenter.repeat}
      </Button>
    </div>
  )
}

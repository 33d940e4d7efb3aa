import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { NOTES_WINDOW } from '../../src-main/core/contract/page-address.ts'
import type { ApiProblem } from '../api.ts'
import { createBenchStore } from '../bench/bench-store.ts'
import { BenchContext, type BenchTools, useBenchPart, useTools } from '../bench/use-bench.ts'
import { useAction } from '../palette/actions.ts'
import { PRESENTED, type PresenterPlace } from '../ui/address.ts'
import { onWindow, runAfter } from '../ui/effects.ts'
import { pageNow } from '../ui/page-clock.ts'
import { Button, Problem } from '../ui/primitives.tsx'
import { Stopped } from '../ui/status-bar.tsx'
import { texts } from '../ui/texts.ts'
import { addressPath, navigateTo, useTitle } from '../ui/use-address.ts'
import { ChapterStage, type Stage, type StageDirections } from './chapter-stage.tsx'
import { type Chapter, SCRIPTS } from './chapters.ts'
import { KeyButton } from './controls.tsx'
import { EndCard } from './end-card.tsx'
import styles from './presenter-screen.module.css'
import { type Run, readResumePlace, readRuns, readStageId, type StoryPosition, storeRun, storeStageId } from './run.ts'
import { neighbourChapter, sentenceOf } from './sentences.ts'
import { openStage, rewindStage, stageExists } from './stage-workspace.ts'

type PresenterProps = {
  readonly chapter: PresenterPlace
  /** True if the address named no chapter. */
  readonly opening: boolean
  readonly onLeave: () => void
}

/** The controls disappear this long after the last movement. */
const FADE_MS = 3000

export const PresenterScreen = ({ chapter, opening, onLeave }: PresenterProps) => {
  const { api } = useTools()
  const [tools, setTools] = useState<BenchTools>()
  const [problem, setProblem] = useState<ApiProblem>()
  const [wanted, want] = useState(() => ({ nth: 0, anew: opening && readResumePlace() === undefined }))
  const [playing, setPlaying] = useState(false)
  /** The chapter to which the presenter went back. */
  const [backIn, setBackIn] = useState<PresenterPlace>()
  const [blocked, setBlocked] = useState(false)
  const idle = useIdle(FADE_MS)
  const screen = useFullScreen(onLeave)
  useTitle(`${texts.presenter.title} · ${texts.presenter.chapters[chapter]}`)
  // Available at any time, also while the stage is being prepared.
  const anywhere = useRef(document.body)
  useAction('presenter-leave', anywhere, onLeave)
  /** Starts from the beginning, because there is nothing to resume. */
  const start = useEffectEvent(() => {
    if (opening) navigateTo({ screen: 'presenter', chapter }, 'replace')
  })
  useEffect(() => {
    let stop: (() => void) | undefined
    const open = async (isCurrent: () => boolean) => {
      setProblem(undefined)
      const known = readStageId()
      const opened = await api.call((client) => openStage(client, { ...wanted, known }))
      if (!isCurrent()) return
      if (!opened.ok) return setProblem(opened.error)
      storeStageId(opened.value)
      if (opened.value !== known) start()
      const demo = api.workspace(opened.value)
      const store = createBenchStore(demo, pageNow)
      stop = store.start()
      setTools({ api: demo, store })
    }
    // Delayed by a timer, so that a screen that is closed immediately opens no workspace.
    const end = runAfter(0, (isCurrent) => void open(isCurrent))
    return () => {
      end()
      stop?.()
    }
  }, [api, wanted])
  const reopen = () => {
    setTools(undefined)
    want(({ nth }) => ({ nth: nth + 1, anew: true }))
  }
  const show = (next: PresenterPlace | undefined, back = false) => {
    if (next === undefined) return
    setBackIn(back ? next : undefined)
    navigateTo({ screen: 'presenter', chapter: next }, opening ? 'replace' : 'push')
  }
  const startOver = (play = false) => {
    setPlaying(play)
    reopen()
    show('key')
  }
  const notes = () => {
    screen.stepAside()
    const opened = window.open(
      addressPath({ screen: 'presenter', chapter, notes: true }),
      NOTES_WINDOW,
      'width=560,height=720',
    )
    setBlocked(opened === null)
  }
  useAction('presenter-notes', anywhere, notes)
  useAction('presenter-start-over', anywhere, () => startOver())
  const left = opening ? readResumePlace() : undefined
  const directions = { ...{ playing, onPlaying: setPlaying, onNotes: notes, onLeave }, onStartOver: () => startOver() }
  return (
    <main className={`${styles.presenter} grid relative bg-bench`} data-part="presenter" data-idle={idle || undefined}>
      <h1 className="unseen">{texts.presenter.title}</h1>
      <ChapterNav current={opening ? undefined : chapter} onChapter={(next) => show(next)} />
      {blocked ? (
        <p className={`${styles.blocked} absolute z-2 fail bg-fail-soft rounded-8 px-14 py-8`} role="alert">
          {texts.presenter.speaker.blocked}
        </p>
      ) : null}
      {tools === undefined ? (
        <>
          {problem === undefined ? (
            <p className="unseen" role="status">
              {texts.presenter.opening}
            </p>
          ) : (
            <StageProblem problem={problem} onReset={reopen} />
          )}
          <Button look="ghost" className="unseen" onClick={onLeave} text={texts.palette.names['presenter-leave']} />
        </>
      ) : (
        <BenchContext value={tools}>
          {left !== undefined ? (
            <LeftCard left={left} onGoOn={() => show(left.chapter)} onStartOver={directions.onStartOver} />
          ) : chapter === 'end' ? (
            <EndCard {...directions} onBack={() => show('lost', true)} onPlay={() => startOver(true)} />
          ) : (
            <StageHost
              {...directions}
              chapter={chapter}
              from={backIn === chapter ? 'end' : 'start'}
              onChapter={(by) => show(neighbourChapter(chapter, by), by === -1)}
              onGone={reopen}
            />
          )}
        </BenchContext>
      )}
    </main>
  )
}

/** Esc ends full screen and the presentation. */
const useFullScreen = (onLeft: () => void) => {
  const left = useEffectEvent(onLeft)
  const aside = useRef(false)
  const filled = useRef(false)
  useEffect(() => {
    const change = () => {
      if (document.fullscreenElement !== null) {
        filled.current = true
        aside.current = false
      } else if (filled.current) {
        filled.current = false
        if (!aside.current) left()
      }
    }
    /** Called on a gesture, because browsers allow full screen only then. */
    const refill = () => {
      if (aside.current && !filled.current) void fill()
    }
    document.addEventListener('fullscreenchange', change)
    const ends = [onWindow('keydown', refill), onWindow('pointerdown', refill)]
    const asked = fill()
    return () => {
      document.removeEventListener('fullscreenchange', change)
      for (const end of ends) end()
      void asked.then(() => (document.fullscreenElement === null ? undefined : document.exitFullscreen()))
    }
  }, [])
  return {
    /** Called before a window opens, which ends full screen; the next gesture here restores it. */
    stepAside: () => {
      aside.current = true
    },
  }
}

const fill = async (): Promise<void> => {
  await document.documentElement.requestFullscreen?.().catch(() => undefined)
}

const useIdle = (afterMs: number): boolean => {
  const [idle, setIdle] = useState(false)
  useEffect(() => {
    let sleep = (): void => undefined
    const wake = () => {
      setIdle(false)
      sleep()
      sleep = runAfter(afterMs, () => setIdle(true))
    }
    let place = ''
    // Browsers also report a move when the page moves below a resting pointer.
    const move = ({ screenX, screenY }: PointerEvent) => {
      const now = `${screenX},${screenY}`
      if (place !== '' && place !== now) wake()
      place = now
    }
    const ends = [onWindow('pointermove', move), onWindow('pointerdown', wake), onWindow('focusin', wake)]
    wake()
    return () => {
      for (const end of [sleep, ...ends]) end()
    }
  }, [afterMs])
  return idle
}

type ChapterNavProps = {
  readonly current: PresenterPlace | undefined
  readonly onChapter: (chapter: PresenterPlace) => void
}

const ChapterNav = ({ current, onChapter }: ChapterNavProps) => (
  <nav className={`${styles.chapters} flex wraps gap-4 centre`} data-part="chapters" aria-label={texts.presenter.nav}>
    {PRESENTED.map((chapter, at) => (
      <button
        key={chapter}
        className="row muted one-line gap-7 weight-530"
        type="button"
        aria-current={chapter === current ? 'page' : undefined}
        onClick={() => onChapter(chapter)}
      >
        {chapter === 'end' ? null : <i className="centred weight-600 upright circle">{at + 1}</i>}
        <span>{texts.presenter.chapters[chapter]}</span>
      </button>
    ))}
  </nav>
)

type LeftCardProps = { readonly left: StoryPosition; readonly onGoOn: () => void; readonly onStartOver: () => void }

const LeftCard = ({ left: { chapter, step }, onGoOn, onStartOver }: LeftCardProps) => {
  const words = texts.presenter
  const goesOn = useRef<HTMLButtonElement>(null)
  useEffect(() => goesOn.current?.focus({ preventScroll: true }), [])
  useAction('presenter-next', goesOn, onGoOn)
  return (
    <section className={`${styles.card} grid self-centred items-centre text-center p-16`} aria-label={words.leftHere}>
      <p className="muted">{words.leftHere}</p>
      <h2 className="stage-title">{words.chapters[chapter]}</h2>
      <q className="balanced">{sentenceOf(chapter, SCRIPTS[chapter].beats[step]?.name)}</q>
      <div className="flex wraps gap-12 centre">
        <KeyButton ref={goesOn} look="primary" chord="ArrowRight" onClick={onGoOn} text={words.goOn} />
        <KeyButton chord="S" onClick={onStartOver} text={words.startOver} />
      </div>
    </section>
  )
}

type StageHostProps = Omit<StageDirections, 'onRewind'> & {
  readonly chapter: Chapter
  /** Where a new chapter begins: at its end if the presenter goes back to it. */
  readonly from: 'start' | 'end'
  readonly onGone: () => void
}

/** While a stage is being prepared, the previous one stays visible. */
const StageHost = ({ chapter, from, onGone, ...directions }: StageHostProps) => {
  const { api, store } = useTools()
  const first = from === 'end' ? SCRIPTS[chapter].beats.length - 1 : 0
  const [runs, setRuns] = useState<{ readonly chapter: Chapter; readonly run: Run }>()
  const [setting, setSetting] = useState<number | undefined>(first)
  const [problem, setProblem] = useState<ApiProblem>()
  const connection = useBenchPart((state) => state.connection)
  const set = async (step: number, isCurrent: () => boolean = () => true) => {
    setProblem(undefined)
    setSetting(step)
    const done = await api.call((demo) => rewindStage(demo, chapter, step))
    if (!isCurrent()) return
    setSetting(undefined)
    if (!done.ok) return setProblem(done.error)
    storeRun(chapter, done.value)
    setRuns({ chapter, run: done.value })
  }
  const begin = useEffectEvent(async (isCurrent: () => boolean) => {
    const known = readRuns()[chapter]?.at(-1)
    const stands = known === undefined ? undefined : await api.call((demo) => stageExists(demo, known))
    if (!isCurrent()) return
    if (known === undefined || stands?.ok !== true || !stands.value) return set(first, isCurrent)
    setSetting(undefined)
    setRuns({ chapter, run: known })
  })
  // Delayed by a timer, so that a skipped chapter is not prepared.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each chapter begins once.
  useEffect(() => runAfter(0, (isCurrent) => void begin(isCurrent)), [api, chapter])
  const stage = useStage(runs)
  /** Opens a new workspace if the old one is gone. */
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
        key={stage.run.rp}
        {...directions}
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

/** Keeps the previous stage until the events of a new one have arrived. */
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

const StageProblem = ({ problem, said, onReset }: StageProblemProps) => {
  const place = useRef<HTMLDivElement>(null)
  useAction('presenter-repeat', place, onReset)
  return (
    <div className={`${styles.problem} grid last-rows self-centred items-centre gap-16 text-15`} ref={place}>
      {said === undefined ? null : <p role="alert">{said}</p>}
      <Problem problem={problem} />
      <Button aria-keyshortcuts="R" onClick={onReset} text={texts.presenter.repeat} />
    </div>
  )
}

import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { NOTES_WINDOW } from '../../src-main/core/contract/page-address.ts'
import type { ApiProblem } from '../api.ts'
import { createBenchStore } from '../bench/bench-store.ts'
import { BenchContext, type BenchTools, useTools } from '../bench/use-bench.ts'
import { useAction } from '../palette/actions.ts'
import { CHAPTERS, type Presented } from '../ui/address.ts'
import { Button } from '../ui/button.tsx'
import { pageNow } from '../ui/page-clock.ts'
import { texts } from '../ui/texts.ts'
import { go, pathOf, useTitle } from '../ui/use-address.ts'
import { SCRIPTS } from './chapters.ts'
import { Key } from './controls.tsx'
import { EndCard } from './end-card.tsx'
import styles from './presenter-screen.module.css'
import { keepStage, type Place, readLeft, readStage } from './run.ts'
import { neighbour, sentenceOf } from './sentences.ts'
import { openStage } from './set-stage.ts'
import { StageHost, StageProblem } from './stage-host.tsx'

type PresenterProps = {
  readonly chapter: Presented
  /** No chapter was asked for. */
  readonly opening: boolean
  readonly onLeave: () => void
}

/** The controls disappear this long after the last movement. */
const FADE_MS = 3000

/** Passkeys explained to a room in four chapters, on a separate bench: everything in it really happens there. */
export const PresenterScreen = ({ chapter, opening, onLeave }: PresenterProps) => {
  const { api } = useTools()
  const [tools, setTools] = useState<BenchTools>()
  const [problem, setProblem] = useState<ApiProblem>()
  const [wanted, want] = useState(() => ({ nth: 0, anew: opening && readLeft() === undefined }))
  const [playing, setPlaying] = useState(false)
  /** The chapter that was gone back to. */
  const [backIn, setBackIn] = useState<Presented>()
  const [blocked, setBlocked] = useState(false)
  const idle = useIdle(FADE_MS)
  const screen = useFullScreen(onLeave)
  useTitle(`${texts.presenter.title} · ${texts.presenter.chapters[chapter]}`)
  // At any moment, while the stage is set up, too.
  const anywhere = useRef(document.body)
  useAction('presenter-leave', anywhere, onLeave)
  /** Nothing is there to go on with. */
  const start = useEffectEvent(() => {
    if (opening) go({ screen: 'presenter', chapter }, 'replace')
  })
  useEffect(() => {
    let current = true
    let stop: (() => void) | undefined
    const open = async () => {
      setProblem(undefined)
      const known = readStage()
      const opened = await api.call((client) => openStage(client, { ...wanted, known }))
      if (!current) return
      if (!opened.ok) {
        setProblem(opened.error)
        return
      }
      keepStage(opened.value)
      if (opened.value !== known) start()
      const demo = api.workspace(opened.value)
      const store = createBenchStore(demo, pageNow)
      stop = store.start()
      setTools({ api: demo, store })
    }
    // A timer, so that a screen that is closed immediately opens nothing.
    const timer = setTimeout(() => void open())
    return () => {
      current = false
      clearTimeout(timer)
      stop?.()
    }
  }, [api, wanted])
  const reopen = () => {
    setTools(undefined)
    want(({ nth }) => ({ nth: nth + 1, anew: true }))
  }
  const show = (next: Presented | undefined, back = false) => {
    if (next === undefined) return
    setBackIn(back ? next : undefined)
    go({ screen: 'presenter', chapter: next }, opening ? 'replace' : 'push')
  }
  const startOver = (play = false) => {
    setPlaying(play)
    reopen()
    show('key')
  }
  const notes = () => {
    screen.stepAside()
    const opened = window.open(
      pathOf({ screen: 'presenter', chapter, notes: true }),
      NOTES_WINDOW,
      'width=560,height=720',
    )
    setBlocked(opened === null)
  }
  useAction('presenter-notes', anywhere, notes)
  useAction('presenter-start-over', anywhere, () => startOver())
  const left = opening ? readLeft() : undefined
  const directions = {
    ...{ playing, onPlaying: setPlaying, onNotes: notes, onLeave },
    onStartOver: () => startOver(),
  }
  return (
    <main
      className={`${styles.presenter} grid`}
      data-part="presenter"
      data-idle={idle || undefined}
      data-opening={tools === undefined || undefined}
    >
      <h1 className="unseen">{texts.presenter.title}</h1>
      <ChapterNav current={opening ? undefined : chapter} onChapter={(next) => show(next)} />
      {blocked ? (
        <p className={styles.blocked} role="alert">
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
          <Button look="ghost" className="unseen" onClick={onLeave}>
            {texts.presenter.leave}
          </Button>
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
              onChapter={(by) => show(neighbour(chapter, by), by === -1)}
              onGone={reopen}
            />
          )}
        </BenchContext>
      )}
    </main>
  )
}

/** The whole screen while this is shown, where the browser allows it. Its own Esc ends both. */
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
    /** Browsers fill the screen only on a gesture. */
    const refill = () => {
      if (aside.current && !filled.current) void fill()
    }
    document.addEventListener('fullscreenchange', change)
    addEventListener('keydown', refill)
    addEventListener('pointerdown', refill)
    const asked = fill()
    return () => {
      document.removeEventListener('fullscreenchange', change)
      removeEventListener('keydown', refill)
      removeEventListener('pointerdown', refill)
      void asked.then(() => (document.fullscreenElement === null ? undefined : document.exitFullscreen()))
    }
  }, [])
  return {
    /** A new window opens, and browsers give the screen back for it: the next gesture here fills it again. */
    stepAside: () => {
      aside.current = true
    },
  }
}

const fill = async (): Promise<void> => {
  await document.documentElement.requestFullscreen?.().catch(() => undefined)
}

/** True if nothing has moved, been touched or got the focus for this long. */
const useIdle = (afterMs: number): boolean => {
  const [idle, setIdle] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const wake = () => {
      setIdle(false)
      clearTimeout(timer)
      timer = setTimeout(() => setIdle(true), afterMs)
    }
    let place = ''
    // Browsers report a move also when only the page has moved below a pointer that rests.
    const move = ({ screenX, screenY }: PointerEvent) => {
      const now = `${screenX},${screenY}`
      if (place !== '' && place !== now) wake()
      place = now
    }
    addEventListener('pointermove', move)
    addEventListener('pointerdown', wake)
    addEventListener('focusin', wake)
    wake()
    return () => {
      clearTimeout(timer)
      removeEventListener('pointermove', move)
      removeEventListener('pointerdown', wake)
      removeEventListener('focusin', wake)
    }
  }, [afterMs])
  return idle
}

type ChapterNavProps = {
  readonly current: Presented | undefined
  readonly onChapter: (chapter: Presented) => void
}

const ChapterNav = ({ current, onChapter }: ChapterNavProps) => (
  <nav className={`${styles.chapters} flex wraps gap-4`} data-part="chapters" aria-label={texts.presenter.nav}>
    {([...CHAPTERS, 'end'] as const).map((chapter, at) => (
      <button
        key={chapter}
        type="button"
        aria-current={chapter === current ? 'page' : undefined}
        onClick={() => onChapter(chapter)}
      >
        {chapter === 'end' ? null : <i>{at + 1}</i>}
        <span>{texts.presenter.chapters[chapter]}</span>
      </button>
    ))}
  </nav>
)

type LeftCardProps = { readonly left: Place; readonly onGoOn: () => void; readonly onStartOver: () => void }

/** A presentation that was left in its middle goes on, or starts over: the presenter chooses. */
const LeftCard = ({ left: { chapter, step }, onGoOn, onStartOver }: LeftCardProps) => {
  const words = texts.presenter
  const goesOn = useRef<HTMLButtonElement>(null)
  useEffect(() => goesOn.current?.focus({ preventScroll: true }), [])
  useAction('presenter-next', goesOn, onGoOn)
  return (
    <section className={`${styles.card} grid`} aria-label={words.leftHere}>
      <p>{words.leftHere}</p>
      <h2>{words.chapters[chapter]}</h2>
      <q>{sentenceOf(chapter, SCRIPTS[chapter].beats[step]?.name)}</q>
      <div>
        <Button ref={goesOn} look="primary" aria-keyshortcuts="ArrowRight" onClick={onGoOn}>
          {words.goOn} <Key name="ArrowRight" />
        </Button>
        <Button aria-keyshortcuts="S" onClick={onStartOver}>
          {words.startOver} <Key name="S" />
        </Button>
      </div>
    </section>
  )
}

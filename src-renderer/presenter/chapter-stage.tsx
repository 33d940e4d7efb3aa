import { Unplug } from 'lucide-react'
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { ControlPhone, RpState } from '../../src-main/core/contract/control/states.ts'
import type { ApiProblem } from '../api.ts'
import { useBenchPart } from '../bench/use-bench.ts'
import { PhoneBody } from '../phone/phone-body.tsx'
import { PhoneScreen } from '../phone/phone-screen.tsx'
import { type PhoneActions, usePhoneActions } from '../phone/use-phone-actions.ts'
import { Problem } from '../ui/problem.tsx'
import { texts } from '../ui/texts.ts'
import styles from './chapter-stage.module.css'
import { type Chapter, SCRIPTS } from './chapters.ts'
import { Controls } from './controls.tsx'
import { THIEF_HOST, THIEF_ORIGIN } from './deeds.ts'
import { factsOf } from './facts.ts'
import { keepPlace, type Run } from './run.ts'
import { followedBy, noteOf, sentenceOf } from './sentences.ts'
import { useStageLink } from './stage-link.ts'
import { type Invitation, RealBank, StageWindow } from './stage-window.tsx'
import { standingOf, toldStep } from './standing.ts'
import { useStory } from './use-story.ts'
import { Wire } from './wire.tsx'

export type Stage = {
  readonly chapter: Chapter
  readonly run: Run
  readonly rp: RpState
  readonly old: ControlPhone
  readonly fresh: ControlPhone | undefined
}

export type StageDirections = {
  readonly playing: boolean
  readonly onPlaying: (playing: boolean) => void
  readonly onRewind: (step: number) => void
  readonly onChapter: (by: 1 | -1) => void
  readonly onNotes: () => void
  /** Everything that was made is removed, and the first chapter begins. */
  readonly onStartOver: () => void
  readonly onLeave: () => void
}

type ChapterStageProps = StageDirections & {
  readonly stage: Stage
  /** The stage is being set: for which step of which chapter. */
  readonly setting: { readonly chapter: Chapter; readonly step: number } | undefined
  readonly problem: ApiProblem | undefined
}

/** One chapter: page, wire and phone, and the current sentence. */
export const ChapterStage = ({ stage, setting, problem, ...directions }: ChapterStageProps) => {
  const { chapter, run, rp, old, fresh: newPhone } = stage
  const canvas = useRef<HTMLCanvasElement>(null)
  const main = useRef<HTMLDivElement>(null)
  const [watched, setWatched] = useState(false)
  const [target, setTarget] = useState<number>()
  const timeline = useBenchPart((state) => state.timeline)
  const standing = useMemo(() => standingOf(SCRIPTS[chapter], factsOf(timeline, run)), [chapter, run, timeline])
  const { beats, relayed = false } = SCRIPTS[chapter]
  const toldNow = toldStep(standing.step, target)
  const beat = beats[toldNow]
  const phone = beat?.phone === 'new' ? newPhone : old
  const shown = phone ?? old
  const actions = usePhoneActions(shown, canvas, setWatched, relayed ? THIEF_ORIGIN : undefined)
  const story = useStory({
    ...directions,
    ...{ chapter, rp: rp.id, phone, old, actions, standing, target },
    onTarget: setTarget,
  })
  const still = setting !== undefined
  const told = setting?.step ?? story.told
  const script = SCRIPTS[setting?.chapter ?? chapter]
  const sentence =
    setting === undefined ? story.sentence : sentenceOf(setting.chapter, script.beats[setting.step]?.name)
  const over = standing.step === story.last && standing.trouble === undefined
  const fresh = useFresh(sentence)
  const next = () => {
    if (!still && !fresh) story.next()
  }
  const place = still ? undefined : told
  useEffect(() => {
    if (place !== undefined) keepPlace({ chapter, step: place })
  }, [chapter, place])
  useEffect(() => main.current?.focus({ preventScroll: true }), [])
  useStageLink(
    {
      chapter: setting?.chapter ?? chapter,
      ...{ told, count: script.beats.length, sentence, playing: directions.playing, startedAt: run.startedAt },
      note: noteOf(setting?.chapter ?? chapter, script.beats[told]?.name),
      next: followedBy(setting?.chapter ?? chapter, told),
    },
    {
      ...{ next, back: () => story.back?.(), autopilot: story.autopilot },
      ...{ repeat: () => directions.onRewind(0), 'start-over': directions.onStartOver },
    },
  )
  return (
    <div
      className={`${styles.chapter} grid`}
      data-part="chapter"
      data-chapter={chapter}
      data-setting={still || undefined}
      data-eye={beat?.eye}
      ref={main}
      tabIndex={-1}
    >
      <div className={`${styles.stage} grid`}>
        <div className={`${styles.pages} column`}>
          {relayed ? (
            <>
              <RealBank bank={rp.name} host={rp.rp_id} message={standing.message} />
              <Relay begun={standing.message !== undefined} cut={over} />
            </>
          ) : null}
          <StageWindow
            bank={rp.name}
            host={relayed ? THIEF_HOST : rp.rp_id}
            lookalike={relayed}
            message={standing.message}
            invitation={invitationOf(chapter, standing.step)}
            canvas={canvas}
            watched={watched}
            onStart={next}
          />
        </div>
        <Wire after={run.after} still={still} cut={relayed && over ? texts.presenter.wrongAddress : undefined} />
        <StagePhone
          key={shown.id}
          phone={shown}
          actions={actions}
          canvas={canvas}
          which={chapter !== 'lost' ? undefined : shown === old ? 'lost' : 'new'}
        />
      </div>
      <div
        className={styles.story}
        data-part="story"
        data-over={(relayed && over) || undefined}
        data-fresh={still || fresh || undefined}
      >
        <p role="status">{sentence}</p>
        <Problem problem={problem ?? (still ? undefined : story.problem)} />
      </div>
      <Controls
        {...directions}
        {...{ told, still }}
        count={script.beats.length}
        troubled={story.troubled || problem !== undefined}
        story={{ ...story, next }}
        onRepeat={() => directions.onRewind(0)}
      />
    </div>
  )
}

/** A second press within this time is a slip of the finger: the sentence would be lost. */
const SEEN_MS = 400

const useFresh = (sentence: string): boolean => {
  const [seen, see] = useState<string>()
  useEffect(() => {
    const timer = setTimeout(() => see(sentence), SEEN_MS)
    return () => clearTimeout(timer)
  }, [sentence])
  return seen !== sentence
}

const invitationOf = (chapter: Chapter, step: number): Invitation => {
  const { join, welcome, start, deleted, deleteKey, lostTitle } = texts.presenter.page
  if (chapter === 'lost')
    return step === 0 ? { title: lostTitle, button: deleteKey } : { title: deleted, button: start }
  return { title: chapter === 'key' ? join : welcome, button: start }
}

type RelayProps = {
  /** The bank has made a code. */
  readonly begun: boolean
  /** The sign-in was refused: there is nothing that the bank lets through. */
  readonly cut: boolean
}

/** The way of the code: from the real bank to the page below it. */
const Relay = ({ begun, cut }: RelayProps) => (
  <div
    className={`${styles.relay} row rigid`}
    data-part="relay"
    data-begun={begun || undefined}
    data-cut={cut || undefined}
    aria-hidden
  >
    <i>{cut ? <Unplug strokeWidth={1.75} /> : null}</i>
    {begun ? <p>{cut ? texts.presenter.relayCut : texts.presenter.relayed}</p> : null}
  </div>
)

type StagePhoneProps = {
  readonly phone: ControlPhone
  readonly actions: PhoneActions
  readonly canvas: RefObject<HTMLCanvasElement | null>
  /** Of two phones: the lost one, or the one that replaced it. */
  readonly which?: 'lost' | 'new' | undefined
}

/** The size in which a phone is drawn before it is enlarged: small, so that its words come out large. */
const DRAWN = { width: 198, height: 404 }

/** The bench's phone under a magnifying glass. */
const StagePhone = ({ phone, actions, canvas, which }: StagePhoneProps) => {
  const room = useRef<HTMLElement>(null)
  const [zoom, setZoom] = useState(1)
  useLayoutEffect(() => {
    const element = room.current
    if (element === null) return
    const measure = () => setZoom(Math.max(0.5, element.clientHeight / DRAWN.height))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return (
    <section className={styles.phone} data-which={which} ref={room} aria-label={texts.phone.label(phone.name)}>
      {which === undefined ? null : <em className={styles.which}>{texts.presenter.which[which]}</em>}
      <div style={{ ...DRAWN, zoom }}>
        <PhoneBody>
          <PhoneScreen phone={phone} actions={actions} canvas={canvas} reasons={texts.presenter.phone} />
        </PhoneBody>
      </div>
    </section>
  )
}

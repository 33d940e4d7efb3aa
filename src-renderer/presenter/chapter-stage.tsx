import { Unplug } from 'lucide-react'
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { ControlPhone, RpState } from '../../src-main/core/contract/control/states.ts'
import type { RowName } from '../../src-main/core/messages/en/timeline-words.ts'
import { isPoll, isRow, type Message, type Row, type Timeline } from '../../src-main/views/timeline/timeline.ts'
import type { ApiProblem } from '../api.ts'
import { useBenchPart, useTools } from '../bench/use-bench.ts'
import { PhoneBody } from '../phone/phone-body.tsx'
import { PhoneScreen } from '../phone/phone-screen.tsx'
import { type PhoneActions, usePhoneActions } from '../phone/use-phone-actions.ts'
import { observeSize, runAfter } from '../ui/effects.ts'
import { HandsetMark, Problem } from '../ui/primitives.tsx'
import { texts } from '../ui/texts.ts'
import styles from './chapter-stage.module.css'
import { type Chapter, SCRIPTS } from './chapters.ts'
import { Controls } from './controls.tsx'
import { THIEF_HOST, THIEF_ORIGIN } from './deeds.ts'
import { type Run, storePlace } from './run.ts'
import { nextText, noteOf, sentenceOf } from './sentences.ts'
import { useStageLink } from './stage-link.ts'
import { type Invitation, RealBank, StageWindow } from './stage-window.tsx'
import { shownStep, storyFacts, storyPosition } from './story-step.ts'
import { type StoryInput, useStory } from './use-story.ts'

export type Stage = {
  readonly chapter: Chapter
  readonly run: Run
  readonly rp: RpState
  readonly old: ControlPhone
  readonly fresh: ControlPhone | undefined
}

export type StageDirections = Pick<StoryInput, 'playing' | 'onPlaying' | 'onRewind' | 'onChapter'> & {
  readonly onNotes: () => void
  readonly onStartOver: () => void
  readonly onLeave: () => void
}

type ChapterStageProps = StageDirections & {
  readonly stage: Stage
  /** The step that is being prepared; undefined when the stage is ready. */
  readonly setting: { readonly chapter: Chapter; readonly step: number } | undefined
  readonly problem: ApiProblem | undefined
}

export const ChapterStage = ({ stage, setting, problem, ...directions }: ChapterStageProps) => {
  const { chapter, run, rp, old, fresh: newPhone } = stage
  const canvas = useRef<HTMLCanvasElement>(null)
  const main = useRef<HTMLDivElement>(null)
  const [watched, setWatched] = useState(false)
  const [target, setTarget] = useState<number>()
  const timeline = useBenchPart((state) => state.timeline)
  const standing = useMemo(() => storyPosition(SCRIPTS[chapter], storyFacts(timeline, run)), [chapter, run, timeline])
  const { beats, relayed = false } = SCRIPTS[chapter]
  const shownNow = shownStep(standing.step, target)
  const beat = beats[shownNow]
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
    if (place !== undefined) storePlace({ chapter, step: place })
  }, [chapter, place])
  useEffect(() => main.current?.focus({ preventScroll: true }), [])
  useStageLink(
    {
      chapter: setting?.chapter ?? chapter,
      ...{ told, count: script.beats.length, sentence, playing: directions.playing, startedAt: run.startedAt },
      note: noteOf(setting?.chapter ?? chapter, script.beats[told]?.name),
      next: nextText(setting?.chapter ?? chapter, told),
    },
    {
      ...{ next, back: () => story.back?.(), autopilot: story.autopilot },
      ...{ repeat: () => directions.onRewind(0), 'start-over': directions.onStartOver },
    },
  )
  return (
    <div
      className={`${styles.chapter} grid last-rows shortens`}
      data-part="chapter"
      data-chapter={chapter}
      data-setting={still || undefined}
      data-eye={beat?.eye}
      ref={main}
      tabIndex={-1}
    >
      <div className={`${styles.stage} middle grid shortens wide`}>
        <div className={`${styles.pages} column narrows centre relative`}>
          {relayed ? (
            <>
              <RealBank host={rp.rp_id} message={standing.message} />
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
        className={`${styles.story} relative text-center`}
        data-part="story"
        data-over={(relayed && over) || undefined}
        data-fresh={still || fresh || undefined}
      >
        <p className="stage-title balanced" role="status">
          {sentence}
        </p>
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

/** A second press within this time is ignored, because the audience could not have read the sentence. */
const SEEN_MS = 400

const useFresh = (sentence: string): boolean => {
  const [seen, see] = useState<string>()
  useEffect(() => runAfter(SEEN_MS, () => see(sentence)), [sentence])
  return seen !== sentence
}

const invitationOf = (chapter: Chapter, step: number): Invitation => {
  const { join, welcome, start, deleted, deleteKey, lostTitle } = texts.presenter.page
  if (chapter === 'lost')
    return step === 0 ? { title: lostTitle, button: deleteKey } : { title: deleted, button: start }
  return { title: chapter === 'key' ? join : welcome, button: start }
}

type RelayProps = {
  /** True if the bank has created a code. */
  readonly begun: boolean
  /** True if the bank refused the sign-in. */
  readonly cut: boolean
}

const Relay = ({ begun, cut }: RelayProps) => (
  <div
    className={`${styles.relay} row rigid weight-600 stage-small tighter min-h-32`}
    data-part="relay"
    data-begun={begun || undefined}
    data-cut={cut || undefined}
    aria-hidden
  >
    <i className="stretches relative">{cut ? <Unplug size={24} className={`${styles.plug} absolute`} /> : null}</i>
    {begun ? <p>{cut ? texts.presenter.relayCut : texts.presenter.relayed}</p> : null}
  </div>
)

type StagePhoneProps = {
  readonly phone: ControlPhone
  readonly actions: PhoneActions
  readonly canvas: RefObject<HTMLCanvasElement | null>
  /** If there are two phones: whether this is the lost one or its replacement. */
  readonly which?: 'lost' | 'new' | undefined
}

/** Size at which a phone is drawn before it is scaled up; a small size makes its text large. */
const DRAWN = { width: 198, height: 404 }

const StagePhone = ({ phone, actions, canvas, which }: StagePhoneProps) => {
  const room = useRef<HTMLElement>(null)
  const [zoom, setZoom] = useState(1)
  useLayoutEffect(() => {
    const element = room.current
    const measure = () => setZoom(Math.max(0.5, (element?.clientHeight ?? 0) / DRAWN.height))
    measure()
    return observeSize(element, measure)
  }, [])
  return (
    <section
      className={`${styles.phone} relative`}
      data-which={which}
      ref={room}
      aria-label={texts.phone.label(phone.name)}
    >
      {which === undefined ? null : (
        <em className={`${styles.which} absolute text-center weight-600 upright`}>{texts.presenter.which[which]}</em>
      )}
      <div style={{ ...DRAWN, zoom }}>
        <PhoneBody>
          <PhoneScreen phone={phone} actions={actions} canvas={canvas} reasons={texts.presenter.phone} />
        </PhoneBody>
      </div>
    </section>
  )
}

type WireProps = {
  /** The last event before the chapter. */
  readonly after: number
  /** True while exchanges are hidden from the audience. */
  readonly still: boolean
  /** Why the answer did not get through. */
  readonly cut?: string | undefined
}

const Wire = ({ after, still, cut }: WireProps) => {
  const { pulses, drop } = usePulses(still)
  const timeline = useBenchPart((state) => state.timeline)
  const latest = still ? undefined : lastPulse(timeline, after)
  return (
    <div className={`${styles.wire} middle grid stretches`} data-part="wire" aria-hidden="true">
      <p
        className={`${styles.words} text-center weight-600 balanced accent stage-small tighter`}
        data-refused={cut !== undefined || latest?.refused || undefined}
      >
        {cut ?? latest?.words}
      </p>
      {(['page', 'phone'] as const).map((half) => (
        <div
          key={half}
          className={`${styles.half} relative second-row`}
          data-half={half}
          data-toward={latest?.half === half ? latest.toward : undefined}
          data-refused={(latest?.half === half && latest.refused) || undefined}
          data-cut={(cut !== undefined && half === 'phone') || undefined}
        >
          {cut !== undefined && half === 'phone' ? <Unplug size={24} className={`${styles.plug} absolute`} /> : null}
          {pulses
            .filter((pulse) => pulse.half === half)
            .map((pulse) => (
              <i
                key={pulse.seq}
                className={`${styles.pulse} absolute circle bg-accent left-0`}
                data-from={pulse.toward === 'phone' ? 'service' : half}
                data-oneway={pulse.toward === 'phone' || undefined}
                data-quiet={pulse.quiet || undefined}
                data-refused={pulse.refused || undefined}
                onAnimationEnd={() => drop(pulse.seq)}
              />
            ))}
        </div>
      ))}
      <div className={`${styles.service} centred bg-surface raised`}>
        <HandsetMark size={40} />
      </div>
      <p className={`${styles.name} muted text-center weight-530 stage-small`}>{texts.timeline.service}</p>
    </div>
  )
}

/** Maximum number of pulses drawn at once; more would be a blur. */
const MAX_PULSES = 12

const usePulses = (still: boolean) => {
  const { store } = useTools()
  const [pulses, setPulses] = useState<readonly Pulse[]>([])
  const seen = useRef(0)
  useEffect(() => {
    const leave = store.subscribe(() => {
      const { timeline, newAfter } = store.getState()
      const fresh = pulsesAfter(timeline, Math.max(seen.current, newAfter))
      seen.current = Math.max(seen.current, fresh.at(-1)?.seq ?? 0)
      if (fresh.length > 0 && !still) setPulses((before) => [...before, ...fresh].slice(-MAX_PULSES))
    })
    return () => {
      leave()
      setPulses([])
    }
  }, [store, still])
  return { pulses, drop: (seq: number) => setPulses((before) => before.filter((pulse) => pulse.seq !== seq)) }
}

type Pulse = {
  readonly seq: number
  /** Which half of the wire: between page and service, or between service and phone. */
  readonly half: 'page' | 'phone'
  /** Where the arrow points: a call to the service, a push to the phone, a read result back to the page. */
  readonly toward: 'service' | 'page' | 'phone'
  /** True for a poll, or for a call that belongs to no request. */
  readonly quiet: boolean
  readonly refused: boolean
  readonly words: string
}

export const pulsesAfter = (timeline: Timeline, seq: number): readonly Pulse[] =>
  pulsesOf(timeline)
    .filter((pulse) => pulse.seq > seq)
    .sort((a, b) => a.seq - b.seq)

export const lastPulse = (timeline: Timeline, after: number): Pulse | undefined =>
  pulsesOf(timeline).findLast(({ quiet, seq }) => !quiet && seq > after)

/** Older rows have no pulse. */
const MAX_GROUPS = 50
const MAX_ROWS = 200

/** In the timeline's order: a call is before the push that it caused, though the push may be recorded first. */
const pulsesOf = ({ groups }: Timeline): readonly Pulse[] =>
  groups
    .latest(MAX_GROUPS)
    .flatMap(({ rows, message }) =>
      rows
        .latest(MAX_ROWS)
        .flatMap((row) => row.seqs.latest(MAX_ROWS).flatMap((seq) => pulseOf({ row, seq, message }) ?? [])),
    )

type PulseInput = { readonly row: Row; readonly seq: number; readonly message: Message | undefined }

const pulseOf = ({ row, seq, message }: PulseInput): Pulse | undefined => {
  const presenter = texts.presenter
  // A call to an unknown path has no words.
  const words = presenter.wire[row.route as RowName]
  if (row.kind === 'push') {
    if (!isRow(row, 'push sent')) return undefined
    return { seq, half: 'phone', toward: 'phone', quiet: false, refused: false, words: words ?? '' }
  }
  if (row.kind !== 'exchange') return undefined
  // After a push, the phone opens the request instead of scanning a code.
  const opened = message?.method === 'push' && row.route.endsWith('/bind')
  const read = row.route.endsWith('/result') && !isPoll(row)
  // The response does not show that the judge refused a sign-in, so the message's state is checked.
  const wrong = row.route.endsWith('/reject') || (message?.state === 'fail' && row.route.endsWith('/assertion'))
  return {
    seq,
    half: row.from === 'rp' ? 'page' : 'phone',
    toward: read ? 'page' : 'service',
    quiet: !read && (isPoll(row) || words === undefined),
    refused: wrong || (row.code !== undefined && row.code !== 0),
    words: read ? presenter.answered : opened ? presenter.opened : (words ?? ''),
  }
}

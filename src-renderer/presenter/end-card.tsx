import { useEffect, useState } from 'react'
import type { BenchEvent } from '../../src-main/core/contract/events.ts'
import type { ControlClient } from '../../src-main/sdk/client.ts'
import { foldTimeline } from '../../src-main/views/timeline/event-views.ts'
import { type Message, newTimeline, type Timeline } from '../../src-main/views/timeline/timeline.ts'
import { useTools } from '../bench/use-bench.ts'
import { CHAPTERS } from '../ui/address.ts'
import { whenDone } from '../ui/effects.ts'
import { pageNow } from '../ui/page-clock.ts'
import { Button } from '../ui/primitives.tsx'
import { texts } from '../ui/texts.ts'
import type { StageDirections } from './chapter-stage.tsx'
import { type Chapter, SCRIPTS } from './chapters.ts'
import { Controls, KeyButton } from './controls.tsx'
import type { Player } from './deeds.ts'
import styles from './end-card.module.css'
import { type Run, type Runs, readRuns, storePlace } from './run.ts'
import { noteOf } from './sentences.ts'
import { useStageLink } from './stage-link.ts'
import { storyFacts, storyPosition } from './story-step.ts'

type EndCardProps = Pick<StageDirections, 'playing' | 'onPlaying' | 'onNotes' | 'onStartOver' | 'onLeave'> & {
  readonly onBack: () => void
  readonly onPlay: () => void
}

export const EndCard = ({ playing, onPlaying, onNotes, onStartOver, onLeave, onBack, onPlay }: EndCardProps) => {
  const { api } = useTools()
  const words = texts.presenter
  const [figures, setFigures] = useState<Figures>()
  const [openedAt] = useState(pageNow)
  useEffect(() => {
    const counting = api.call((demo) => readFigures(demo, readRuns()))
    return whenDone(counting, (counted) => counted.ok && setFigures(counted.value))
  }, [api])
  // The last chapter is over, so autopilot stops.
  useEffect(() => onPlaying(false), [onPlaying])
  useEffect(() => storePlace('end'), [])
  const acts = {
    ...{ next: () => undefined, back: onBack, autopilot: onPlay },
    ...{ repeat: () => undefined, 'start-over': onStartOver },
  }
  const title = words.chapters.end
  useStageLink(
    {
      ...{ chapter: 'end', told: 0, count: 0, sentence: title, note: noteOf('end'), next: '' },
      ...{ playing, startedAt: openedAt },
    },
    acts,
  )
  return (
    <>
      <section className={styles.card} data-part="end-card" aria-label={title}>
        <h2 className="stage-title">{title}</h2>
        {figures === undefined ? null : figures.passkeys + figures.codes === 0 ? (
          <>
            <p className="text-20" role="status">
              {words.nothing}
            </p>
            <Button look="primary" onClick={onStartOver} text={words.fromStart} />
          </>
        ) : (
          <>
            <dl className="flex wraps centre wide">
              {FIGURES.map((name) => (
                <div
                  className="flex bg-surface raised"
                  key={name}
                  data-figure={name}
                  data-look={MUST_BE_NONE.includes(name) ? (figures[name] === 0 ? 'good' : 'bad') : undefined}
                >
                  <dt className="muted balanced">{words.figures[name]}</dt>
                  <dd className="one-line weight-600 digits tone">{figures[name]}</dd>
                </div>
              ))}
            </dl>
            <KeyButton chord="S" onClick={onStartOver} text={words.startOver} />
          </>
        )}
      </section>
      <Controls {...{ playing, onNotes, onLeave }} story={{ back: onBack, autopilot: onPlay }} />
    </>
  )
}

const FIGURES = ['passkeys', 'codes', 'signIns', 'secrets', 'tries', 'stolen'] as const

type Figures = Readonly<Record<(typeof FIGURES)[number], number>>

const MUST_BE_NONE: readonly (keyof Figures)[] = ['secrets', 'stolen']

const STRANGERS: readonly string[] = ['thief', 'finder'] satisfies Player[]

/** Counts the shown events, each chapter once; preparation of the stage and repetitions do not count. */
const figuresOf = (timeline: Timeline, runs: Runs, secrets: number): Figures => {
  const counted = new Set(CHAPTERS.map((chapter) => furthest(timeline, chapter, runs[chapter] ?? [])?.rp))
  const shown = timeline.groups
    .latest(MAX_GROUPS)
    .flatMap(({ message }) => message ?? [])
    .filter((message) => isCounted(message) && counted.has(message.rpId))
  const strangers = shown.filter(({ askedBy = '' }) => STRANGERS.includes(askedBy))
  const good = shown.filter(({ state, askedBy = '' }) => state === 'success' && !STRANGERS.includes(askedBy))
  return {
    passkeys: good.filter(({ ceremony }) => ceremony === 'registration').length,
    codes: shown.filter(({ method }) => method !== 'push').length,
    signIns: good.filter(({ ceremony }) => ceremony === 'authentication').length,
    secrets,
    tries: strangers.length,
    stolen: strangers.filter(({ state }) => state === 'success').length,
  }
}

const MAX_GROUPS = 10_000

/** The run that went furthest; on a tie, the latest. */
const furthest = (timeline: Timeline, chapter: Chapter, runs: readonly Run[]): Run | undefined => {
  const steps = runs.map((run) => storyPosition(SCRIPTS[chapter], storyFacts(timeline, run)).step)
  return runs[steps.lastIndexOf(Math.max(...steps))]
}

const isCounted = ({ askedBy }: Message): boolean => askedBy !== undefined && askedBy !== 'stage'

/** Counts all events of the service, because the page has only the latest of them. */
export const readFigures = async (demo: ControlClient, runs: Runs): Promise<Figures> => {
  let timeline: Timeline = { ...newTimeline(), most: Number.POSITIVE_INFINITY }
  let secrets = 0
  let after = 0
  for (;;) {
    const { events, more } = await demo.call('events.list', { query: { after } })
    for (const event of events) {
      timeline = foldTimeline(timeline, event)
      secrets += countSecrets(event)
    }
    const last = events.at(-1)
    if (!more || last === undefined) return figuresOf(timeline, runs, secrets)
    after = last.seq
  }
}

const SECRET = /"[^"]*(?:passw|passcode|passphrase|private_?key)[^"]*"\s*:/gi

export const countSecrets = (event: BenchEvent): number =>
  event.kind === 'exchange' ? (textOf(event.request.body).match(SECRET)?.length ?? 0) : 0

const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body ?? ''))

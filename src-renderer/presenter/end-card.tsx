import { useEffect, useState } from 'react'
import { useTools } from '../bench/use-bench.ts'
import { Button } from '../ui/button.tsx'
import { pageNow } from '../ui/page-clock.ts'
import { texts } from '../ui/texts.ts'
import type { StageDirections } from './chapter-stage.tsx'
import { Controls, Key } from './controls.tsx'
import styles from './end-card.module.css'
import { type Figures, readFigures } from './figures.ts'
import { keepPlace, readRuns } from './run.ts'
import { noteOf } from './sentences.ts'
import { useStageLink } from './stage-link.ts'

type EndCardProps = Pick<StageDirections, 'playing' | 'onPlaying' | 'onNotes' | 'onStartOver' | 'onLeave'> & {
  readonly onBack: () => void
  /** From the start, by itself. */
  readonly onPlay: () => void
}

/** What happened, in numbers that the service recorded. */
export const EndCard = ({ playing, onPlaying, onNotes, onStartOver, onLeave, onBack, onPlay }: EndCardProps) => {
  const { api } = useTools()
  const words = texts.presenter
  const [figures, setFigures] = useState<Figures>()
  const [openedAt] = useState(pageNow)
  useEffect(() => {
    let current = true
    void api
      .call((demo) => readFigures(demo, readRuns()))
      .then((counted) => {
        if (current && counted.ok) setFigures(counted.value)
      })
    return () => {
      current = false
    }
  }, [api])
  // The last chapter led here: there is nothing more to play.
  useEffect(() => onPlaying(false), [onPlaying])
  useEffect(() => keepPlace('end'), [])
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
        <h2>{title}</h2>
        {figures === undefined ? null : figures.passkeys + figures.codes === 0 ? (
          <>
            <p role="status">{words.nothing}</p>
            <Button look="primary" onClick={onStartOver}>
              {words.fromStart}
            </Button>
          </>
        ) : (
          <>
            <dl>
              {linesOf(figures).map(([name, value, look]) => (
                <div key={name} data-figure={name} data-look={look}>
                  <dt>{words.figures[name]}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
            <Button aria-keyshortcuts="S" onClick={onStartOver}>
              {words.startOver} <Key name="S" />
            </Button>
          </>
        )}
      </section>
      <Controls
        {...{ playing, onNotes, onLeave }}
        told={0}
        count={0}
        still={false}
        troubled={false}
        story={{ back: onBack, autopilot: onPlay }}
      />
    </>
  )
}

type Line = readonly [name: keyof Figures, value: string, look?: 'good' | 'bad']

const linesOf = ({ passkeys, codes, signIns, secrets, tries, stolen }: Figures): readonly Line[] => [
  ['passkeys', String(passkeys)],
  ['codes', String(codes)],
  ['signIns', String(signIns)],
  ['secrets', String(secrets), secrets === 0 ? 'good' : 'bad'],
  ['tries', String(tries)],
  ['stolen', String(stolen), stolen === 0 ? 'good' : 'bad'],
]

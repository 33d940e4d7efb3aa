import { useEffect, useRef } from 'react'
import { useAction } from '../palette/actions.ts'
import { Button } from '../ui/button.tsx'
import { texts } from '../ui/texts.ts'
import { SCRIPTS } from './chapters.ts'
import { Key } from './controls.tsx'
import styles from './left-card.module.css'
import type { Place } from './run.ts'
import { sentenceOf } from './sentences.ts'

type LeftCardProps = { readonly left: Place; readonly onGoOn: () => void; readonly onStartOver: () => void }

/** A presentation that was left in its middle goes on, or starts over: the presenter says which. */
export const LeftCard = ({ left: { chapter, step }, onGoOn, onStartOver }: LeftCardProps) => {
  const words = texts.presenter
  const goesOn = useRef<HTMLButtonElement>(null)
  useEffect(() => goesOn.current?.focus({ preventScroll: true }), [])
  useAction('presenter-next', goesOn, onGoOn)
  return (
    <section className={styles.card} aria-label={words.leftHere}>
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

import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ControlPhone } from '../../src-main/core/contract/control/states.ts'
import type { Message } from '../../src-main/views/timeline/timeline.ts'
import { useActions } from '../palette/actions.ts'
import type { PhoneActions } from '../phone/use-phone-actions.ts'
import { CHAPTERS } from '../ui/address.ts'
import { runAfter } from '../ui/effects.ts'
import { texts } from '../ui/texts.ts'
import { useCalls } from '../ui/use-asked.ts'
import { type Chapter, SCRIPTS } from './chapters.ts'
import { DEEDS, type Deed } from './deeds.ts'
import { sentenceOf } from './sentences.ts'
import { isReady, nextStep, readingTime, type StoryPosition, shownStep, type Trouble } from './story-step.ts'

export type StoryInput = {
  readonly chapter: Chapter
  readonly rp: string
  /** The phone that acts; undefined before the new phone is made. */
  readonly phone: ControlPhone | undefined
  readonly old: ControlPhone
  readonly actions: PhoneActions
  readonly standing: StoryPosition<Message>
  readonly target: number | undefined
  readonly onTarget: (target: number | undefined) => void
  readonly playing: boolean
  readonly onPlaying: (playing: boolean) => void
  readonly onRewind: (step: number) => void
  /** Called when the story moves past the chapter's last step, or before its first. */
  readonly onChapter: (by: 1 | -1) => void
}

/** A step that takes longer than this has failed: its event will not arrive. */
const STALLED_MS = 8000

/** Advances a chapter step by step, with user actions only, and waits for the event of each. */
export const useStory = (input: StoryInput) => {
  const { chapter, rp, phone, old, actions, standing, target, onTarget, playing, onPlaying } = input
  const { call, problem } = useCalls()
  const commands = useActions()
  const [stalled, setStalled] = useState(false)
  const begun = useRef<string>(undefined)
  const { beats } = SCRIPTS[chapter]
  const last = beats.length - 1
  const { step, trouble, message } = standing
  const told = shownStep(step, target)

  const halt = useCallback(() => {
    onTarget(undefined)
    onPlaying(false)
    begun.current = undefined
  }, [onTarget, onPlaying])

  const byHand: Partial<Record<Deed, () => void>> = {
    scan: actions.scan,
    open: () => message !== undefined && actions.open(message.msgId),
    // Touches the sensor through the visible button, so that the audience sees it.
    touch: () => commands.run('touch'),
  }
  const deed = beats[step + 1]?.deed
  const perform = useEffectEvent(async (wanted: Deed) => {
    const hand = byHand[wanted]
    if (hand !== undefined) return hand()
    const cast = { rp, phone: (phone ?? old).id }
    const done = await call((demo) => DEEDS[wanted]({ ...cast, demo }, { url: '', msgId: '' }))
    if (!done.ok) halt()
  })

  // Runs the deeds up to the target one after the other, each once.
  const ready = deed !== undefined && isReady(deed, { message, phone, scanning: actions.camera !== 'off' })
  const key = `${step} ${message?.msgId ?? ''} ${message?.state ?? ''}`
  useEffect(() => {
    if (target === undefined) return
    if (step >= target) onTarget(undefined)
    else if (deed !== undefined && ready && begun.current !== key) {
      begun.current = key
      void perform(deed)
    }
  }, [target, step, ready, key, deed, onTarget])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the time begins again at each step.
  useEffect(() => {
    if (target === undefined) return
    setStalled(false)
    return runAfter(STALLED_MS, () => {
      setStalled(true)
      halt()
    })
  }, [target, key, halt])

  // A phone without a key for the bank reports a problem; at the last step, this is the intended result.
  const refused = step === last ? undefined : actions.problem
  useEffect(() => {
    if (trouble !== undefined || refused !== undefined) halt()
  }, [trouble, refused, halt])

  const idle = target === undefined
  const why: Trouble | 'stalled' | undefined = !idle ? undefined : stalled ? 'stalled' : trouble
  const sentence = why === undefined ? sentenceOf(chapter, beats[told]?.name) : texts.presenter.trouble[why]
  const advance = useEffectEvent(() => {
    if (step === last) input.onChapter(1)
    else onTarget(step + 1)
  })
  useEffect(() => {
    const plays = playing && idle && why === undefined
    return plays ? runAfter(readingTime(sentence), () => advance()) : undefined
  }, [playing, idle, sentence, why])

  return {
    told,
    last,
    sentence,
    troubled: why !== undefined,
    problem: problem ?? refused,
    next: () => {
      setStalled(false)
      const wanted = nextStep(step, target, last)
      if (wanted === 'leave') input.onChapter(1)
      else if (wanted !== undefined) onTarget(wanted)
    },
    back: told > 0 ? () => input.onRewind(told - 1) : chapter === CHAPTERS[0] ? undefined : () => input.onChapter(-1),
    autopilot: () => onPlaying(!playing),
  }
}

import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ControlPhone, RpState } from '../../src-main/contract/control/states.ts'
import type { ControlClient } from '../../src-main/sdk/client.ts'
import type { Message } from '../../src-main/timeline/timeline.ts'
import type { Api, ApiProblem } from '../api.ts'
import { useBenchPart, useTools } from '../bench/use-bench.ts'
import { useActions } from '../palette/actions.ts'
import type { PhoneActions } from '../phone/use-phone-actions.ts'
import { texts } from '../ui/texts.ts'
import { register, resetDemo, rewindDemo, signIn } from './demo.ts'
import { DEEDS, type Deed, isReady, LAST, readingTime, STEPS, standingOf, toldStep } from './story.ts'

type StoryInput = {
  /** The page's own, for what concerns workspaces. */
  readonly page: Api
  readonly rp: RpState
  readonly phone: ControlPhone
  readonly actions: PhoneActions
  readonly message: Message | undefined
}

/** Leads the demo from step to step. It only ever does what a hand could do, and waits until it has happened. */
export const useStory = ({ page, rp, phone, actions, message }: StoryInput) => {
  const { api } = useTools()
  const commands = useActions()
  const phones = useBenchPart((state) => state.phones)
  const standing = standingOf(message)
  const [target, setTarget] = useState<number>()
  const [playing, setPlaying] = useState(false)
  const [rewinding, setRewinding] = useState<number>()
  const [problem, setProblem] = useState<ApiProblem>()
  const begun = useRef<string>(undefined)
  const { step, trouble } = standing
  const told = rewinding ?? toldStep(standing, target)

  const halt = useCallback(() => {
    setTarget(undefined)
    setPlaying(false)
    begun.current = undefined
  }, [])

  const run = async (by: Api, ask: (client: ControlClient) => Promise<unknown>): Promise<void> => {
    setProblem(undefined)
    const result = await by.call(ask)
    if (result.ok) return
    setProblem(result.error)
    halt()
  }

  const deeds: Readonly<Record<Deed, () => void>> = {
    register: () => void run(api, (demo) => register({ demo, rp: rp.id })),
    'sign-in': () => void run(api, (demo) => signIn({ demo, rp: rp.id, phone: phone.id })),
    scan: actions.scan,
    open: () => message !== undefined && actions.open(message.msgId),
    // The finger is laid on the sensor that everybody sees.
    touch: () => commands.run('touch'),
  }

  // Towards the target, one deed after the other, each once.
  const deed = DEEDS[step]
  const ready = deed !== undefined && isReady(deed, { message, phone: phones[0], scanning: actions.camera !== 'off' })
  const key = `${message?.msgId ?? ''} ${message?.state ?? ''} ${phone.id}`
  const perform = useEffectEvent((deed: Deed) => deeds[deed]())
  useEffect(() => {
    if (target === undefined || rewinding !== undefined) return
    if (step >= target) setTarget(undefined)
    else if (ready && begun.current !== key) {
      begun.current = key
      perform(deed)
    }
  }, [target, rewinding, step, ready, key, deed])

  useEffect(() => {
    if (trouble !== undefined || actions.problem !== undefined) halt()
  }, [trouble, actions.problem, halt])

  const idle = target === undefined && rewinding === undefined
  const sentence =
    idle && trouble !== undefined ? texts.presenter[trouble] : texts.presenter.story[STEPS[told] ?? 'meet']
  useEffect(() => {
    if (!playing || !idle) return
    if (step === LAST) {
      setPlaying(false)
      return
    }
    const timer = setTimeout(() => setTarget(step + 1), readingTime(sentence))
    return () => clearTimeout(timer)
  }, [playing, idle, step, sentence])

  const rewindTo = async (to: number) => {
    if (rewinding !== undefined) return
    halt()
    setRewinding(to)
    await run(page, (client) => (to === 0 ? resetDemo(client, { settings: false }) : rewindDemo(client, to)))
    setRewinding(undefined)
  }

  return {
    told,
    sentence,
    playing,
    rewinding: rewinding !== undefined,
    problem: problem ?? actions.problem,
    next: () => {
      if (rewinding === undefined) setTarget(Math.min(LAST, (target ?? step) + 1))
    },
    back: () => {
      if (told > 0) void rewindTo(told - 1)
    },
    reset: () => void rewindTo(0),
    /** Starts, or stops where it is; at the end of the story it starts over. */
    autopilot: () => {
      if (playing) setPlaying(false)
      else if (step === LAST) void rewindTo(0).then(() => setPlaying(true))
      else setPlaying(true)
    },
  }
}

export type StoryControls = ReturnType<typeof useStory>

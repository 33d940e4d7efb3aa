import { useEffect, useEffectEvent, useRef } from 'react'
import { pageName } from '../session.ts'
import type { PresenterPlace } from '../ui/address.ts'

export type StageUpdate = {
  readonly kind: 'stage'
  readonly page: string
  readonly chapter: PresenterPlace
  /** Index of the step, from 0; `count` is the number of steps. */
  readonly told: number
  readonly count: number
  readonly sentence: string
  readonly note: string
  readonly next: string
  readonly playing: boolean
  /** Real time at which the chapter began, in milliseconds since 1970. */
  readonly startedAt: number
}

export type StageAct = 'next' | 'back' | 'autopilot' | 'repeat' | 'start-over'

export type StageMessage =
  | StageUpdate
  | { readonly kind: 'act'; readonly act: StageAct; readonly page: string }
  /** Sent when the notes open, to request the stage's current state. */
  | { readonly kind: 'hello' }
  | { readonly kind: 'left'; readonly page: string }

/** Two windows of one browser. `page` names the stage if several pages present. */
export const openStageLink = (onTalk: (talk: StageMessage) => void) => {
  const channel = new BroadcastChannel('handset.presenter')
  channel.addEventListener('message', ({ data }: MessageEvent<StageMessage>) => onTalk(data))
  return { say: (talk: StageMessage) => channel.postMessage(talk), close: () => channel.close() }
}

export const useStageLink = (
  news: Omit<StageUpdate, 'kind' | 'page'>,
  acts: Readonly<Record<StageAct, () => void>>,
): void => {
  const link = useRef<ReturnType<typeof openStageLink>>(undefined)
  const tell = useEffectEvent(() => link.current?.say({ kind: 'stage', page: pageName(), ...news }))
  const act = useEffectEvent((wanted: StageAct) => acts[wanted]())
  useEffect(() => {
    const opened = openStageLink((talk) => {
      if (talk.kind === 'hello') tell()
      if (talk.kind === 'act' && talk.page === pageName()) act(talk.act)
    })
    link.current = opened
    tell()
    return () => {
      opened.say({ kind: 'left', page: pageName() })
      opened.close()
    }
  }, [])
  const { chapter, told, playing, sentence, startedAt } = news
  // biome-ignore lint/correctness/useExhaustiveDependencies: sent again when one of these changes.
  useEffect(() => tell(), [chapter, told, playing, sentence, startedAt])
}

import { useEffect, useEffectEvent, useRef } from 'react'
import { pageName } from '../session.ts'
import { openStageLink, type StageAct, type StageNews } from './stage-link.ts'

/** Tells the speaker's window what the stage shows, and does what it asks. */
export const useStageLink = (
  news: Omit<StageNews, 'kind' | 'page'>,
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: told again when one of these changes.
  useEffect(() => tell(), [chapter, told, playing, sentence, startedAt])
}

import { ListRestart, Pause, Play, RotateCcw } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { pageName } from '../session.ts'
import { CHAPTERS, type PresenterPlace } from '../ui/address.ts'
import { onWindow } from '../ui/effects.ts'
import { minuteSecond } from '../ui/format.ts'
import { pageNow, useTick } from '../ui/page-clock.ts'
import { Button } from '../ui/primitives.tsx'
import { texts } from '../ui/texts.ts'
import { navigateTo, useTitle } from '../ui/use-address.ts'
import { KeyButton } from './controls.tsx'
import styles from './notes-screen.module.css'
import { openStageLink, type StageAct, type StageUpdate } from './stage-link.ts'

const TWO_MINUTES_MS = 120_000

const KEYS: Readonly<Record<string, StageAct>> = {
  ArrowRight: 'next',
  PageDown: 'next',
  ArrowLeft: 'back',
  PageUp: 'back',
  ' ': 'autopilot',
  r: 'repeat',
  s: 'start-over',
}

export const NotesScreen = ({ chapter }: { readonly chapter: PresenterPlace }) => {
  const words = texts.presenter
  const { news, act } = useStageNews(chapter)
  useTitle(words.speaker.title)
  useEffect(() => {
    return onWindow('keydown', (event) => {
      const wanted = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key]
      if (wanted === undefined || event.ctrlKey || event.metaKey || event.altKey) return
      // The space bar presses the focused button.
      if (event.key === ' ' && event.target instanceof HTMLButtonElement) return
      event.preventDefault()
      if (!event.repeat) act(wanted)
    })
  }, [act])
  if (news === undefined) {
    return (
      <main className={styles.notes} data-part="notes">
        <h1 className="text-20 leading-28 weight-620">{words.speaker.title}</h1>
        <p role="status">{words.speaker.none}</p>
        <Button
          look="primary"
          onClick={() => {
            // A new name, so that the stage opens its notes in a new window.
            window.name = ''
            navigateTo({ screen: 'presenter', chapter }, 'replace')
          }}
          text={words.speaker.openOne}
        />
      </main>
    )
  }
  return (
    <main className={styles.notes} data-part="notes">
      <header className="flex wraps baseline between gap-4-24 pb-12">
        <h1 className="text-20 leading-28 weight-620">{words.chapters[news.chapter]}</h1>
        <Elapsed since={news.startedAt} />
      </header>
      <section aria-label={words.speaker.now}>
        <p className={`${styles.now} text-27 leading-34 weight-620`} role="status">
          {news.sentence}
        </p>
        <p className="mt-12">{news.note}</p>
      </section>
      {news.next === '' ? null : (
        <section aria-label={words.speaker.next}>
          <h2 className="muted text-14 weight-560 leading-20">{words.speaker.next}</h2>
          <p className="muted text-19 leading-27">{news.next}</p>
        </section>
      )}
      <footer className="row wraps gap-8 push-down pt-14">
        <span className="muted text-14">{news.count === 0 ? null : words.step(news.told + 1, news.count)}</span>
        <KeyButton
          chord="ArrowLeft"
          disabled={news.chapter === CHAPTERS[0] && news.told === 0}
          onClick={() => act('back')}
          text={words.back}
        />
        <KeyButton
          look="primary"
          chord="ArrowRight"
          disabled={news.chapter === 'end'}
          onClick={() => act('next')}
          text={words.next}
        />
        <KeyButton
          Icon={news.playing ? Pause : Play}
          size={18}
          aria-pressed={news.playing}
          chord="Space"
          onClick={() => act('autopilot')}
          text={news.playing ? words.playing : texts.palette.names['presenter-autopilot']}
        />
        {news.chapter === 'end' ? null : (
          <KeyButton Icon={RotateCcw} size={18} chord="R" onClick={() => act('repeat')} text={words.repeat} />
        )}
        <KeyButton Icon={ListRestart} size={18} chord="S" onClick={() => act('start-over')} text={words.startOver} />
      </footer>
    </main>
  )
}

const Elapsed = ({ since }: { readonly since: number }) => {
  useTick(500)
  const passed = Math.max(0, pageNow() - since)
  const over = passed > TWO_MINUTES_MS
  const { time, ofTwo, over: late } = texts.presenter.speaker
  return (
    <p className={styles.time} data-over={over || undefined}>
      <span className="unseen">{time}</span>
      <b className="digits">{minuteSecond(passed)}</b> <small className="muted text-14">{over ? late : ofTwo}</small>
    </p>
  )
}

const GONE_MS = 1500

const useStageNews = (chapter: PresenterPlace) => {
  const [news, setNews] = useState<StageUpdate>()
  const link = useRef<ReturnType<typeof openStageLink>>(undefined)
  const followed = useRef<string>(undefined)
  useEffect(() => {
    let gone: ReturnType<typeof setTimeout> | undefined
    const opened = openStageLink((talk) => {
      if (talk.kind === 'hello' || talk.kind === 'act') return
      // A notes window that a page opened has that page's name; other windows follow the first stage that sends news.
      if (talk.page !== pageName() && talk.page !== (followed.current ?? talk.page)) return
      clearTimeout(gone)
      followed.current = talk.page
      if (talk.kind === 'stage') setNews(talk)
      // Waits, because the next chapter's stage sends news soon; a stage that the presenter left sends none.
      else
        gone = setTimeout(() => {
          followed.current = undefined
          setNews(undefined)
        }, GONE_MS)
    })
    link.current = opened
    opened.say({ kind: 'hello' })
    return () => {
      clearTimeout(gone)
      opened.close()
    }
  }, [])
  const at = news?.chapter
  useEffect(() => {
    if (at !== undefined && at !== chapter) navigateTo({ screen: 'presenter', chapter: at, notes: true }, 'replace')
  }, [at, chapter])
  const [act] = useState(() => (wanted: StageAct) => {
    if (followed.current !== undefined) link.current?.say({ kind: 'act', act: wanted, page: followed.current })
  })
  return { news, act }
}

import { Pause, Play } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { ControlPhone, RpState } from '../../src-main/control/contract/states.ts'
import { rpView } from '../bench/rp-view.ts'
import { useBench, useTools } from '../bench/use-bench.ts'
import { PhoneBody } from '../phone/phone-body.tsx'
import { PhoneScreen } from '../phone/phone-screen.tsx'
import { usePhoneActions } from '../phone/use-phone-actions.ts'
import { usePasskeyCount } from '../relying-party/use-passkey-count.ts'
import { useRpActions } from '../relying-party/use-rp-actions.ts'
import { Button } from '../ui/button.tsx'
import { texts } from '../ui/texts.ts'
import { StageWindow } from './stage-window.tsx'
import { canGoOn, DIRECTIONS, MOMENTS, type Moment, momentOf } from './story.ts'

type PresenterProps = { readonly onLeave: () => void }

/** One ceremony told in seven moments to a room: everything in it really happens on the bench. */
export const PresenterScreen = ({ onLeave }: PresenterProps) => {
  const { rps, phones } = useBench()
  const [rp] = rps
  const phone = phones.find(({ lost, signed_in }) => !lost && signed_in)
  useEffect(() => {
    const leave = (event: KeyboardEvent) => event.key === 'Escape' && onLeave()
    addEventListener('keydown', leave)
    return () => removeEventListener('keydown', leave)
  }, [onLeave])
  if (rp === undefined || phone === undefined) {
    return (
      <main className="presenter">
        <div className="empty">
          <p>{texts.presenter.needsBoth}</p>
          <Button onClick={onLeave}>{texts.presenter.leave}</Button>
        </div>
      </main>
    )
  }
  return <Story rp={rp} phone={phone} onLeave={onLeave} />
}

type StoryProps = { readonly rp: RpState; readonly phone: ControlPhone; readonly onLeave: () => void }

/** So long a moment stands on autopilot. */
const PACE_MS = 4200

const Story = ({ rp, phone, onLeave }: StoryProps) => {
  const words = texts.presenter
  const { timeline, lastSeq } = useBench()
  const { store } = useTools()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [watched, setWatched] = useState(false)
  const [opened, setOpened] = useState(lastSeq)
  const [told, setTold] = useState(0)
  const [playing, setPlaying] = useState(false)
  const username = phone.account.name.toLowerCase()
  const passkeys = usePasskeyCount(rp.id, username)
  const rpActions = useRpActions(rp.id, { userId: username, username })
  const phoneActions = usePhoneActions(phone, canvas, setWatched)

  const view = rpView({ timeline, rpId: rp.id, dismissed: opened, lookUp: store.lookUp })
  const message = view.kind === 'request' ? view.message : undefined
  const scene = {
    ...(message === undefined ? {} : { message }),
    screen: phone.screen,
    reading: phoneActions.camera === 'looking' || phoneActions.camera === 'reading',
  }
  const shown = Math.max(told, momentOf(scene))
  const moment: Moment = MOMENTS[shown] ?? 'start'
  const ceremony = message?.ceremony ?? (passkeys === undefined || passkeys === 0 ? 'registration' : 'authentication')
  const last = shown === MOMENTS.length - 1

  const next = () => {
    if (last) {
      phoneActions.home()
      setOpened(lastSeq)
      setTold(0)
      return
    }
    if (!canGoOn(shown, scene)) return
    if (moment === 'start') {
      if (ceremony === 'registration') rpActions.register()
      else rpActions.signIn('qrcode')
    } else if (moment === 'code') phoneActions.scan()
    else if (moment === 'asked' && phone.screen.kind === 'request') {
      phoneActions.approve(phone.screen.prompt, phone.screen.prompt.storage)
    }
    // The first moments are brought about by the bench; the last ones are only told.
    if (moment !== 'start' && moment !== 'code') setTold(shown + 1)
  }
  // Whatever the phone was in the middle of is not part of this story.
  const clear = useRef(phoneActions.home)
  const clean = useRef(phone.screen.kind === 'lock' || phone.screen.kind === 'home')
  useEffect(() => {
    if (!clean.current) clear.current()
    clean.current = true
  }, [])

  const latest = useRef(next)
  latest.current = next

  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.target instanceof HTMLButtonElement && (event.key === ' ' || event.key === 'Enter')) return
      if (event.key === 'ArrowRight') latest.current()
      else if (event.key === ' ') setPlaying((on) => !on)
      else if (event.key === 'ArrowLeft') setTold((at) => Math.max(0, at - 1))
      else return
      event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: every moment that is reached starts its own time.
  useEffect(() => {
    if (!playing) return
    const timer = setInterval(() => latest.current(), PACE_MS)
    return () => clearInterval(timer)
  }, [playing, shown])

  const ended = message?.state === 'fail' || message?.state === 'timeout' ? message.state : undefined
  const sentence =
    shown >= MOMENTS.indexOf('done') && ended !== undefined ? words[ended] : words.story[ceremony][moment]
  return (
    <main className="presenter">
      <h1 className="unseen">{words.title}</h1>
      <div className="stage">
        <StageWindow
          rp={rp}
          message={message}
          username={username}
          registering={ceremony === 'registration'}
          canvas={canvas}
          watched={watched}
          onStart={next}
        />
        <Arrow key={moment} moment={moment} />
        <section className="stage-phone" aria-label={texts.phone.label(phone.name)}>
          <PhoneBody>
            <PhoneScreen phone={phone} actions={phoneActions} canvas={canvas} />
          </PhoneBody>
        </section>
      </div>
      <p className="story" role="status">
        {sentence}
      </p>
      <footer className="presenter-foot">
        <Button look="ghost" onClick={() => setPlaying(!playing)}>
          {playing ? (
            <Pause size={14} strokeWidth={1.75} aria-hidden="true" />
          ) : (
            <Play size={14} strokeWidth={1.75} aria-hidden="true" />
          )}
          {playing ? words.playing : words.autopilot}
          <kbd>Space</kbd>
        </Button>
        <div className="dots" role="img" aria-label={words.moment(shown + 1, MOMENTS.length)}>
          {MOMENTS.map((each, i) => (
            <i key={each} data-at={i < shown ? 'before' : i === shown ? 'now' : 'after'} />
          ))}
        </div>
        <div className="presenter-acts">
          <Button look="ghost" disabled={told <= momentOf(scene)} onClick={() => setTold(told - 1)}>
            {words.back} <kbd>←</kbd>
          </Button>
          <Button look="ghost" disabled={!canGoOn(shown, scene)} onClick={next}>
            {last ? words.again : words.next} <kbd>→</kbd>
          </Button>
          <Button look="ghost" onClick={onLeave}>
            {words.leave} <kbd>Esc</kbd>
          </Button>
        </div>
      </footer>
    </main>
  )
}

const Arrow = ({ moment }: { readonly moment: Moment }) => {
  const direction = DIRECTIONS[moment]
  const arrows: Partial<Record<Moment, string>> = texts.presenter.arrows
  return (
    <div className="stage-arrow" data-direction={direction} aria-hidden={direction === undefined}>
      {direction === undefined ? null : (
        <>
          <span>{arrows[moment]}</span>
          <i />
        </>
      )}
    </div>
  )
}

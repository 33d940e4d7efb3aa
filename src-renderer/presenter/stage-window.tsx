import { Check, QrCode as Code, Hourglass, X } from 'lucide-react'
import type { RefObject } from 'react'
import type { RpState } from '../../src-main/control/contract/states.ts'
import { isFinal } from '../../src-main/protocol/message-state.ts'
import { rpVariant } from '../bench/rp-variant.ts'
import type { Message } from '../bench/timeline.ts'
import { useBench, useBenchNow } from '../bench/use-bench.ts'
import { Progress } from '../relying-party/progress.tsx'
import { QrCode } from '../relying-party/qr-code.tsx'
import { minuteSecond } from '../ui/format.ts'
import { RpMark } from '../ui/marks.tsx'
import { useTick } from '../ui/page-clock.ts'
import { texts } from '../ui/texts.ts'

type StageWindowProps = {
  readonly rp: RpState
  readonly message: Message | undefined
  readonly username: string
  readonly registering: boolean
  readonly canvas: RefObject<HTMLCanvasElement | null>
  readonly watched: boolean
  readonly onStart: () => void
}

/** A code that a room can see. */
const STAGE_LARGEST = 14

/** The RP's page, large: the code at the left, what it says at the right. */
export const StageWindow = ({ rp, message, username, registering, canvas, watched, onStart }: StageWindowProps) => {
  const { rps } = useBench()
  const waiting = message !== undefined && !isFinal(message.state)
  return (
    <section className="stage-window" aria-label={texts.rp.pane}>
      <header>
        <RpMark variant={rpVariant(rps, rp.id)} size={32} />
        <b>{rp.name}</b>
      </header>
      <div className="stage-page" data-code={waiting || undefined}>
        {waiting ? (
          <QrCode
            text={message.url}
            label={texts.rp.scan.code[message.ceremony]}
            canvas={canvas}
            watched={watched}
            largest={STAGE_LARGEST}
          />
        ) : null}
        <div className="stage-words">
          {message === undefined || waiting ? null : <Sign state={message.state} />}
          <h2>{titleOf(message, username, registering)}</h2>
          {message === undefined ? (
            <button type="button" className="rp-button" onClick={onStart}>
              <Code size={20} strokeWidth={1.75} aria-hidden="true" />
              {registering ? texts.rp.form.registerButton : texts.rp.form.byCode}
            </button>
          ) : null}
          {waiting ? <TimeLeft message={message} /> : null}
          {message === undefined ? null : (
            <Progress state={message.state} bound={message.svcUser !== undefined && message.svcUser !== ''} />
          )}
        </div>
      </div>
    </section>
  )
}

const titleOf = (message: Message | undefined, username: string, registering: boolean): string => {
  const words = texts.rp
  if (message === undefined) return registering ? words.form.register : words.form.signIn
  const signIn = message.ceremony === 'authentication'
  switch (message.state) {
    case 'init':
      return signIn ? words.scan.signIn : words.scan.register
    case 'bind':
      return words.scan.confirm
    case 'success':
      return signIn ? words.done.signedIn(username) : words.done.registered
    case 'fail':
      return signIn ? words.failed.signIn : words.failed.register
    case 'timeout':
      return words.failed.timeout
  }
}

const SIGNS = {
  success: { tone: 'ok', Icon: Check },
  fail: { tone: 'fail', Icon: X },
  timeout: { tone: 'warn', Icon: Hourglass },
} as const

const Sign = ({ state }: { readonly state: Message['state'] }) => {
  const sign = state === 'init' || state === 'bind' ? undefined : SIGNS[state]
  return sign === undefined ? null : (
    <span className="rp-sign" data-tone={sign.tone}>
      <sign.Icon size={36} strokeWidth={1.75} aria-hidden="true" />
    </span>
  )
}

const TimeLeft = ({ message }: { readonly message: Message }) => {
  useTick(500)
  return <p className="stage-left num">{texts.presenter.left(minuteSecond(message.expiresAt - useBenchNow()))}</p>
}

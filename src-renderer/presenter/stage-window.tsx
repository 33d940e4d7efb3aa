import { Check, QrCode as Code, Hourglass, Landmark, X } from 'lucide-react'
import type { RefObject } from 'react'
import type { RpState } from '../../src-main/contract/control/states.ts'
import { isFinal } from '../../src-main/protocol/message-state.ts'
import type { Message } from '../../src-main/timeline/timeline.ts'
import { Progress } from '../relying-party/progress.tsx'
import { QrCode } from '../relying-party/qr-code.tsx'
import { PushPicture } from '../relying-party/request-view.tsx'
import rpPartsStyles from '../relying-party/rp-parts.module.css'
import { RpMark } from '../ui/marks.tsx'
import { texts } from '../ui/texts.ts'
import styles from './stage-window.module.css'

type StageWindowProps = {
  readonly rp: RpState
  readonly message: Message | undefined
  readonly canvas: RefObject<HTMLCanvasElement | null>
  readonly watched: boolean
  readonly onStart: () => void
}

/** A code that a room can see. */
const STAGE_LARGEST = 14

/** The RP's page, large: a picture at the left, what it says at the right. */
export const StageWindow = ({ rp, message, canvas, watched, onStart }: StageWindowProps) => (
  <section className={styles.window} data-part="stage-window" aria-label={texts.rp.pane}>
    <header>
      <RpMark variant={0} size={32} />
      <b>{rp.name}</b>
    </header>
    <div className={styles.page} data-part="stage-page">
      <div className={styles.picture}>
        <Picture message={message} canvas={canvas} watched={watched} />
      </div>
      <div className={styles.words} data-part="stage-words">
        <h2>{titleOf(message)}</h2>
        {message === undefined ? (
          <button type="button" className={rpPartsStyles.button} data-part="rp-button" onClick={onStart}>
            <Code size={20} strokeWidth={1.75} aria-hidden="true" />
            {texts.rp.form.registerButton}
          </button>
        ) : (
          <Progress state={message.state} bound={message.svcUser !== undefined && message.svcUser !== ''} />
        )}
      </div>
    </div>
  </section>
)

const Picture = ({ message, canvas, watched }: Pick<StageWindowProps, 'message' | 'canvas' | 'watched'>) => {
  if (message === undefined) {
    return (
      <span className={rpPartsStyles.sign} data-part="rp-sign" data-tone="bank">
        <Landmark strokeWidth={1.25} aria-hidden="true" />
      </span>
    )
  }
  if (!isFinal(message.state)) {
    return message.method === 'push' ? (
      <PushPicture lead={texts.rp.scan.pushLead} bound={message.state === 'bind'} />
    ) : (
      <QrCode
        text={message.url}
        label={texts.rp.scan.code[message.ceremony]}
        canvas={canvas}
        watched={watched}
        largest={STAGE_LARGEST}
      />
    )
  }
  const { tone, Icon } = SIGNS[message.state === 'success' || message.state === 'timeout' ? message.state : 'fail']
  return (
    <span className={rpPartsStyles.sign} data-part="rp-sign" data-tone={tone}>
      <Icon strokeWidth={1.5} aria-hidden="true" />
    </span>
  )
}

const SIGNS = {
  success: { tone: 'ok', Icon: Check },
  fail: { tone: 'fail', Icon: X },
  timeout: { tone: 'warn', Icon: Hourglass },
} as const

const titleOf = (message: Message | undefined): string => {
  const words = texts.rp
  if (message === undefined) return words.form.register
  const signIn = message.ceremony === 'authentication'
  switch (message.state) {
    case 'init':
      return message.method === 'push' ? words.scan.push : signIn ? words.scan.signIn : words.scan.register
    case 'bind':
      return words.scan.confirm
    case 'success':
      return signIn ? words.done.signedIn(message.username) : words.done.registered
    case 'fail':
      return signIn ? words.failed.signIn : words.failed.register
    case 'timeout':
      return words.failed.timeout
  }
}

import { Zap } from 'lucide-react'
import type { RefObject } from 'react'
import { wordOf } from '../../src-main/core/contract/judge/failure-words.ts'
import type { Message, Told } from '../../src-main/views/timeline/timeline.ts'
import { useBenchNow } from '../bench/use-bench.ts'
import { outcomeOf } from '../bench/words.ts'
import { minuteSecond } from '../ui/format.ts'
import { useTick } from '../ui/page-clock.ts'
import { texts } from '../ui/texts.ts'
import { Outcome } from './outcome.tsx'
import { Progress } from './progress.tsx'
import { QrCode } from './qr-code.tsx'
import styles from './request-view.module.css'
import rpFootStyles from './rp-foot.module.css'
import rpPartsStyles from './rp-parts.module.css'
import type { RpActions } from './use-rp-actions.ts'

type RequestViewProps = {
  readonly message: Message
  readonly canvas: RefObject<HTMLCanvasElement | null>
  readonly watched: boolean
  readonly actions: RpActions
  readonly onAgain: (register: boolean) => void
  readonly onWhy: () => void
}

export const RequestView = ({ message, canvas, watched, actions, onAgain, onWhy }: RequestViewProps) => {
  const outcome = outcomeOf(message)
  const { told } = message
  return (
    <>
      {outcome !== undefined ? (
        <Outcome message={message} outcome={outcome} actions={actions} onAgain={onAgain} />
      ) : (
        <Waiting message={message} canvas={canvas} watched={watched} actions={actions} />
      )}
      <footer className={rpFootStyles.foot}>
        <Progress state={message.state} bound={message.svcUser !== undefined && message.svcUser !== ''} />
        <p role="status">
          {told === undefined ? <Who message={message} /> : <ToldNote told={told} asked={message.userId} />}
          {told !== undefined || (message.verdict !== undefined && message.state === 'fail') ? (
            <button type="button" className={rpPartsStyles.why} onClick={onWhy}>
              {texts.rp.failed.why}
            </button>
          ) : null}
        </p>
      </footer>
    </>
  )
}

/** A fault changed the RP's answer: in the colour of lies, and whom it believed. */
const ToldNote = ({ told, asked }: { readonly told: Told; readonly asked: string }) => {
  const words = texts.rp.told
  const isOther = told.account !== undefined && told.account !== asked
  return (
    <span className={styles.told}>
      <Zap size={12} strokeWidth={2} aria-hidden="true" />
      {isOther ? words.believed(told.account ?? '', asked) : words.lied}
    </span>
  )
}

const Who = ({ message: { state, svcUser = '', method, error, delivered } }: { readonly message: Message }) => {
  const words = texts.rp
  const word = wordOf(error)
  if (state === 'fail') {
    return (
      <>
        <code>{word}</code> {svcUser === '' ? null : words.failed.from} <b title={svcUser}>{svcUser}</b>
      </>
    )
  }
  if (state === 'success' && !delivered) return words.done.unread
  if (svcUser === '') return method === 'push' ? words.scan.nobodyOpened : words.scan.nobody
  const verb =
    state === 'success' ? words.done.confirmedBy : method === 'push' ? words.scan.openedBy : words.scan.scannedBy
  return (
    <>
      {verb} <b title={svcUser}>{svcUser}</b>
    </>
  )
}

type WaitingProps = Pick<RequestViewProps, 'message' | 'canvas' | 'watched' | 'actions'>

const Waiting = ({ message, canvas, watched, actions }: WaitingProps) => {
  const words = texts.rp.scan
  const signIn = message.ceremony === 'authentication'
  const push = message.method === 'push'
  const bound = message.state === 'bind' || message.state === 'success'
  const title =
    message.state === 'success'
      ? words.reading
      : bound
        ? words.confirm
        : push
          ? words.push
          : signIn
            ? words.signIn
            : words.register
  return (
    <div className={`${styles.waiting} row grow`}>
      <h2>{title}</h2>
      {push ? (
        <PushPicture lead={words.pushLead} bound={bound} />
      ) : (
        <QrCode text={message.url} label={words.code[message.ceremony]} canvas={canvas} watched={watched} />
      )}
      <div className={`${styles.time} grid rigid small`}>
        <TimeLeft message={message} />
        {signIn ? (
          <button type="button" disabled={actions.busy} onClick={() => actions.signIn(push ? 'qrcode' : 'push')}>
            {push ? words.showCode : words.sendToPhone}
          </button>
        ) : null}
      </div>
    </div>
  )
}

const TimeLeft = ({ message }: { readonly message: Message }) => {
  useTick(250)
  const left = Math.max(0, message.expiresAt - useBenchNow())
  const whole = Math.max(1, message.expiresAt - message.startedBench)
  return (
    <>
      <i aria-hidden="true">
        <b style={{ transform: `scaleX(${Math.min(1, left / whole)})` }} />
      </i>
      <span>
        {texts.rp.scan.expiresIn} <b className="num">{minuteSecond(left)}</b>
      </span>
    </>
  )
}

/** A small phone with the request on it, and waves until it is answered. */
export const PushPicture = ({ lead, bound }: { readonly lead: string; readonly bound: boolean }) => (
  <div className={`${styles.push} row grow gap-4`} data-part="rp-push" data-bound={bound || undefined}>
    <svg viewBox="0 0 160 160" width="150" height="150" fill="none" aria-hidden="true">
      <circle className={styles.wave} cx="80" cy="80" r="52" />
      <circle className={styles.wave} cx="80" cy="80" r="70" />
      <rect
        x="54"
        y="30"
        width="52"
        height="100"
        rx="11"
        fill="var(--bank-page)"
        stroke="var(--bank)"
        strokeWidth="2.5"
      />
      <rect
        x="61"
        y="48"
        width="38"
        height="24"
        rx="6"
        fill="var(--bank-soft)"
        stroke="var(--bank)"
        strokeWidth="1.5"
      />
      <path d="M67 57h20M67 64h13" stroke="var(--bank)" strokeWidth="2" strokeLinecap="round" />
      <path d="M72 122h16" stroke="var(--bank)" strokeWidth="2.5" strokeLinecap="round" />
    </svg>
    <p>{lead}</p>
  </div>
)

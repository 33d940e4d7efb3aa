import { Check, Hourglass, Landmark, Lock, LockOpen, X } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import { isFinal } from '../../src-main/core/protocol/message-state.ts'
import type { Message } from '../../src-main/views/timeline/timeline.ts'
import { Progress, PushPicture, QrCode, waitingTitle } from '../relying-party/request-view.tsx'
import { RpButton, RpSign } from '../relying-party/rp-parts.tsx'
import { RpMark } from '../ui/primitives.tsx'
import { texts } from '../ui/texts.ts'
import styles from './stage-window.module.css'

export type Invitation = { readonly title: string; readonly button: string }

type StageWindowProps = {
  readonly bank: string
  readonly host: string
  /** A copy of the bank's page at another address. */
  readonly lookalike?: boolean
  readonly message: Message | undefined
  readonly invitation: Invitation
  readonly canvas: RefObject<HTMLCanvasElement | null>
  readonly watched: boolean
  readonly onStart: () => void
}

/** Pixels per module: readable in a small window, and from the back of a room. */
const STAGE_MODULES = { smallest: 2, largest: 14 } as const

export const StageWindow = (props: StageWindowProps) => {
  const { bank, host, lookalike = false, message, invitation, canvas, watched, onStart } = props
  return (
    <section
      className={`${styles.window} column shrinks relative cut raised bank-ink bg-bank-page`}
      data-part="stage-window"
      data-lookalike={lookalike || undefined}
      aria-label={lookalike ? texts.presenter.page.lookalike : bank}
    >
      <AddressBar host={host} safe={!lookalike}>
        {lookalike ? texts.presenter.page.lookalike : null}
      </AddressBar>
      <Brand>
        <b className="one-line">{bank}</b>
      </Brand>
      <div className={`${styles.page} middle grid grow shortens`} data-part="stage-page">
        <div className={`${styles.picture} centred shrinks tall`}>
          <Picture message={message} canvas={canvas} watched={watched} />
        </div>
        <div className={`${styles.words} column top narrows py-6`} data-part="stage-words">
          <h2 className="balanced">{message === undefined ? invitation.title : titleOf(message)}</h2>
          {message === undefined ? <RpButton onClick={onStart} text={invitation.button} /> : null}
        </div>
      </div>
      {message === undefined ? null : <StageProgress message={message} />}
    </section>
  )
}

type RealBankProps = { readonly host: string; readonly message: Message | undefined }

/** The real bank as the thief sees it; the thief's page below copies its code. */
export const RealBank = ({ host, message }: RealBankProps) => (
  <section
    className={`${styles.real} rigid cut raised bank-ink bg-bank-page`}
    data-part="stage-bank"
    aria-label={texts.presenter.page.thiefs}
  >
    <AddressBar host={host} safe>
      {texts.presenter.page.thiefs}
    </AddressBar>
    {/* The address bar names the bank already. */}
    <Brand>{message === undefined ? null : <StageProgress message={message} />}</Brand>
  </section>
)

type AddressBarProps = { readonly host: string; readonly safe: boolean; readonly children: ReactNode }

const AddressBar = ({ host, safe, children }: AddressBarProps) => {
  const Icon = safe ? Lock : LockOpen
  return (
    <div className={`${styles.bar} row rigid between stage-small`}>
      <span className={`row narrows bg-surface ${safe ? 'bank-ink' : 'fail'}`}>
        <Icon size={24} strokeWidth={2} />
        <b className="one-line weight-560">{host}</b>
      </span>
      {children === null ? null : (
        <em className={`text-right upright ${safe ? 'weight-530 muted' : 'weight-600 on-fail'}`}>{children}</em>
      )}
    </div>
  )
}

const Brand = ({ children }: { readonly children: ReactNode }) => (
  <header className={`${styles.brand} row rigid`}>
    <RpMark variant={0} size={32} />
    {children}
  </header>
)

const StageProgress = ({ message }: { readonly message: Message }) => (
  <Progress
    state={message.state}
    bound={(message.svcUser ?? '') !== ''}
    names={message.method === 'push' ? texts.presenter.pushStates : texts.presenter.states}
  />
)

const Picture = ({ message, canvas, watched }: Pick<StageWindowProps, 'message' | 'canvas' | 'watched'>) => {
  if (message === undefined) return <RpSign tone="bank" Icon={Landmark} strokeWidth={1.25} />
  if (!isFinal(message.state)) {
    return message.method === 'push' ? (
      <PushPicture lead={texts.rp.scan.pushLead} bound={message.state === 'bind'} />
    ) : (
      <QrCode
        text={message.url}
        label={texts.rp.scan.code[message.ceremony]}
        canvas={canvas}
        watched={watched}
        {...STAGE_MODULES}
      />
    )
  }
  const sign = SIGNS[message.state === 'success' || message.state === 'timeout' ? message.state : 'fail']
  return <RpSign {...sign} strokeWidth={1.5} />
}

const SIGNS = {
  success: { tone: 'ok', Icon: Check },
  fail: { tone: 'fail', Icon: X },
  timeout: { tone: 'warn', Icon: Hourglass },
} as const

const titleOf = (message: Message): string => {
  if (!isFinal(message.state)) return waitingTitle(message)
  const { done, failed } = texts.rp
  const signIn = message.ceremony === 'authentication'
  if (message.state === 'timeout') return failed.timeout
  if (message.state === 'success') return signIn ? done.signedIn(message.username) : done.registered
  return signIn ? failed.signIn : failed.register
}

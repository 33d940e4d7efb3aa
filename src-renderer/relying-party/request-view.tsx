import { Check, Hourglass, X, Zap } from 'lucide-react'
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { encode } from 'uqr'
import { failureWord, type MessageState } from '../../src-main/core/protocol/message-state.ts'
import type { FaultReaction, Message } from '../../src-main/views/timeline/timeline.ts'
import { useBenchNow } from '../bench/use-bench.ts'
import { type RpOutcome, rpOutcome } from '../bench/words.ts'
import { observeSize } from '../ui/effects.ts'
import { minuteSecond } from '../ui/format.ts'
import { useTick } from '../ui/page-clock.ts'
import { texts } from '../ui/texts.ts'
import styles from './request-view.module.css'
import rpPartsStyles from './rp-parts.module.css'
import { Concluded, RpButton, RpFoot, WhyButton } from './rp-parts.tsx'
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
  const outcome = rpOutcome(message)
  const { told } = message
  return (
    <>
      {outcome !== undefined ? (
        <Outcome message={message} outcome={outcome} actions={actions} onAgain={onAgain} />
      ) : (
        <Waiting message={message} canvas={canvas} watched={watched} actions={actions} />
      )}
      <RpFoot steps={<Progress state={message.state} bound={(message.svcUser ?? '') !== ''} />}>
        {told === undefined ? <Who message={message} /> : <ReactionNote told={told} asked={message.userId} />}
        {told !== undefined || (message.verdict !== undefined && message.state === 'fail') ? (
          <WhyButton onWhy={onWhy} />
        ) : null}
      </RpFoot>
    </>
  )
}

/** The RP's reaction to an answer that a fault changed. */
const ReactionNote = ({ told, asked }: { readonly told: FaultReaction; readonly asked: string }) => {
  const words = texts.rp.told
  const isOther = told.account !== undefined && told.account !== asked
  return (
    <span className={`${styles.told} fault`}>
      <Zap className="inline mr-4" size={12} strokeWidth={2} />
      {isOther ? words.believed(told.account ?? '', asked) : words.lied}
    </span>
  )
}

const Who = ({ message: { state, svcUser = '', method, error, delivered } }: { readonly message: Message }) => {
  const words = texts.rp
  const word = failureWord(error)
  if (state === 'fail') {
    return (
      <>
        <code className="fail">{word}</code> {svcUser === '' ? null : words.failed.from} <UserName name={svcUser} />
      </>
    )
  }
  if (state === 'success' && !delivered) return <>{words.done.unread}</>
  if (svcUser === '') return <>{method === 'push' ? words.scan.nobodyOpened : words.scan.nobody}</>
  const verb =
    state === 'success' ? words.done.confirmedBy : method === 'push' ? words.scan.openedBy : words.scan.scannedBy
  return (
    <>
      {verb} <UserName name={svcUser} />
    </>
  )
}

const UserName = ({ name }: { readonly name: string }) => (
  <b className={`${styles.name} inline-block fits clip weight-600 bank-ink`} title={name}>
    {name}
  </b>
)

export const waitingTitle = ({ state, method, ceremony }: Message): string => {
  const words = texts.rp.scan
  if (state === 'success') return words.reading
  if (state === 'bind') return words.confirm
  if (method === 'push') return words.push
  return ceremony === 'authentication' ? words.signIn : words.register
}

type WaitingProps = Pick<RequestViewProps, 'message' | 'canvas' | 'watched' | 'actions'>

const Waiting = ({ message, canvas, watched, actions }: WaitingProps) => {
  const words = texts.rp.scan
  const signIn = message.ceremony === 'authentication'
  const push = message.method === 'push'
  const bound = message.state === 'bind' || message.state === 'success'
  return (
    <div className={`${styles.waiting} column middle grow shortens p-8-18-10`}>
      <h2>{waitingTitle(message)}</h2>
      {push ? (
        <PushPicture lead={words.pushLead} bound={bound} />
      ) : (
        <QrCode text={message.url} label={words.code[message.ceremony]} canvas={canvas} watched={watched} />
      )}
      <div className={`${styles.time} grid rigid gap-6-10 small bank-muted`}>
        <TimeLeft message={message} />
        {signIn ? (
          <button
            className="text-right underlined"
            type="button"
            disabled={actions.busy}
            onClick={() => actions.signIn(push ? 'qrcode' : 'push')}
          >
            {push ? words.showCode : texts.rp.form.byPush}
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
      <i className="whole-row cut bg-bank-line rounded-3 h-3" aria-hidden="true">
        <b className="block tall bg-bank" style={{ transform: `scaleX(${Math.min(1, left / whole)})` }} />
      </i>
      <span>
        {texts.rp.scan.expiresIn} <b className="digits weight-600 bank-ink">{minuteSecond(left)}</b>
      </span>
    </>
  )
}

export const PushPicture = ({ lead, bound }: { readonly lead: string; readonly bound: boolean }) => (
  <div
    className={`${styles.push} column middle centre grow shortens gap-4 text-center bank-muted`}
    data-part="rp-push"
    data-bound={bound || undefined}
  >
    <svg viewBox="0 0 160 160" width="150" height="150" fill="none" stroke="var(--bank)" aria-hidden="true">
      <circle className={styles.wave} cx="80" cy="80" r="52" strokeWidth="1.5" opacity=".28" />
      <circle className={styles.wave} cx="80" cy="80" r="70" strokeWidth="1.5" opacity=".14" />
      <rect x="54" y="30" width="52" height="100" rx="11" fill="var(--bank-page)" strokeWidth="2.5" />
      <rect x="61" y="48" width="38" height="24" rx="6" fill="var(--bank-soft)" strokeWidth="1.5" />
      <path d="M67 57h20M67 64h13" strokeWidth="2" strokeLinecap="round" />
      <path d="M72 122h16" strokeWidth="2.5" strokeLinecap="round" />
    </svg>
    <p>{lead}</p>
  </div>
)

type OutcomeProps = Pick<RequestViewProps, 'message' | 'actions' | 'onAgain'> & { readonly outcome: RpOutcome }

const Outcome = ({ message, outcome, actions, onAgain }: OutcomeProps) => {
  if (outcome === 'success') {
    return message.ceremony === 'authentication' ? (
      <Account
        name={shownName(message)}
        balance={isOthers(message) ? texts.rp.done.otherBalance : texts.rp.done.balance}
        onSignOut={() => onAgain(false)}
      />
    ) : (
      <Concluded
        sign={{ tone: 'ok', Icon: Check, size: 28, strokeWidth: 2 }}
        title={texts.rp.done.registered}
        lead={texts.rp.done.registeredLead}
        next={{ text: texts.rp.done.signInNow, busy: actions.busy, go: () => actions.signIn('qrcode') }}
        otherwise={{ text: texts.phone.done, go: () => onAgain(false) }}
      />
    )
  }
  const words = texts.rp.failed
  const register = message.ceremony === 'registration'
  const late = outcome === 'timeout'
  const leads = {
    refused: doubtText(message),
    broke: words.brokeLead,
    timeout: words.timeoutLead,
    fail: words.reasons[failureWord(message.error)] ?? words.otherReason,
  }
  const again = () => (register ? actions.register() : actions.signIn(message.method ?? 'qrcode'))
  return (
    <Concluded
      sign={late ? { tone: 'warn', Icon: Hourglass } : { tone: 'fail', Icon: X, size: 26 }}
      title={outcome === 'broke' ? words.broke : late ? words.timeout : register ? words.register : words.signIn}
      lead={leads[outcome]}
      next={{ text: words.tryAgain, busy: actions.busy, go: again }}
      otherwise={{ text: words.otherWay, go: () => onAgain(register) }}
    />
  )
}

const doubtText = ({ told, userId }: Message): string => {
  const words = texts.rp.told
  if (told?.doubt === 'other_user') return words.names(told.named ?? '', userId)
  return told?.doubt === undefined ? words.unfit : words.doubts[told.doubt]
}

/** True if the answer names a different user, whom a careless RP signs in. */
const isOthers = ({ told, userId }: Message): boolean => told?.account !== undefined && told.account !== userId

const shownName = (message: Message): string => (isOthers(message) ? (message.told?.account ?? '') : message.username)

type AccountProps = { readonly name: string; readonly balance: string; readonly onSignOut: () => void }

const Account = ({ name, balance, onSignOut }: AccountProps) => {
  const words = texts.rp.done
  return (
    <div className={`${rpPartsStyles.account} column shortens scrolls-y m-auto p-10-0-14`}>
      <h2>{words.signedIn(name)}</h2>
      <p className="text-center bank-muted mt-2">{words.signedInLead}</p>
      <dl className="bg-bank-soft rounded-10 mt-14 p-11-14">
        <dt className="small bank-muted">{words.account}</dt>
        <dd>{balance}</dd>
      </dl>
      <ul className="m-4-2-12">
        {words.items.map(({ what, amount }) => (
          <li className="flex gap-12 between p-7-0" key={what}>
            <span>{what}</span>
            <span className="digits">{amount}</span>
          </li>
        ))}
      </ul>
      <RpButton quiet onClick={onSignOut} text={words.signOut} />
    </div>
  )
}

/** ISO/IEC 18004: a quiet zone of four modules on each side. */
const QUIET = 4
const SMALLEST = 3
const LARGEST = 8

type QrCodeProps = {
  readonly text: string
  /** The purpose of the code, never its content. */
  readonly label: string
  readonly canvas: RefObject<HTMLCanvasElement | null>
  readonly watched: boolean
  /** The fewest and the most pixels that a module may have. */
  readonly smallest?: number
  readonly largest?: number
}

/** Every module has whole pixels, so that the edges of the code stay sharp. */
export const QrCode = ({ text, label, canvas, watched, smallest = SMALLEST, largest = LARGEST }: QrCodeProps) => {
  const room = useRef<HTMLDivElement>(null)
  const [space, setSpace] = useState(0)
  const code = useMemo(() => encode(text, { ecc: 'M', border: QUIET }), [text])
  const module = Math.min(largest, Math.max(smallest, Math.floor(space / code.size)))
  const side = module * code.size

  useEffect(() => {
    return observeSize(room.current, ({ clientWidth, clientHeight }) => {
      // A pane that is hidden on a narrow screen keeps its previous size.
      if (clientWidth > 0) setSpace(Math.min(clientWidth, clientHeight))
    })
  }, [])

  // A layout effect, because a camera may read the canvas as soon as the canvas has its new size.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new size empties a canvas.
  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (context === null || context === undefined) return
    const style = getComputedStyle(document.documentElement)
    const scale = context.canvas.width / code.size
    context.fillStyle = style.getPropertyValue('--qr-paper')
    context.fillRect(0, 0, context.canvas.width, context.canvas.height)
    context.fillStyle = style.getPropertyValue('--qr-ink')
    for (const [y, row] of code.data.entries()) {
      for (const [x, dark] of row.entries()) {
        if (dark) context.fillRect(x * scale, y * scale, scale, scale)
      }
    }
  }, [canvas, code, module])

  const pixels = code.size * module * Math.max(1, Math.round(devicePixelRatio))
  return (
    <div className="centred grow stretches min-h-130 m-4-0" data-part="qr-room" ref={room}>
      <div
        className={`${styles.qr} relative`}
        data-part="qr"
        data-watched={watched || undefined}
        style={{ width: side, height: side }}
      >
        <canvas ref={canvas} width={pixels} height={pixels} role="img" aria-label={label} />
      </div>
    </div>
  )
}

type Step = { readonly state: MessageState; readonly look: 'done' | 'now' | 'todo' | 'good' | 'bad' | 'late' }

const stepsOf = (state: MessageState, bound: boolean): readonly Step[] => {
  const end = ENDS[state] ?? { state: 'success', look: 'todo' }
  const scanned = state === 'bind' ? 'now' : bound && state !== 'init' ? 'done' : 'todo'
  return [{ state: 'init', look: state === 'init' ? 'now' : 'done' }, { state: 'bind', look: scanned }, end]
}

const ENDS: Readonly<Partial<Record<MessageState, Step>>> = {
  success: { state: 'success', look: 'good' },
  fail: { state: 'fail', look: 'bad' },
  timeout: { state: 'timeout', look: 'late' },
}

const ICONS = { done: Check, good: Check, bad: X, late: Hourglass } as const

type ProgressProps = {
  readonly state: MessageState
  readonly bound: boolean
  /** Names of the states; if absent, the protocol's own words are used. */
  readonly names?: Readonly<Record<MessageState, string>>
}

export const Progress = ({ state, bound, names }: ProgressProps) => (
  <ol className={`${styles.steps} row small centre weight-540`} data-part="steps" aria-label={texts.rp.scan.steps}>
    {stepsOf(state, bound).map(({ state: name, look }) => {
      const Icon = look === 'now' || look === 'todo' ? undefined : ICONS[look]
      return (
        <li
          className="row gap-6 bank-muted"
          key={name}
          data-look={look}
          aria-current={name === state ? 'step' : undefined}
        >
          <i className="centred circle w-15 h-15">{Icon === undefined ? null : <Icon size={10} strokeWidth={3} />}</i>
          <span>{names?.[name] ?? name}</span>
        </li>
      )
    })}
  </ol>
)

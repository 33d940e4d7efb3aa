import type { LucideIcon } from 'lucide-react'
import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { texts } from '../ui/texts.ts'
import styles from './rp-parts.module.css'

type RpButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  readonly text: string
  readonly Icon?: LucideIcon
  readonly quiet?: boolean
}

export const RpButton = ({ text, Icon, quiet, ...rest }: RpButtonProps) => (
  <button
    className={`${styles.button} bg-bank inline-flex middle centre gap-8 text-14 weight-560 rounded-8 min-h-40 px-22`}
    data-part="rp-button"
    data-quiet={quiet}
    type="button"
    {...rest}
  >
    {Icon === undefined ? null : <Icon size={16} />}
    {text}
  </button>
)

export const WhyButton = ({ onWhy }: { readonly onWhy: () => void }) => (
  <button type="button" className="underlined small accent ml-6" onClick={onWhy}>
    {texts.timeline.why}
  </button>
)

/** What the RP says about the present request, below its steps. */
export const RpFoot = ({ steps, children }: { readonly steps?: ReactNode; readonly children: ReactNode }) => (
  <footer className={`${styles.foot} rigid push-down bg-bank-soft bank-line-above p-9-18-10`}>
    {steps}
    <p className="small text-center balanced leading-17 bank-muted" role="status">
      {children}
    </p>
  </footer>
)

type RpSignProps = {
  readonly tone: 'ok' | 'warn' | 'fail' | 'bank'
  readonly Icon: LucideIcon
  readonly size?: number
  readonly strokeWidth?: number
}

export const RpSign = ({ tone, Icon, size = 24, strokeWidth = 1.75 }: RpSignProps) => (
  <span className={`${styles.sign} centred circle tone bg-tone-soft w-56 h-56`} data-part="rp-sign" data-tone={tone}>
    <Icon size={size} strokeWidth={strokeWidth} />
  </span>
)

type ConcludedProps = {
  readonly sign: RpSignProps
  readonly title: string
  readonly lead: string
  readonly next: { readonly text: string; readonly busy: boolean; readonly go: () => void }
  readonly otherwise?: { readonly text: string; readonly go: () => void }
}

/** The page after a request, with what the user can do next. */
export const Concluded = ({ sign, title, lead, next, otherwise }: ConcludedProps) => (
  <div className={`${styles.outcome} column middle wide text-center shortens scrolls-y m-auto p-14-20`}>
    <RpSign {...sign} />
    <h2 className="mt-16">{title}</h2>
    <p className="bank-muted balanced leading-19 mt-6">{lead}</p>
    <RpButton disabled={next.busy} onClick={next.go} text={next.text} />
    {otherwise === undefined ? null : (
      <button className={`${styles.link} underlined text-13 bank-muted mt-12`} type="button" onClick={otherwise.go}>
        {otherwise.text}
      </button>
    )}
  </div>
)

import { Check, Circle, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { groupOf, type OwnCalls, type RefusedCall } from '../../src-main/views/timeline/timeline.ts'

import { useBenchPart } from '../bench/use-bench.ts'
import { texts } from '../ui/texts.ts'
import { CeremonyHelp } from './ceremony-help.tsx'
import styles from './connect-steps.module.css'

import { Refusal } from './refusal.tsx'

type ConnectStepsProps = {
  readonly rp: string
  readonly keys: readonly string[]
  readonly foreignKeys: readonly string[]
  readonly onWhy: (msgId: string) => void
  readonly onLook: (seq: number) => void
}

/** Four lines that turn green by what the RP’s own server does; what stands in the way is explained below its line. */
export const ConnectSteps = ({ rp, keys, foreignKeys, onWhy, onLook }: ConnectStepsProps) => {
  const words = texts.connect
  const own = useBenchPart(({ timeline }) => timeline.own)
  const asked = own.byRp[rp]?.asked
  const message = useBenchPart(({ timeline }) => (asked === undefined ? undefined : groupOf(timeline, asked)?.message))
  const { done, refused } = progressOf({ own, rp, keys, foreignKeys })
  const next = STEPS.find((step) => !done[step])
  // Another program of the same RP asks when all lines are green.
  const waits = message?.state === 'init' || message?.state === 'bind'
  const helpAt = next === 'scanned' || next === 'signedIn' ? next : next === undefined && waits ? 'signedIn' : undefined
  return (
    <section className={styles.steps} aria-label={words.steps}>
      <ol>
        {STEPS.map((step) => {
          const state = refused?.at === step ? 'refused' : done[step] ? 'done' : step === next ? 'next' : 'later'
          const detail: ReactNode =
            refused?.at === step ? (
              <Refusal key={refused.seq} seq={refused.seq} stray={refused.stray} onLook={onLook} />
            ) : step === helpAt && message !== undefined ? (
              <CeremonyHelp message={message} onWhy={onWhy} />
            ) : step === next ? (
              <p>{words.waiting[step]}</p>
            ) : null
          return (
            <li key={step} data-step={step} data-state={state} aria-current={step === next ? 'step' : undefined}>
              <span className={styles.name}>
                <Mark state={state} />
                {words.names[step]}
                <span className="unseen">{words.states[state]}</span>
              </span>
              {detail === null ? null : <div className={styles.detail}>{detail}</div>}
            </li>
          )
        })}
      </ol>
      <p className="unseen" role="status">
        {refused === undefined
          ? words.soFar(STEPS.filter((step) => done[step]).length)
          : words.refusedAt(words.names[refused.at])}
      </p>
      {next === undefined && refused === undefined ? <p className={styles.end}>{words.end}</p> : null}
    </section>
  )
}

const Mark = ({ state }: { readonly state: 'refused' | 'done' | 'next' | 'later' }) =>
  state === 'done' ? (
    <Check size={16} strokeWidth={2.5} aria-hidden="true" />
  ) : state === 'refused' ? (
    <X size={16} strokeWidth={2.5} aria-hidden="true" />
  ) : (
    <Circle size={16} strokeWidth={1.75} aria-hidden="true" />
  )

const STEPS = ['reached', 'signed', 'scanned', 'signedIn'] as const

type ConnectStep = (typeof STEPS)[number]

type Progress = {
  readonly done: Readonly<Record<ConnectStep, boolean>>
  /** The refusal that stands in the way, at the step that it keeps from being done. */
  readonly refused?: RefusedCall & {
    readonly at: ConnectStep /** It says not that it is this RP’s. */
    readonly stray: boolean
  }
}

type ProgressInput = {
  readonly own: OwnCalls
  readonly rp: string
  /** The access keys of this RP, and those of the others in the workspace. */
  readonly keys: readonly string[]
  readonly foreignKeys: readonly string[]
}

/** How far the RP’s own server has come, told apart from other RPs, and from calls that may be anybody’s. */
export const progressOf = ({ own, rp, keys, foreignKeys }: ProgressInput): Progress => {
  const server = own.byRp[rp]
  const named = latest(keys.map((key) => own.byKey[key]))
  const stray = latest(
    Object.entries(own.byKey).map(([key, call]) =>
      keys.includes(key) || foreignKeys.includes(key) ? undefined : call,
    ),
  )
  const done = {
    reached: server !== undefined || named !== undefined,
    signed: server !== undefined,
    scanned: server?.scanned === true,
    signedIn: server?.signedIn !== undefined,
  }
  const signed = server?.signed ?? 0
  // Once a signature has held, a call that names no key is somebody else’s.
  const unsigned = latest([named, done.signed ? undefined : stray])
  if (unsigned !== undefined && unsigned.seq > signed) {
    const isStray = unsigned !== named
    return { done, refused: { ...unsigned, at: isStray && !done.reached ? 'reached' : 'signed', stray: isStray } }
  }
  const { refused } = server ?? {}
  if (refused === undefined || refused.seq !== signed || done.signedIn) return { done }
  return { done, refused: { ...refused, at: done.scanned ? 'signedIn' : 'scanned', stray: false } }
}

const latest = (calls: readonly (RefusedCall | undefined)[]): RefusedCall | undefined =>
  calls.reduce((best, call) => (call !== undefined && call.seq > (best?.seq ?? 0) ? call : best), undefined)

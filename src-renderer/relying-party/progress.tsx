import { Check, Hourglass, X } from 'lucide-react'
import type { MessageState } from '../../src-main/core/protocol/message-state.ts'
import { texts } from '../ui/texts.ts'
import styles from './progress.module.css'

type Step = { readonly state: MessageState; readonly look: 'done' | 'now' | 'todo' | 'good' | 'bad' | 'late' }

/** `init → bind → success`, with its progress. */
export const stepsOf = (state: MessageState, bound: boolean): readonly Step[] => {
  const past = bound ? 'done' : 'todo'
  switch (state) {
    case 'init':
      return [step('init', 'now'), step('bind', 'todo'), step('success', 'todo')]
    case 'bind':
      return [step('init', 'done'), step('bind', 'now'), step('success', 'todo')]
    case 'success':
      return [step('init', 'done'), step('bind', 'done'), step('success', 'good')]
    case 'fail':
      return [step('init', 'done'), step('bind', past), step('fail', 'bad')]
    case 'timeout':
      return [step('init', 'done'), step('bind', past), step('timeout', 'late')]
  }
}

const step = (state: MessageState, look: Step['look']): Step => ({ state, look })

const ICONS = { done: Check, good: Check, bad: X, late: Hourglass } as const

type ProgressProps = {
  readonly state: MessageState
  readonly bound: boolean
  /** The protocol's own words when absent. */
  readonly names?: Readonly<Record<MessageState, string>>
}

export const Progress = ({ state, bound, names = texts.states }: ProgressProps) => (
  <ol className={`${styles.steps} row small`} data-part="steps" aria-label={texts.rp.scan.steps}>
    {stepsOf(state, bound).map(({ state: name, look }) => {
      const Icon = look === 'now' || look === 'todo' ? undefined : ICONS[look]
      return (
        <li key={name} data-look={look} aria-current={name === state ? 'step' : undefined}>
          <i>{Icon === undefined ? null : <Icon size={10} strokeWidth={3} aria-hidden="true" />}</i>
          <span>{names[name]}</span>
        </li>
      )
    })}
  </ol>
)

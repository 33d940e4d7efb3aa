import { Check, Minus, X } from 'lucide-react'
import type { JudgedCheck, JudgedStep } from '../../src-main/core/contract/judge/verdict.ts'
import type { DecodedPart } from '../../src-main/views/inspect/parts.ts'
import { evidenceText, messages } from '../ui/messages.ts'
import { texts } from '../ui/texts.ts'
import { differenceOf, hotByte } from './difference.ts'
import { HexView } from './hex-view.tsx'
import { Marked } from './marked.tsx'
import partStyles from './part.module.css'
import styles from './step-detail.module.css'

const ICONS = { passed: Check, failed: X, skipped: Minus } as const

type StepDetailProps = { readonly step: JudgedStep; readonly parts: readonly DecodedPart[] }

/** One step: expected and received values, check by check, with their bytes. */
export const StepDetail = ({ step, parts }: StepDetailProps) => {
  const words = texts.inspector.verdict
  const { at } = step
  const part = at === undefined ? undefined : parts.find(({ name }) => name === at.part)
  return (
    <div className={styles.stepDetail} data-outcome={step.outcome}>
      <h3 id="step-title">
        <code>{step.id}</code>
        <span>{messages.steps[step.id]}</span>
      </h3>
      {step.note === undefined ? null : <p className={`${styles.stepNote} muted`}>{messages.notes[step.note]}</p>}
      {step.expected === undefined && step.received === undefined ? null : <Compared step={step} />}
      {step.checks?.map((check) => (
        <div
          key={`${check.check} ${check.word} ${JSON.stringify(check.received)}`}
          className={styles.stepCheck}
          data-outcome={check.outcome}
        >
          <h4>
            <Outcome outcome={check.outcome} />
            <span>{nameOf(check)}</span>
          </h4>
          {check.word === undefined ? null : (
            <p className={`${styles.stepReason} muted`} data-part="step-reason">
              {messages.failures[check.word]}
            </p>
          )}
          {check.expected === undefined && check.received === undefined ? null : <Compared step={check} />}
        </div>
      ))}
      {at === undefined || part === undefined ? null : (
        <div className={styles.evidenceBytes}>
          <h4 className={`${styles.evidence} flex gap-10 small muted`}>
            <code>{part.name}</code>
            <span>{words.bytes(at.start, at.end, part.bytes.length)}</span>
          </h4>
          <HexView
            bytes={part.bytes}
            marked={at}
            hot={hotByte(part.bytes, at, shown(step))}
            look={step.outcome === 'failed' ? 'fail' : 'accent'}
          />
        </div>
      )}
    </div>
  )
}

const nameOf = ({ check, word }: JudgedCheck): string | undefined =>
  check === undefined ? word : messages.checks[check]

/** The two values of a step, in the page's words. */
const shown = ({ expected, received, outcome }: Comparable) => ({
  outcome,
  expected: expected === undefined ? undefined : evidenceText(expected),
  received: received === undefined ? undefined : evidenceText(received),
})

export const Outcome = ({ outcome }: { readonly outcome: JudgedStep['outcome'] }) => {
  const Icon = ICONS[outcome]
  return (
    <i>
      <Icon size={11} strokeWidth={2.75} aria-label={texts.inspector.verdict.outcomes[outcome]} />
    </i>
  )
}

/** Data in no language, or words in that of the page. */
const Said = ({ text, told }: { readonly text: string; readonly told: Comparable['expected'] }) =>
  typeof told === 'string' ? <code>{text}</code> : text

type Comparable = Pick<JudgedStep, 'expected' | 'received' | 'outcome'>

export const Compared = ({ step }: { readonly step: Comparable }) => {
  const words = texts.inspector.verdict
  const { outcome, expected, received } = shown(step)
  const difference =
    outcome === 'failed' && expected !== undefined && received !== undefined && expected.length < 400
      ? differenceOf({ expected, received })
      : undefined
  // Texts that share next to nothing are shown whole: marking all of both says nothing.
  const close = difference !== undefined && difference.same.length + difference.rest.length >= 4
  return (
    <dl className={partStyles.compared} data-part="compared">
      {expected === undefined ? null : (
        <div>
          <dt>{words.expected}</dt>
          <dd>
            {close ? (
              <Marked parts={difference} middle={difference.expected} look="wanted" />
            ) : (
              <Said text={expected} told={step.expected} />
            )}
          </dd>
        </div>
      )}
      {received === undefined ? null : (
        <div>
          <dt>{words.received}</dt>
          <dd>
            {close ? (
              <Marked parts={difference} middle={difference.received} look="got" />
            ) : (
              <Said text={received} told={step.received} />
            )}
          </dd>
        </div>
      )}
    </dl>
  )
}
